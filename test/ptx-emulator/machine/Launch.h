// A kernel launch: what the driver asks for, and the state that all blocks of
// the launch share. Blocks run one after another, in order, on the caller's
// thread: results do not depend on the host.
#pragma once

#include "Block.h"
#include "DeviceMemory.h"
#include "Fault.h"
#include "GlobalRaces.h"

namespace ptxemu {

/// What to look for, from BLOCKS_PTX_EMULATOR_CHECKS.
struct Checks {
  bool races = true;
  bool uninitialized = true;
  bool globalRaces = false;
  bool warnOnly = false; ///< findings do not make the launch fail
};

struct LaunchRequest {
  const Code *code = nullptr;
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t dynamicShared = 0;
  std::vector<uint8_t> params;
};

struct Launch {
  LaunchRequest request;
  DeviceMemory *memory = nullptr;
  Checks checks;
  uint32_t localStride = 0;
  uint64_t stepLimit = 0; ///< backward branches of one block; 0 is no limit
  uint64_t steps = 0;
  std::vector<std::string> findings; ///< races and uninitialised reads
  uint64_t findingCount = 0;
  GlobalRaces *globalRaces = nullptr;

  /// The allocation that a memory instruction used last.
  struct Range {
    uint64_t low = 1, high = 0;
    int64_t delta = 0;
    bool readOnly = false;
  };
  std::vector<Range> ranges;

  Launch(LaunchRequest request, DeviceMemory &memory, Checks checks,
         SharedShadow &shadow);
  /// Runs all blocks. Throws Fault.
  void run();
  void finding(const std::string &text);
  /// Further findings are only counted.
  bool isFull() const { return findings.size() >= 20; }

private:
  SharedShadow &shadow;
  std::vector<uint8_t> localMemory;

  void prepareBlock(Block &block);
};

} // namespace ptxemu
