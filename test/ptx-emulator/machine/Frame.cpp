// Register frames: layout in memory, constants, special registers, poison.
#include "Block.h"
#include "Launch.h"

#include <cstring>

namespace ptxemu {
namespace {

template <class T> void fill(uint8_t *at, T value) {
  for (int lane = 0; lane < laneCount; ++lane)
    std::memcpy(at + lane * sizeof(T), &value, sizeof(T));
}

void fillWidth(uint8_t *at, uint32_t width, uint64_t bits) {
  if (width == 8)
    fill<uint64_t>(at, bits);
  else if (width == 4)
    fill<uint32_t>(at, uint32_t(bits));
  else if (width == 2)
    fill<uint16_t>(at, uint16_t(bits));
  else
    std::memcpy(at, &bits, 4); // a predicate: one bit a lane
}

uint32_t threadExtent(const Warp &warp, uint32_t lane, int axis) {
  const uint32_t *block = warp.launch->request.block;
  uint32_t thread = warp.thread(lane);
  if (axis == 0)
    return thread % block[0];
  if (axis == 1)
    return thread / block[0] % block[1];
  return thread / block[0] / block[1];
}

uint64_t specialValue(Special special, const Warp &warp, uint32_t lane) {
  const Launch &launch = *warp.launch;
  const LaunchRequest &request = launch.request;
  uint32_t bit = 1u << lane;
  switch (special) {
  case Special::tidX:
  case Special::tidY:
  case Special::tidZ:
    return threadExtent(warp, lane, int(special) - int(Special::tidX));
  case Special::ntidX:
  case Special::ntidY:
  case Special::ntidZ:
    return request.block[int(special) - int(Special::ntidX)];
  case Special::ctaidX:
  case Special::ctaidY:
  case Special::ctaidZ:
    return warp.block->id[int(special) - int(Special::ctaidX)];
  case Special::nctaidX:
  case Special::nctaidY:
  case Special::nctaidZ:
    return request.grid[int(special) - int(Special::nctaidX)];
  case Special::laneid:
    return lane;
  case Special::warpid:
    return warp.index;
  case Special::nwarpid:
    return warp.block->warps.size();
  case Special::lanemaskEq:
    return bit;
  case Special::lanemaskLe:
    return bit | (bit - 1);
  case Special::lanemaskLt:
    return bit - 1;
  case Special::lanemaskGe:
    return ~(bit - 1);
  case Special::lanemaskGt:
    return ~(bit | (bit - 1));
  case Special::zero:
    return 0;
  case Special::one:
    return 1;
  case Special::dynamicSharedSize:
    return request.dynamicShared;
  case Special::totalSharedSize:
    return request.code->staticShared + request.dynamicShared;
  case Special::dynamicShared:
    return request.code->dynamicSharedBase;
  }
  return 0;
}

} // namespace

void prepareFrame(Frame &frame, const Code *code) {
  frame.code = code;
  frame.registers.assign(code->frameBytes + 64, 0);
  auto address = reinterpret_cast<uintptr_t>(frame.registers.data());
  frame.base = reinterpret_cast<uint8_t *>((address + 63) / 64 * 64);
  for (const Code::Constant &constant : code->constants)
    fillWidth(frame.base + constant.offset, constant.width, constant.bits);
  frame.params.assign(size_t(code->laneParamBytes) * laneCount, 0);
}

void fillSpecials(Frame &frame, const Warp &warp) {
  for (const Code::SpecialSlot &slot : frame.code->specials)
    for (uint32_t lane = 0; lane < uint32_t(laneCount); ++lane) {
      uint64_t value = specialValue(slot.special, warp, lane);
      uint32_t width = slot.wide ? 8 : 4;
      std::memcpy(frame.base + slot.offset + lane * width, &value, width);
    }
}

void poisonRegisters(Frame &frame) {
  constexpr uint64_t poison =
      uint64_t(DeviceMemory::poison) << 32 | DeviceMemory::poison;
  for (const Code::Constant &slot : frame.code->poisoned)
    fillWidth(frame.base + slot.offset, slot.width,
              slot.width ? poison : 0x5A5A5A5A);
}

} // namespace ptxemu
