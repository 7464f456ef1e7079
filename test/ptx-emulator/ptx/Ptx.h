// What a PTX text says, as plain data: the parser fills it, the decoder reads
// it once and makes handlers of it. Names in nested scopes are already made
// unique here, so that later steps see one flat name space per function.
#pragma once

#include "Type.h"

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ptxemu {

/// An error in a PTX text, with the line where it was met.
struct PtxError : std::runtime_error {
  PtxError(unsigned line, const std::string &what)
      : std::runtime_error("line " + std::to_string(line) + ": " + what),
        line(line) {}
  unsigned line;
};

enum class Space : uint8_t { generic, param, local, shared, global, constant };

struct Operand {
  enum Kind {
    name,     ///< register, variable, function or label
    integer,  ///< immediate
    floating, ///< immediate: decimal, 0f or 0d form
    address,  ///< [base + offset]; the base may be missing
    vector,   ///< {a, b, …} or the (…) of a call
    sink      ///< _
  };
  Kind kind = sink;
  std::string text;   ///< the name, or the base of an address
  std::string second; ///< the q of p|q
  bool negated = false;
  int64_t value = 0;   ///< immediate, or the offset of an address or name
  uint64_t bits32 = 0; ///< floating: as f32
  uint64_t bits64 = 0; ///< floating: as f64
  std::vector<Operand> elements;
};

struct Instruction {
  unsigned line = 0;
  std::string guard; ///< predicate register of @p, or empty
  bool guardNegated = false;
  std::string opcode;                 ///< "ld"
  std::vector<std::string> modifiers; ///< ".global", ".f32"
  std::vector<Operand> operands;
  std::vector<std::string> labels; ///< labels that stand before it
  std::string text;                ///< as written, for reports
};

struct Variable {
  std::string name;
  Space space = Space::global;
  Type type = Type::b8;
  unsigned alignment = 1;
  uint64_t size = 0; ///< bytes; 0 for an extern array without extent
  bool external = false;
  /// Initializer bytes, and places in it that hold addresses of variables.
  std::vector<uint8_t> bytes;
  struct Relocation {
    uint64_t offset;
    std::string symbol;
    int64_t addend;
    bool generic;
  };
  std::vector<Relocation> relocations;
};

struct Function {
  std::string name;
  unsigned line = 0;
  bool entry = false;
  bool hasBody = false;
  std::vector<Variable> returns;
  std::vector<Variable> params;
  std::map<std::string, Type> registers;
  std::vector<Variable> variables; ///< .local, .shared, .param of the body
  std::vector<Instruction> body;
  std::map<std::string, std::vector<std::string>> branchTargets;
  unsigned maxThreads[3] = {0, 0, 0};
  unsigned requiredThreads[3] = {0, 0, 0};
};

struct Module {
  unsigned version = 0;  ///< 8.4 is 84
  unsigned target = 0;   ///< sm_90 is 90
  char targetSuffix = 0; ///< 'a' or 'f' of sm_90a, sm_100f
  std::vector<Variable> variables;
  std::vector<Function> functions;
};

/// Reads a PTX text. Throws PtxError.
Module parsePtx(const std::string &text);

} // namespace ptxemu
