// Flow of control: guards, labels, branches, calls, returns, exits, and the
// small steps that the decoder adds around instructions.
#include "Control.h"
#include "../decode/Decoder.h"
#include "../machine/Fault.h"
#include "../machine/Launch.h"
#include "Lanes.h"

#include <bit>
#include <chrono>

namespace ptxemu {
namespace {

const Op *join(const Op *op, Warp &warp) { return warp.enter(op + 1); }

template <bool Negated> const Op *guard(const Op *op, Warp &warp) {
  uint32_t holds = predicate(warp, op->a);
  warp.exec = warp.active & (Negated ? ~holds : holds);
  if (warp.exec)
    return op + 1;
  warp.exec = warp.active;
  return op + op->count;
}

const Op *unguard(const Op *op, Warp &warp) {
  warp.exec = warp.active;
  return op + 1;
}

/// Before a step that only some lanes of the fragment take: the others go on
/// behind it.
void splitOff(const Op *op, Warp &warp) {
  if (uint32_t others = warp.active & ~warp.exec)
    warp.fork(others, op + 1);
}

/// Goes to a label; after many times backwards the other warps get a turn.
const Op *jump(const Op *from, const Op *to, Warp &warp) {
  if (to <= from && --warp.budget <= 0) [[unlikely]] {
    Launch &launch = *warp.launch;
    launch.steps += 1 << 16;
    if (launch.stepLimit && launch.steps > launch.stepLimit)
      fault(FaultKind::other, warp, uint32_t(std::countr_zero(warp.active)),
            from,
            "the kernel does not end: " + std::to_string(launch.steps) +
                " backward branches (BLOCKS_PTX_EMULATOR_LIMIT)");
    return warp.yield(to);
  }
  return warp.enter(to);
}

const Op *branchAlways(const Op *op, Warp &warp) {
  return jump(op, static_cast<const Op *>(op->target), warp);
}

template <bool Negated> const Op *branchIf(const Op *op, Warp &warp) {
  uint32_t holds = predicate(warp, op->a);
  uint32_t taken = warp.active & (Negated ? ~holds : holds);
  if (!taken)
    return warp.enter(op + 1);
  auto *target = static_cast<const Op *>(op->target);
  if (taken == warp.active)
    return jump(op, target, warp);
  warp.fork(taken, target);
  return warp.enter(op + 1);
}

const Op *branchByIndex(const Op *op, Warp &warp) {
  splitOff(op, warp);
  const auto *index = slot<uint32_t>(warp, op->a);
  auto *targets = static_cast<const Op *const *>(op->target);
  while (warp.active) {
    uint32_t first = index[std::countr_zero(warp.active)], same = 0;
    if (first >= op->count)
      fault(FaultKind::other, warp, uint32_t(std::countr_zero(warp.active)), op,
            "the index " + std::to_string(first) + " is outside the table of " +
                std::to_string(op->count) + " targets");
    for (int i = 0; i < laneCount; ++i)
      same |= uint32_t((warp.active >> i & 1) && index[i] == first) << i;
    if (same == warp.active)
      return jump(op, targets[first], warp);
    warp.fork(same, targets[first]);
  }
  return warp.pick();
}

const Op *exitThread(const Op *op, Warp &warp) {
  splitOff(op, warp);
  return warp.exit();
}

const Op *returnFrom(const Op *op, Warp &warp) {
  splitOff(op, warp);
  if (!warp.frame->parent)
    return warp.exit();
  const Frame &callee = *warp.frame, &caller = *callee.parent;
  const Op *site = callee.callSite;
  const auto &results = callee.code->returns;
  uint32_t from = callee.code->laneParamBytes, to = caller.code->laneParamBytes;
  for (size_t i = 0; i < results.size() && i < size_t(site->d); ++i)
    for (uint32_t lane = 0; lane < uint32_t(laneCount); ++lane)
      if (warp.active >> lane & 1)
        std::memcpy(const_cast<uint8_t *>(caller.params.data()) + lane * to +
                        site->list[i],
                    callee.params.data() + lane * from + results[i].offset,
                    results[i].size);
  return warp.leave();
}

/// op->list: offsets of the results (op->d of them), then of the arguments.
const Op *callFunction(const Op *op, Warp &warp) {
  splitOff(op, warp);
  const Frame &caller = *warp.frame;
  const auto *code = static_cast<const Code *>(op->target);
  const Op *first = warp.call(code, op);
  Frame &callee = *warp.frame;
  uint32_t from = caller.code->laneParamBytes, to = code->laneParamBytes;
  for (size_t i = 0; i < code->params.size(); ++i)
    for (uint32_t lane = 0; lane < uint32_t(laneCount); ++lane)
      if (warp.active >> lane & 1)
        std::memcpy(callee.params.data() + lane * to + code->params[i].offset,
                    caller.params.data() + lane * from + op->list[op->d + i],
                    code->params[i].size);
  return warp.enter(first);
}

/// vprintf: counted as printed, and not shown.
const Op *ignoreCall(const Op *op, Warp &warp) { return op + 1; }

const Op *assertFailed(const Op *op, Warp &warp) {
  fault(FaultKind::assertion, warp, uint32_t(std::countr_zero(warp.exec)), op,
        "a device-side assertion failed");
}

const Op *trapThread(const Op *op, Warp &warp) {
  fault(FaultKind::instruction, warp, uint32_t(std::countr_zero(warp.exec)), op,
        "the kernel stopped itself");
}

const Op *nothing(const Op *op, Warp &warp) { return op + 1; }

const Op *letOthersRun(const Op *op, Warp &warp) {
  if (warp.exec != warp.active)
    return op + 1;
  return warp.yield(op + 1);
}

const Op *invertPredicate(const Op *op, Warp &warp) {
  predicate(warp, op->d) = ~predicate(warp, op->a);
  return op + 1;
}

const Op *localAddress(const Op *op, Warp &warp) {
  uint64_t address = warp.frame->localBase + uint64_t(op->imm);
  return mapLanes<uint64_t>(op, warp, [=](int) { return address; });
}

template <class D, class S> const Op *resize(const Op *op, Warp &warp) {
  const S *a = slot<S>(warp, op->a);
  return mapLanes<D>(op, warp, [=](int i) { return D(a[i]); });
}

template <class T> const Op *addImmediate(const Op *op, Warp &warp) {
  const T *a = slot<T>(warp, op->a);
  auto value = T(op->imm);
  return mapLanes<T>(op, warp, [=](int i) { return T(a[i] + value); });
}

template <class T, bool High> const Op *clockValue(const Op *op, Warp &warp) {
  auto now = uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                          std::chrono::steady_clock::now().time_since_epoch())
                          .count());
  return mapLanes<T>(op, warp, [=](int) { return T(High ? now >> 32 : now); });
}

bool decodeBranch(Decoder &d) {
  const Instruction &instruction = d.instruction();
  if (instruction.guard.empty()) {
    d.branch(d.emit(branchAlways), d.operand(0).text);
    d.endBlock(false);
    return true;
  }
  Operand predicateOperand;
  predicateOperand.kind = Operand::name;
  predicateOperand.text = instruction.guard;
  uint32_t p = d.predicateSource(predicateOperand);
  d.branch(
      d.emit(instruction.guardNegated ? branchIf<true> : branchIf<false>, 0, p),
      d.operand(0).text);
  d.endBlock(true);
  return true;
}

bool decodeCall(Decoder &d) {
  std::vector<const Operand *> lists;
  std::string name;
  for (size_t i = 0; i < d.operandCount(); ++i)
    if (d.operand(i).kind == Operand::vector)
      lists.push_back(&d.operand(i));
    else if (name.empty()) {
      name = d.operand(i).text;
      if (lists.empty())
        lists.push_back(nullptr); // no results
    }
  if (name == "__assertfail") {
    d.emit(assertFailed);
    return true;
  }
  if (name == "vprintf") {
    d.emit(ignoreCall);
    return true;
  }
  const Code *code = d.layoutOf().function(name);
  if (!code)
    d.fail("there is no function '" + name +
           "' (calls through pointers are not "
           "emulated)");
  std::vector<uint32_t> offsets;
  for (const Operand *list : lists)
    if (list)
      for (const Operand &element : list->elements)
        offsets.push_back(d.laneParameterOffset(element.text));
  const uint32_t *list = d.list(offsets);
  Op &op = d.emit(callFunction);
  op.target = code;
  op.list = list;
  op.d = lists[0] ? uint32_t(lists[0]->elements.size()) : 0;
  return true;
}

} // namespace

const Handler joinHandler = join;
const Handler unguardHandler = unguard;
const Handler invertPredicateHandler = invertPredicate;
const Handler localAddressHandler = localAddress;

Handler guardHandler(bool negated) {
  return negated ? guard<true> : guard<false>;
}

Handler addImmediateHandler(bool wide) {
  return wide ? addImmediate<uint64_t> : addImmediate<uint32_t>;
}

Handler clockHandler(bool wide, bool high) {
  if (wide)
    return clockValue<uint64_t, false>;
  return high ? clockValue<uint32_t, true> : clockValue<uint32_t, false>;
}

Handler resizeHandler(unsigned from, unsigned to, bool extendSign) {
  if (from == 8)
    return to == 4 ? resize<uint32_t, uint64_t> : resize<uint16_t, uint64_t>;
  if (from == 4 && to == 2)
    return resize<uint16_t, uint32_t>;
  if (from == 4)
    return extendSign ? resize<int64_t, int32_t> : resize<uint64_t, uint32_t>;
  if (to == 8)
    return extendSign ? resize<int64_t, int16_t> : resize<uint64_t, uint16_t>;
  return extendSign ? resize<int32_t, int16_t> : resize<uint32_t, uint16_t>;
}

bool decodeControl(Decoder &d) {
  if (d.is("bra"))
    return decodeBranch(d);
  if (d.is("call"))
    return decodeCall(d);
  if (d.is("brx")) {
    uint32_t index = d.source(0, Type::u32);
    d.branchTable(d.emit(branchByIndex, 0, index), d.operand(1).text);
    d.endBlock(!d.instruction().guard.empty());
    return true;
  }
  bool guarded = !d.instruction().guard.empty();
  if (d.is("ret") || d.is("exit")) {
    d.emit(d.is("ret") ? returnFrom : exitThread);
    d.endBlock(guarded);
    return true;
  }
  if (d.is("trap") || d.is("brkpt")) {
    d.emit(trapThread);
    d.endBlock(guarded);
    return true;
  }
  if (d.is("nanosleep")) {
    d.emit(letOthersRun);
    return true;
  }
  static const char *silent[] = {
      "membar",        "fence",   "prefetch",       "prefetchu",  "discard",
      "applypriority", "pmevent", "griddepcontrol", "setmaxnreg", "isolated"};
  for (const char *name : silent)
    if (d.is(name)) {
      d.emit(nothing);
      return true;
    }
  return false;
}

} // namespace ptxemu
