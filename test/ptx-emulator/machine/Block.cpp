// A block: start, round-robin over its warps, barriers, and the report of a
// block that cannot go on.
#include "Block.h"
#include "Launch.h"

#include <bit>
#include <cstring>

namespace ptxemu {

void Block::start(uint64_t linear) {
  const LaunchRequest &request = launch->request;
  number = linear;
  id[0] = uint32_t(linear % request.grid[0]);
  id[1] = uint32_t(linear / request.grid[0] % request.grid[1]);
  id[2] = uint32_t(linear / request.grid[0] / request.grid[1]);
  std::memset(sharedBase, 0xFF, sharedBytes);
  if (shadow)
    shadow->startBlock(sharedBytes, uint32_t(warps.size()));
  barriers = {};
  for (Warp &warp : warps) {
    warp.alive = warp.existing;
    warp.waiting.clear();
    warp.openCopies.clear();
    warp.groups.clear();
    warp.kernelFrame.mask = warp.existing;
    fillSpecials(warp.kernelFrame, warp);
    poisonRegisters(warp.kernelFrame);
    warp.waiting.push_back({warp.existing, request.code->ops.data(),
                            &warp.kernelFrame, Fragment::ready, 0});
    if (request.code->localTotal)
      std::memset(warp.local, 0xFF, size_t(launch->localStride) * laneCount);
  }
}

void Block::run() {
  for (bool done = false; !done;) {
    done = true;
    bool progress = false;
    for (Warp &warp : warps) {
      if (!warp.alive)
        continue;
      done = false;
      warp.budget = 1 << 16;
      const Op *op = warp.pick();
      progress |= op != nullptr;
      while (op)
        op = op->run(op, warp);
    }
    if (!done && !progress)
      reportStuck();
  }
}

bool Block::arrive(uint32_t barrierId, uint32_t expected,
                   const Barrier::Waiter &waiter, uint32_t truths) {
  Barrier &barrier = barriers[barrierId];
  if (barrier.waiters.empty())
    barrier.expected = expected;
  else if (barrier.expected != expected)
    fault(FaultKind::other, *waiter.warp,
          uint32_t(std::countr_zero(waiter.mask)), waiter.op,
          "barrier " + std::to_string(barrierId) + " is used for " +
              std::to_string(expected) + " threads here, and for " +
              std::to_string(barrier.expected) + " by a thread that waits");
  barrier.waiters.push_back(waiter);
  // With a count the hardware counts whole warps.
  bool whole = expected % 32 == 0 && waiter.mask == waiter.warp->existing;
  uint32_t lanes = uint32_t(std::popcount(waiter.mask));
  barrier.arrived += whole ? 32 : lanes;
  barrier.trueCount += uint32_t(std::popcount(truths & waiter.mask));
  barrier.falseCount += uint32_t(std::popcount(~truths & waiter.mask));
  if (barrier.arrived < barrier.expected)
    return false;
  complete(barrier);
  return true;
}

void Block::checkAligned(const Barrier &barrier) const {
  for (const Barrier::Waiter &waiter : barrier.waiters)
    if (waiter.aligned && waiter.mask != waiter.warp->existing)
      for (const Barrier::Waiter &other : barrier.waiters)
        if (other.warp == waiter.warp && other.op != waiter.op)
          fault(FaultKind::other, *waiter.warp,
                uint32_t(std::countr_zero(waiter.mask)), waiter.op,
                "divergent barrier: other lanes of the warp wait at line " +
                    std::to_string(other.op->line));
}

void Block::complete(Barrier &barrier) {
  checkAligned(barrier);
  uint32_t participants = 0;
  for (const Barrier::Waiter &waiter : barrier.waiters) {
    participants |= 1u << waiter.warp->index;
    bool value = waiter.reduction == 'a' ? barrier.falseCount == 0
                                         : barrier.trueCount != 0;
    if (waiter.reduction == 'p') {
      for (int lane = 0; lane < laneCount; ++lane)
        if (waiter.mask >> lane & 1)
          std::memcpy(waiter.regs + waiter.result + lane * 4,
                      &barrier.trueCount, 4);
    } else if (waiter.reduction) {
      uint32_t bits;
      std::memcpy(&bits, waiter.regs + waiter.result, 4);
      bits = value ? bits | waiter.mask : bits & ~waiter.mask;
      std::memcpy(waiter.regs + waiter.result, &bits, 4);
    }
  }
  if (shadow)
    shadow->barrier(participants);
  auto index = uint32_t(&barrier - barriers.data());
  for (const Barrier::Waiter &waiter : barrier.waiters)
    if (waiter.stays)
      for (Fragment &fragment : waiter.warp->waiting)
        if (fragment.state == Fragment::atBarrier && fragment.barrier == index)
          fragment.state = Fragment::ready;
  barrier = Barrier();
}

void Block::reportStuck() {
  uint32_t exited = 0, firstExited = 0;
  for (const Warp &warp : warps) {
    uint32_t gone = warp.existing & ~warp.alive;
    if (gone && !exited)
      firstExited = warp.thread(uint32_t(std::countr_zero(gone)));
    exited += uint32_t(std::popcount(gone));
  }
  std::string exits;
  if (exited)
    exits = "; " + std::to_string(exited) +
            " threads have exited, the first being thread " +
            std::to_string(firstExited);
  for (Warp &warp : warps)
    for (const Fragment &fragment : warp.waiting)
      if (fragment.state == Fragment::atCollective)
        fault(FaultKind::other, warp, uint32_t(std::countr_zero(fragment.mask)),
              fragment.at,
              "deadlock: lanes " + hex(fragment.mask) +
                  " wait here for lanes of their mask that do not come "
                  "(divergent shuffle or vote); lanes alive: " +
                  hex(warp.alive) + exits);
  for (Barrier &barrier : barriers)
    if (!barrier.waiters.empty()) {
      const Barrier::Waiter &first = barrier.waiters.front();
      fault(FaultKind::other, *first.warp,
            uint32_t(std::countr_zero(first.mask)), first.op,
            "deadlock: barrier " + std::to_string(&barrier - barriers.data()) +
                " was reached by " + std::to_string(barrier.arrived) + " of " +
                std::to_string(barrier.expected) + " threads" + exits);
    }
  throw Fault(FaultKind::other, "deadlock in a block, with nobody waiting");
}

} // namespace ptxemu
