// StepContext: what StepABI.h keeps opaque, the running step as the runtime
// sees it: threads, scratch memory, and what the step reported. One context
// serves one Program and one thread at a time; a step allocates nothing in it
// once the arena has its size.
#pragma once

#include "blocks/abi/StepABI.h"
#include "runtime/Abi/Arena.h"
#include "runtime/Device/CpuInfo.h"
#include "runtime/Device/ThreadPool.h"

#include <csetjmp>
#include <mutex>

/// A label out of range, as the kernel saw it.
struct BlocksReport {
  bool present = false;
  int64_t site = 0, row = 0, value = 0, limit = 0;
};

struct BlocksStepContext {
  BlocksStepContext(int threads, blocks::CpuLevel level)
      : pool(threads), level(level) {}

  blocks::ThreadPool pool;
  blocks::CpuLevel level;
  blocks::Arena arena;

  /// Runs `entry`. False if there was not enough memory for its arena; then
  /// nothing was computed, and `arena.requested()` says how much it wanted.
  bool run(BlocksEntry entry, void **args);

  BlocksReport report; ///< Of this step; the smallest (site, row).
  std::mutex reportMutex;

private:
  friend void *blocks_rt_arena(BlocksStepContext *context, int64_t bytes);
  std::jmp_buf outOfMemory;
};
