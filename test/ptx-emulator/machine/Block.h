// A thread block while it runs: its warps, barriers, shared memory and what
// each warp knows of the others' progress.
#pragma once

#include "SharedShadow.h"
#include "Warp.h"

#include <array>

namespace ptxemu {

/// A named barrier of a block (bar.sync 0 … 15).
struct Barrier {
  struct Waiter {
    Warp *warp;
    uint32_t mask;
    const Op *op;    ///< the bar instruction
    bool aligned;    ///< wants the whole warp at this instruction
    bool stays;      ///< false for bar.arrive
    uint8_t *regs;   ///< registers of the waiting frame
    uint32_t result; ///< the register that bar.red writes
    char reduction;  ///< of bar.red: 'p'opc, 'a'nd, 'o'r; 0 for bar.sync
  };
  uint32_t expected = 0;
  uint32_t arrived = 0;
  std::vector<Waiter> waiters;
  uint32_t trueCount = 0; ///< predicates of bar.red
  uint32_t falseCount = 0;
};

struct Block {
  Launch *launch = nullptr;
  uint32_t id[3] = {0, 0, 0};
  uint64_t number = 0; ///< linear index in the grid
  uint32_t threads = 0;
  std::vector<Warp> warps;
  std::vector<uint8_t> shared;
  uint8_t *sharedBase = nullptr;
  uint32_t sharedBytes = 0;
  SharedShadow *shadow = nullptr; ///< null when races are not looked for
  std::array<Barrier, 16> barriers;

  void start(uint64_t number);
  void run();
  /// Counts lanes into a barrier. True when that completes it.
  bool arrive(uint32_t id, uint32_t expected, const Barrier::Waiter &waiter,
              uint32_t truths);

private:
  void complete(Barrier &barrier);
  void checkAligned(const Barrier &barrier) const;
  [[noreturn]] void reportStuck();
};

} // namespace ptxemu
