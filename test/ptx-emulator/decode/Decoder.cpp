// The walk over a function's instructions, its branches and blocks.
#include "Decoder.h"
#include "../ops/Control.h"
#include "ControlFlow.h"

#include <algorithm>

namespace ptxemu {

Decoder::Decoder(const Function &function, const Layout &layout,
                 ModuleCode &module, Code &code)
    : function(function), layout(layout), module(module), code(code) {}

void Decoder::run() {
  declareRegisters();
  declareVariables();
  for (const Instruction &instruction : function.body)
    decodeInstruction(instruction);
  code.frameBytes = frameEnd;
  for (auto &[key, offset] : constants)
    code.constants.push_back({offset, key.first, key.second});
  for (auto &[key, offset] : specials)
    code.specials.push_back({offset, key.first, key.second});
  resolveBranches();
  rankBlocks();
}

void Decoder::decodeInstruction(const Instruction &instruction) {
  static constexpr bool (*families[])(Decoder &) = {
      decodeMove,      decodeInteger, decodeBits,    decodeFloat,
      decodeHalf,      decodeMemory,  decodeCompare, decodeConvert,
      decodeControl,   decodeBarrier, decodeWarp,    decodeAtomic,
      decodeAsyncCopy, decodeMatrix};
  current = &instruction;
  steps.emplace_back();
  steps.back().firstOp = code.ops.size();
  if (!instruction.labels.empty()) {
    emit(joinHandler);
    for (const std::string &label : instruction.labels)
      labels[label] = code.ops.size();
  }
  // Branches look at their guard themselves.
  bool guarded = !instruction.guard.empty() && instruction.opcode != "bra";
  steps.back().guarded = !instruction.guard.empty();
  size_t guardOp = code.ops.size();
  if (guarded) {
    Operand guard;
    guard.kind = Operand::name;
    guard.text = instruction.guard;
    uint32_t predicate = predicateSource(guard);
    guardOp = code.ops.size();
    emit(guardHandler(instruction.guardNegated), 0, predicate);
  }
  bool known = std::any_of(std::begin(families), std::end(families),
                           [&](auto family) { return family(*this); });
  if (!known)
    fail("unknown instruction; the emulator does not have it");
  for (auto &extend : after)
    extend();
  after.clear();
  if (guarded) {
    emit(unguardHandler);
    code.ops[guardOp].count = uint32_t(code.ops.size() - guardOp);
  }
}

Op &Decoder::emit(Handler handler) {
  Op op;
  op.run = handler;
  op.line = current->line;
  code.ops.push_back(op);
  return code.ops.back();
}

Op &Decoder::emit(Handler handler, uint32_t d, uint32_t a, uint32_t b,
                  uint32_t c) {
  Op &op = emit(handler);
  op.d = d;
  op.a = a;
  op.b = b;
  op.c = c;
  return op;
}

const uint32_t *Decoder::list(std::vector<uint32_t> offsets) {
  code.lists.push_back(std::move(offsets));
  return code.lists.back().data();
}

void Decoder::branch(Op &op, const std::string &label) {
  fixups.push_back({size_t(&op - code.ops.data()), {label}, false});
  steps.back().targets.push_back(label);
}

void Decoder::branchTable(Op &op, const std::string &table) {
  auto found = function.branchTargets.find(table);
  if (found == function.branchTargets.end())
    fail("there is no '.branchtargets' named '" + table + "'");
  fixups.push_back({size_t(&op - code.ops.data()), found->second, true});
  op.count = uint32_t(found->second.size());
  for (const std::string &label : found->second)
    steps.back().targets.push_back(label);
}

void Decoder::endBlock(bool falls) {
  steps.back().ends = true;
  steps.back().falls = falls;
}

void Decoder::resolveBranches() {
  for (const Fixup &fixup : fixups) {
    std::vector<const Op *> targets;
    for (const std::string &label : fixup.labels) {
      auto found = labels.find(label);
      if (found == labels.end())
        throw PtxError(code.ops[fixup.op].line, "no label '" + label + "'");
      targets.push_back(code.ops.data() + found->second);
    }
    Op &op = code.ops[fixup.op];
    if (!fixup.table) {
      op.target = targets.front();
      continue;
    }
    code.jumpTables.push_back(std::move(targets));
    op.target = code.jumpTables.back().data();
  }
}

void Decoder::rankBlocks() {
  // Blocks start at labels and after whatever ends one.
  std::vector<size_t> leaders, blockOf(steps.size());
  std::map<std::string, size_t> labelBlock;
  for (size_t i = 0; i < steps.size(); ++i) {
    bool labelled = !function.body[i].labels.empty();
    if (i == 0 || labelled || steps[i - 1].ends)
      leaders.push_back(i);
    blockOf[i] = leaders.size() - 1;
    for (const std::string &label : function.body[i].labels)
      labelBlock[label] = blockOf[i];
  }
  Graph successors(leaders.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    bool last = i + 1 == steps.size() || blockOf[i + 1] != blockOf[i];
    if (last && i + 1 < steps.size() && (!steps[i].ends || steps[i].falls))
      successors[blockOf[i]].push_back(blockOf[i + 1]);
    for (const std::string &label : steps[i].targets)
      successors[blockOf[i]].push_back(labelBlock.at(label));
  }
  std::vector<uint32_t> ranks = ptxemu::rankBlocks(successors);
  for (size_t i = 0; i < steps.size(); ++i) {
    size_t end = i + 1 < steps.size() ? steps[i + 1].firstOp : code.ops.size();
    for (size_t op = steps[i].firstOp; op < end; ++op)
      code.ops[op].order = ranks[blockOf[i]];
  }
  findPoisoned(blockOf, successors);
}

void Decoder::findPoisoned(const std::vector<size_t> &blockOf,
                           const Graph &successors) {
  std::vector<std::vector<uint32_t>> uses(successors.size()),
      defs(successors.size());
  std::vector<const Register *> byIndex(registers.size());
  for (auto &[name, reg] : registers)
    byIndex[reg.index] = &reg;
  for (size_t i = 0; i < steps.size(); ++i) {
    auto &blockUses = uses[blockOf[i]];
    auto &blockDefs = defs[blockOf[i]];
    for (uint32_t value : steps[i].uses)
      if (std::find(blockDefs.begin(), blockDefs.end(), value) ==
          blockDefs.end())
        blockUses.push_back(value);
    if (!steps[i].guarded)
      blockDefs.insert(blockDefs.end(), steps[i].defs.begin(),
                       steps[i].defs.end());
  }
  for (uint32_t value : liveAtEntry(successors, uses, defs, registers.size()))
    code.poisoned.push_back(
        {byIndex[value]->offset, slotWidth(byIndex[value]->type), 0});
}

} // namespace ptxemu
