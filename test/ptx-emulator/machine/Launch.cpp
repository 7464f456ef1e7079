// Sets up and runs the blocks of a launch.
#include "Launch.h"

#include <algorithm>

namespace ptxemu {

Launch::Launch(LaunchRequest wanted, DeviceMemory &memory, Checks checks,
               SharedShadow &shadow)
    : request(std::move(wanted)), memory(&memory), checks(checks),
      shadow(shadow) {
  ranges.resize(request.code->module->caches);
  localStride = (request.code->localTotal + 15) / 16 * 16;
  shadow.startLaunch();
  shadow.checkRaces = checks.races;
  shadow.checkUninitialized = checks.uninitialized;
  shadow.found = [this](const std::string &text) { finding(text); };
}

void Launch::finding(const std::string &text) {
  ++findingCount;
  if (!isFull())
    findings.push_back(text);
}

void Launch::prepareBlock(Block &block) {
  block.launch = this;
  block.threads = request.block[0] * request.block[1] * request.block[2];
  // Shared addresses start above 0, so that a null pointer is recognised.
  block.sharedBytes = request.code->dynamicSharedBase + request.dynamicShared;
  block.shared.resize(block.sharedBytes + 256);
  auto address = reinterpret_cast<uintptr_t>(block.shared.data());
  block.sharedBase = reinterpret_cast<uint8_t *>((address + 127) / 128 * 128);
  block.shadow = checks.races || checks.uninitialized ? &shadow : nullptr;
  uint32_t warps = (block.threads + 31) / 32;
  block.warps.resize(warps);
  localMemory.resize(size_t(localStride) * laneCount * warps);
  for (uint32_t i = 0; i < warps; ++i) {
    Warp &warp = block.warps[i];
    warp.block = &block;
    warp.launch = this;
    warp.index = i;
    uint32_t lanes = std::min(32u, block.threads - 32 * i);
    warp.existing = lanes == 32 ? allLanes : (1u << lanes) - 1;
    warp.local = localMemory.data() + size_t(localStride) * laneCount * i;
    prepareFrame(warp.kernelFrame, request.code);
  }
}

void Launch::run() {
  Block block;
  prepareBlock(block);
  uint64_t blocks =
      uint64_t(request.grid[0]) * request.grid[1] * request.grid[2];
  for (uint64_t i = 0; i < blocks; ++i) {
    block.start(i);
    block.run();
  }
}

} // namespace ptxemu
