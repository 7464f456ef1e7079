// Turns a parsed function into ops, once. The decoder walks the instructions;
// families of instructions (ops/) recognise their own and emit handlers with
// the operands that the decoder resolved for them.
//
// Registers get a place in the frame by their own width, so that a handler
// works on plain arrays of its type. Immediates and addresses of variables are
// registers too, filled when the frame is made. Where an instruction is
// narrower than its register, the decoder adds a step that cuts or extends.
#pragma once

#include "../machine/Code.h"
#include "../ptx/Ptx.h"

#include <functional>
#include <map>
#include <optional>

namespace ptxemu {

/// Where the variables of a module lie, as far as loading has settled it.
struct Layout {
  struct Place {
    Space space;
    uint64_t address; ///< device address, or offset in shared memory
    uint64_t size;
    bool dynamic = false; ///< the .extern shared array
  };
  std::map<std::string, Place> variables;
  const Module *module = nullptr;
  std::function<const Code *(const std::string &)> function;
};

/// A resolved memory operand: register + offset.
struct AddressOperand {
  uint32_t slot;
  bool wide; ///< 64-bit register
  int64_t offset;
  /// The address is a formal parameter of an entry: known and uniform.
  std::optional<uint32_t> entryParameter;
};

class Decoder {
public:
  Decoder(const Function &function, const Layout &layout, ModuleCode &module,
          Code &code);
  void run();

  // --- the instruction at hand ---
  const Instruction &instruction() const { return *current; }
  bool is(const char *opcode) const { return current->opcode == opcode; }
  bool has(const char *modifier) const;
  /// Whether a modifier starts with `prefix`.
  bool hasPrefix(const char *prefix) const;
  /// The n-th type among the modifiers; negative counts from the end.
  Type type(int n = -1) const;
  size_t operandCount() const { return current->operands.size(); }
  const Operand &operand(size_t i) const;
  [[noreturn]] void fail(const std::string &what) const;

  // --- operands ---
  uint32_t source(size_t i, Type type) { return source(operand(i), type); }
  uint32_t source(const Operand &operand, Type type);
  uint32_t destination(size_t i, Type type) {
    return destination(operand(i), type);
  }
  uint32_t destination(const Operand &operand, Type type);
  /// A predicate register that is read; a negated one gets a step of its own.
  uint32_t predicateSource(const Operand &operand);
  uint32_t predicateDestination(const std::string &name);
  /// The q of p|q, or 0 when there is none.
  uint32_t secondPredicate(const Operand &operand);
  AddressOperand address(size_t i) { return address(operand(i)); }
  AddressOperand address(const Operand &operand);
  int64_t immediate(size_t i) const;
  bool isRegister(const Operand &operand) const;
  bool isWideRegister(const Operand &operand) const;
  Type registerType(const Operand &operand) const;
  const Variable *parameter(const std::string &name) const;
  uint32_t laneParameterOffset(const std::string &name);

  // --- places in the frame ---
  uint32_t constant(Type type, uint64_t bits);
  uint32_t temporary(Type type);
  uint32_t carryFlag();

  // --- emission ---
  Op &emit(Handler handler);
  Op &emit(Handler handler, uint32_t d, uint32_t a = 0, uint32_t b = 0,
           uint32_t c = 0);
  const uint32_t *list(std::vector<uint32_t> offsets);
  uint32_t nextCache() { return module.caches++; }
  void branch(Op &op, const std::string &label);
  void branchTable(Op &op, const std::string &table);
  /// This instruction ends its block; `falls`: the next one may follow.
  void endBlock(bool falls);

  const Function &source() const { return function; }
  const Layout &layoutOf() const { return layout; }
  Code &codeOf() { return code; }

private:
  struct Register {
    uint32_t offset;
    Type type;
    uint32_t index;
  };
  struct Fixup {
    size_t op;
    std::vector<std::string> labels;
    bool table;
  };
  /// What the flow of control and the liveness of registers need to know.
  struct Step {
    size_t firstOp = 0;
    std::vector<uint32_t> uses, defs;
    std::vector<std::string> targets;
    bool ends = false, falls = true, guarded = false;
  };

  const Function &function;
  const Layout &layout;
  ModuleCode &module;
  Code &code;
  const Instruction *current = nullptr;
  std::map<std::string, Register> registers;
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> constants;
  std::map<std::pair<Special, bool>, uint32_t> specials;
  std::map<std::string, Layout::Place> locals; ///< variables of the body
  std::map<std::string, uint32_t> laneParams;
  std::map<std::string, size_t> labels; ///< to index of op
  std::vector<Fixup> fixups;
  std::vector<Step> steps;
  std::vector<std::function<void()>> after; ///< extension of narrow results
  uint32_t frameEnd = 64;                   ///< offset 0 means "none"
  uint32_t predicateAt = 0, predicateEnd = 0;
  uint32_t carry = 0;

  void declareRegisters();
  void declareVariables();
  void decodeInstruction(const Instruction &instruction);
  uint32_t allocate(uint32_t width);
  uint32_t symbolAddress(const std::string &name, int64_t offset, Type type);
  uint32_t specialRegister(const std::string &name, Type type);
  const Register *find(const std::string &name) const;
  void resolveBranches();
  void rankBlocks();
  void findPoisoned(const std::vector<size_t> &leaders,
                    const std::vector<std::vector<size_t>> &successors);
};

/// Bytes that a value of this type takes in a register; 0 for a predicate.
uint32_t slotWidth(Type type);

/// The families: each emits what it knows and returns false on the rest.
bool decodeInteger(Decoder &decoder);
bool decodeBits(Decoder &decoder);
bool decodeFloat(Decoder &decoder);
bool decodeHalf(Decoder &decoder);
bool decodeCompare(Decoder &decoder);
bool decodeMove(Decoder &decoder);
bool decodeConvert(Decoder &decoder);
bool decodeMemory(Decoder &decoder);
bool decodeAtomic(Decoder &decoder);
bool decodeAsyncCopy(Decoder &decoder);
bool decodeControl(Decoder &decoder);
bool decodeBarrier(Decoder &decoder);
bool decodeWarp(Decoder &decoder);
bool decodeMatrix(Decoder &decoder);

} // namespace ptxemu
