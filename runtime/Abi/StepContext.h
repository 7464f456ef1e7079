// StepContext: what StepABI.h keeps opaque, the running step as the runtime
// sees it: threads, scratch memory, and what the step reported. One context
// serves one Program and one thread at a time; a step allocates nothing in it
// once the arena has its size. With a device the work happens there, and
// threads and arena of the processor are not used.
#pragma once

#include "blocks/abi/StepABI.h"
#include "runtime/Abi/Arena.h"
#include "runtime/Device/CpuInfo.h"
#include "runtime/Device/DeviceStep.h"
#include "runtime/Device/ThreadPool.h"

#include <csetjmp>
#include <exception>
#include <mutex>

/// A label out of range, as the kernel saw it.
struct BlocksReport {
  bool present = false;
  int64_t site = 0, row = 0, value = 0, limit = 0;
};

struct BlocksStepContext {
  BlocksStepContext(int threads, blocks::CpuLevel level)
      : pool(threads), level(level) {}
  explicit BlocksStepContext(blocks::DeviceStep &device)
      : pool(1), level(blocks::CpuLevel::V2), device(&device) {}

  blocks::ThreadPool pool;
  blocks::CpuLevel level;
  blocks::Arena arena;
  blocks::DeviceStep *device = nullptr; ///< Borrowed; null: the processor.

  /// Runs `entry`. False if there was not enough memory for its arena; then
  /// nothing was computed, and `arena.requested()` says how much it wanted.
  /// Throws what the device threw.
  bool run(BlocksEntry entry, void **args);

  /// Ends the running entry at once: back to `run`. An entry's own frames hold
  /// nothing that must be released.
  [[noreturn]] void leave() { std::longjmp(entryStart, 1); }
  std::exception_ptr failure; ///< Why it was left; null: out of memory.

  BlocksReport report; ///< Of this step; the smallest (site, row).
  std::mutex reportMutex;

private:
  std::jmp_buf entryStart;
};
