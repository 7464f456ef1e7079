// cp.async: copies from global to shared memory that become visible only when
// the thread waits for them. Until then the destination holds poison, and the
// shadow reports whoever touches it.
#include "Access.h"

namespace ptxemu {
namespace {

/// One lane reads its source: `take` bytes, the rest of the copy being zero.
void readSource(const Op *from, Warp &warp, uint32_t lane, uint64_t address,
                uint32_t take, AsyncCopy &copy) {
  if (take && address % copy.bytes)
    fault(FaultKind::misaligned, warp, lane, from,
          "the source address " + hex(address) + " is not aligned to " +
              std::to_string(copy.bytes) + " bytes");
  uint32_t unit = std::has_single_bit(take) ? take : 1;
  for (uint32_t at = 0; at < take; at += unit) {
    uint64_t same[laneCount];
    std::fill(same, same + laneCount, address + at);
    Targets read;
    globalTargets(from, warp, same, unit, Access::read, read);
    std::memcpy(copy.data + at, read.host[lane], unit);
  }
}

/// One lane's destination becomes poison.
void poisonTarget(const Op *op, Warp &warp, const AsyncCopy &copy) {
  uint64_t same[laneCount];
  std::fill(same, same + laneCount, copy.destination);
  Targets to;
  SharedShadow *shadow = warp.block->shadow;
  warp.block->shadow = nullptr; // recorded as pending instead
  sharedTargets(op, warp, same, copy.bytes, Access::write, to);
  warp.block->shadow = shadow;
  if (shadow)
    shadow->pending(warp, copy.lane, copy.destination, copy.bytes, op->line);
  std::memset(to.host[copy.lane], 0xFF, copy.bytes);
}

/// op: the destination's address; op->list: the slots of the source's address
/// and of the bytes to read (or 0), whether the source is wide, its offset.
const Op *startCopy(const Op *op, Warp &warp) {
  uint32_t exec = warp.exec;
  Op from = *op;
  from.a = op->list[0];
  from.b = op->list[2];
  from.imm = int64_t(op->list[3] | uint64_t(op->list[4]) << 32);
  alignas(64) uint64_t source[laneCount], target[laneCount];
  readAddresses(&from, warp, source);
  readAddresses(op, warp, target);
  for (uint32_t lanes = exec; lanes; lanes &= lanes - 1) {
    auto lane = uint32_t(std::countr_zero(lanes));
    uint32_t take = op->count;
    if (op->list[1])
      take = std::min(take, slot<uint32_t>(warp, op->list[1])[lane]);
    AsyncCopy copy{lane, uint32_t(target[lane]), op->count, op->line, {}};
    warp.exec = 1u << lane;
    readSource(&from, warp, lane, source[lane], take, copy);
    poisonTarget(op, warp, copy);
    warp.openCopies.push_back(copy);
  }
  warp.exec = exec;
  return op + 1;
}

const Op *commit(const Op *op, Warp &warp) {
  AsyncGroup group;
  group.mask = warp.exec;
  std::erase_if(warp.openCopies, [&](const AsyncCopy &copy) {
    bool mine = warp.exec >> copy.lane & 1;
    if (mine)
      group.copies.push_back(copy);
    return mine;
  });
  warp.groups.push_back(std::move(group));
  return op + 1;
}

void finish(Warp &warp, std::vector<AsyncCopy> &copies, uint32_t lanes) {
  std::erase_if(copies, [&](const AsyncCopy &copy) {
    if (!(lanes >> copy.lane & 1))
      return false;
    std::memcpy(warp.block->sharedBase + copy.destination, copy.data,
                copy.bytes);
    if (warp.block->shadow)
      warp.block->shadow->settle(warp, copy.destination, copy.bytes);
    return true;
  });
}

/// Completes all but the last op->imm groups of each lane; -1 is everything.
const Op *wait(const Op *op, Warp &warp) {
  int64_t keep = op->imm < 0 ? 0 : op->imm;
  int64_t later[laneCount] = {};
  for (size_t g = warp.groups.size(); g-- > 0;) {
    AsyncGroup &group = warp.groups[g];
    uint32_t done = 0;
    for (int lane = 0; lane < laneCount; ++lane)
      if ((group.mask & warp.exec) >> lane & 1)
        if (later[lane]++ >= keep)
          done |= 1u << lane;
    finish(warp, group.copies, done);
    group.mask &= ~done;
  }
  std::erase_if(warp.groups,
                [](const AsyncGroup &group) { return group.mask == 0; });
  if (op->imm < 0)
    finish(warp, warp.openCopies, warp.exec);
  return op + 1;
}

bool decodeStart(Decoder &d) {
  AddressOperand to = d.address(0), from = d.address(1);
  int64_t bytes = d.immediate(2);
  if (bytes != 4 && bytes != 8 && bytes != 16)
    d.fail("cp.async copies 4, 8 or 16 bytes");
  if (d.has(".cg") && bytes != 16)
    d.fail("cp.async.cg copies 16 bytes");
  uint32_t take = 0;
  if (d.operandCount() > 3) {
    const Operand &extra = d.operand(3);
    if (d.isRegister(extra) && d.registerType(extra) == Type::pred)
      return false; // ignore-src
    take = d.source(3, Type::u32);
  }
  const uint32_t *list =
      d.list({from.slot, take, from.wide, uint32_t(uint64_t(from.offset)),
              uint32_t(uint64_t(from.offset) >> 32)});
  Op &op = d.emit(startCopy);
  setAddress(d, op, to);
  op.count = uint32_t(bytes);
  op.list = list;
  return true;
}

} // namespace

bool decodeAsyncCopy(Decoder &d) {
  if (!d.is("cp") || !d.has(".async") || d.has(".bulk") || d.has(".mbarrier") ||
      d.hasPrefix(".mbarrier"))
    return false;
  if (d.has(".commit_group")) {
    d.emit(commit);
    return true;
  }
  if (d.has(".wait_group") || d.has(".wait_all")) {
    int64_t keep = d.has(".wait_all") ? -1 : d.immediate(0);
    d.emit(wait).imm = keep;
    return true;
  }
  return decodeStart(d);
}

} // namespace ptxemu
