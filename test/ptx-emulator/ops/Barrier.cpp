// bar and barrier: sync, arrive and the reductions, by id and count.
#include "../decode/Decoder.h"
#include "../machine/Block.h"
#include "../machine/Fault.h"
#include "Lanes.h"

#include <bit>

namespace ptxemu {
namespace {

enum Form { sync, arrive };

/// op->a: id; op->b: count or 0; op->c: predicate of a reduction or 0;
/// op->d: its result; op->imm: 'p', 'a', 'o' or 0; op->count: aligned.
template <Form F> const Op *barrier(const Op *op, Warp &warp) {
  if (uint32_t others = warp.active & ~warp.exec)
    warp.fork(others, op + 1);
  auto first = uint32_t(std::countr_zero(warp.active));
  uint32_t id = slot<uint32_t>(warp, op->a)[first];
  Block &block = *warp.block;
  uint32_t count = op->b ? slot<uint32_t>(warp, op->b)[first] : block.threads;
  if (id >= block.barriers.size())
    fault(FaultKind::other, warp, first, op,
          "there is no barrier " + std::to_string(id) + " (0 to 15)");
  if (op->b && (count % 32 != 0 || count == 0))
    fault(FaultKind::other, warp, first, op,
          "the thread count " + std::to_string(count) +
              " is not a multiple of the warp size");
  Barrier::Waiter waiter{&warp,     warp.active, op,    op->count != 0,
                         F == sync, warp.regs,   op->d, char(op->imm)};
  uint32_t truths = op->c ? predicate(warp, op->c) : 0;
  bool complete = block.arrive(id, count, waiter, truths);
  if (F == arrive)
    return op + 1;
  return complete ? warp.suspend(op + 1, Fragment::ready)
                  : warp.suspend(op + 1, Fragment::atBarrier, id);
}

bool decodeReduction(Decoder &d, bool aligned) {
  bool popc = d.has(".popc");
  size_t last = d.operandCount() - 1;
  uint32_t id = d.source(1, Type::u32);
  uint32_t count = last == 3 ? d.source(2, Type::u32) : 0;
  uint32_t p = d.predicateSource(d.operand(last));
  uint32_t to = d.destination(0, popc ? Type::u32 : Type::pred);
  Op &op = d.emit(barrier<sync>, to, id, count, p);
  op.imm = popc ? 'p' : d.has(".and") ? 'a' : 'o';
  op.count = aligned;
  return true;
}

} // namespace

bool decodeBarrier(Decoder &d) {
  if (!d.is("bar") && !d.is("barrier"))
    return false;
  if (d.has(".warp") || d.has(".cluster"))
    return false;
  bool aligned = d.is("bar") || d.has(".aligned");
  if (d.has(".red"))
    return decodeReduction(d, aligned);
  if (!d.has(".sync") && !d.has(".arrive"))
    return false;
  uint32_t id = d.source(0, Type::u32);
  uint32_t count = d.operandCount() > 1 ? d.source(1, Type::u32) : 0;
  d.emit(d.has(".sync") ? barrier<sync> : barrier<arrive>, 0, id, count).count =
      aligned;
  return true;
}

} // namespace ptxemu
