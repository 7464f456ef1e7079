// Checks and translation of addresses; see Access.h.
#include "Access.h"

namespace ptxemu {
namespace {

const char *verb(Access access) {
  return access == Access::read    ? "reads "
         : access == Access::write ? "writes "
                                   : "updates ";
}

struct Extent {
  uint64_t low, high, bits;
};

inline Extent extentOf(const uint64_t *address) {
  uint64_t low = address[0], high = address[0], bits = address[0];
  for (int i = 1; i < laneCount; ++i) {
    low = std::min(low, address[i]);
    high = std::max(high, address[i]);
    bits |= address[i];
  }
  return {low, high, bits};
}

inline bool isContiguous(const Warp &warp, const uint64_t *address,
                         uint32_t bytes) {
  if (warp.exec != allLanes)
    return false;
  uint64_t differs = 0;
  for (int i = 0; i < laneCount; ++i)
    differs |= address[i] ^ (address[0] + uint64_t(i) * bytes);
  return differs == 0;
}

[[noreturn, gnu::noinline]] void misaligned(const Op *op, const Warp &warp,
                                            const uint64_t *address,
                                            uint32_t bytes) {
  uint32_t lane = 0;
  while (!(warp.exec >> lane & 1) || !(address[lane] & (bytes - 1)))
    ++lane;
  fault(FaultKind::misaligned, warp, lane, op,
        "the address " + hex(address[lane]) + " is not aligned to " +
            std::to_string(bytes) + " bytes");
}

/// Lanes that fall into different allocations, or outside of all.
[[gnu::noinline]] void scatteredTargets(const Op *op, Warp &warp,
                                        const uint64_t *address, uint32_t bytes,
                                        Access access, Targets &targets) {
  const DeviceMemory &memory = *warp.launch->memory;
  for (uint32_t lane = 0; lane < uint32_t(laneCount); ++lane) {
    Allocation range = memory.range(address[lane]);
    uint64_t offset = address[lane] - range.base;
    if (!range.size || offset >= range.size || range.size - offset < bytes)
      fault(FaultKind::address, warp, lane, op,
            verb(access) + memory.explain(address[lane], bytes));
    if (range.readOnly && access != Access::read)
      fault(FaultKind::address, warp, lane, op,
            std::string(verb(access)) + "constant memory at " +
                hex(address[lane]));
    targets.host[lane] =
        reinterpret_cast<uint8_t *>(address[lane] + uint64_t(range.delta));
  }
}

/// An address that is no memory at all is reported as that.
[[noreturn, gnu::noinline]] void misalignedGlobal(const Op *op, Warp &warp,
                                                  const uint64_t *address,
                                                  uint32_t bytes,
                                                  Access access) {
  for (uint32_t lane = 0; lane < uint32_t(laneCount); ++lane)
    if (!warp.launch->memory->range(address[lane]).size)
      fault(FaultKind::address, warp, lane, op,
            verb(access) + warp.launch->memory->explain(address[lane], bytes));
  misaligned(op, warp, address, bytes);
}

[[gnu::noinline]] void noteGlobal(const Op *op, Warp &warp,
                                  const uint64_t *address, uint32_t bytes,
                                  Access access) {
  for (uint32_t lane = 0; lane < uint32_t(laneCount); ++lane) {
    if (!(warp.exec >> lane & 1))
      continue;
    uint64_t otherBlock = 0;
    uint32_t otherLine = 0;
    const char *what = warp.launch->globalRaces->access(
        address[lane], bytes, warp.block->number, access, op->line, otherBlock,
        otherLine);
    if (what && warp.launch->isFull())
      ++warp.launch->findingCount;
    else if (what)
      warp.launch->finding(describe(
          warp, lane, op->line,
          "race between blocks (" + std::string(what) + ") at global address " +
              hex(address[lane]) + "; the other side is block " +
              std::to_string(otherBlock) + " at PTX line " +
              std::to_string(otherLine)));
  }
}

} // namespace

void globalTargets(const Op *op, Warp &warp, const uint64_t *address,
                   uint32_t bytes, Access access, Targets &targets) {
  Extent extent = extentOf(address);
  if (extent.bits & (bytes - 1)) [[unlikely]]
    misalignedGlobal(op, warp, address, bytes, access);
  Launch::Range &range = warp.launch->ranges[op->cache];
  if (extent.low < range.low || extent.high + bytes > range.high ||
      (range.readOnly && access != Access::read)) [[unlikely]] {
    Allocation found = warp.launch->memory->range(extent.low);
    range = {found.base, found.base + found.size, found.delta, found.readOnly};
    if (extent.low < range.low || extent.high + bytes > range.high ||
        (range.readOnly && access != Access::read)) {
      scatteredTargets(op, warp, address, bytes, access, targets);
      if (warp.launch->globalRaces)
        noteGlobal(op, warp, address, bytes, access);
      return;
    }
  }
  auto delta = uint64_t(range.delta);
  targets.contiguous = isContiguous(warp, address, bytes);
  PTX_FOR_LANES(i, laneCount)
  targets.host[i] = reinterpret_cast<uint8_t *>(address[i] + delta);
  if (warp.launch->globalRaces) [[unlikely]]
    noteGlobal(op, warp, address, bytes, access);
}

void sharedTargets(const Op *op, Warp &warp, const uint64_t *address,
                   uint32_t bytes, Access access, Targets &targets) {
  Block &block = *warp.block;
  Extent extent = extentOf(address);
  if (extent.bits & (bytes - 1)) [[unlikely]]
    misaligned(op, warp, address, bytes);
  if (extent.low < sharedFirst || extent.high + bytes > block.sharedBytes ||
      extent.high > block.sharedBytes) [[unlikely]] {
    uint32_t lane = 0;
    while (address[lane] >= sharedFirst &&
           address[lane] + bytes <= block.sharedBytes &&
           address[lane] <= block.sharedBytes)
      ++lane;
    fault(FaultKind::address, warp, lane, op,
          verb(access) + std::to_string(bytes) + " bytes at shared address " +
              std::to_string(int64_t(address[lane])) +
              ": the block has shared memory from " +
              std::to_string(sharedFirst) + " to " +
              std::to_string(block.sharedBytes));
  }
  if (block.shadow)
    block.shadow->accessAll(warp, address, bytes, access, op->line);
  uint8_t *base = block.sharedBase;
  targets.contiguous = isContiguous(warp, address, bytes);
  PTX_FOR_LANES(i, laneCount)
  targets.host[i] = base + address[i];
}

void localTargets(const Op *op, Warp &warp, const uint64_t *address,
                  uint32_t bytes, Targets &targets) {
  Extent extent = extentOf(address);
  uint64_t stride = warp.launch->localStride;
  if (extent.bits & (bytes - 1)) [[unlikely]]
    misaligned(op, warp, address, bytes);
  if (extent.high + bytes > stride || extent.high > stride) [[unlikely]] {
    uint32_t lane = 0;
    while (address[lane] + bytes <= stride && address[lane] <= stride)
      ++lane;
    fault(FaultKind::address, warp, lane, op,
          std::to_string(bytes) + " bytes at local address " +
              std::to_string(int64_t(address[lane])) + ": the thread has " +
              std::to_string(stride) + " bytes of local memory");
  }
  for (int i = 0; i < laneCount; ++i) {
    bool runs = warp.exec >> i & 1;
    int lane = runs ? i : std::countr_zero(warp.exec);
    targets.host[i] = warp.local + uint64_t(lane) * stride + address[i];
  }
}

void paramTargets(const Op *op, Warp &warp, const uint64_t *address,
                  uint32_t bytes, Targets &targets) {
  Frame &frame = *warp.frame;
  for (uint32_t i = 0; i < uint32_t(laneCount); ++i) {
    bool runs = warp.exec >> i & 1;
    uint32_t lane = runs ? i : uint32_t(std::countr_zero(warp.exec));
    uint64_t offset = address[i] - DeviceMemory::laneParamWindow;
    if (offset + bytes <= frame.code->laneParamBytes &&
        offset < frame.code->laneParamBytes) {
      targets.host[i] =
          frame.params.data() + lane * frame.code->laneParamBytes + offset;
      continue;
    }
    auto &params = warp.launch->request.params;
    offset = address[i] - DeviceMemory::paramWindow;
    if (offset >= params.size() || offset + bytes > params.size())
      fault(FaultKind::address, warp, lane, op,
            std::to_string(bytes) + " bytes at " + hex(address[i]) +
                " are no part of the parameters");
    targets.host[i] = params.data() + offset;
  }
}

namespace {

uint64_t windowBase(uint64_t address) {
  return address < DeviceMemory::firstAddress
             ? address / DeviceMemory::windowSize * DeviceMemory::windowSize
             : 0;
}

/// All lanes in one window.
void windowTargets(uint64_t window, const Op *op, Warp &warp,
                   const uint64_t *address, uint32_t bytes, Access access,
                   Targets &targets) {
  alignas(64) uint64_t inside[laneCount];
  for (int i = 0; i < laneCount; ++i)
    inside[i] = address[i] - window;
  if (window == DeviceMemory::sharedWindow)
    sharedTargets(op, warp, inside, bytes, access, targets);
  else if (window == DeviceMemory::localWindow)
    localTargets(op, warp, inside, bytes, targets);
  else if (window == DeviceMemory::paramWindow && access == Access::read)
    paramTargets(op, warp, address, bytes, targets);
  else
    globalTargets(op, warp, address, bytes, access, targets);
}

} // namespace

void genericTargets(const Op *op, Warp &warp, const uint64_t *address,
                    uint32_t bytes, Access access, Targets &targets) {
  Extent extent = extentOf(address);
  uint64_t window = windowBase(extent.low);
  if (window == windowBase(extent.high))
    return windowTargets(window, op, warp, address, bytes, access, targets);
  // Different spaces: lane by lane.
  uint32_t exec = warp.exec;
  Targets one;
  for (uint32_t lanes = exec; lanes; lanes &= lanes - 1) {
    int lane = std::countr_zero(lanes);
    uint64_t same[laneCount];
    std::fill(same, same + laneCount, address[lane]);
    warp.exec = 1u << lane;
    windowTargets(windowBase(address[lane]), op, warp, same, bytes, access,
                  one);
    targets.host[lane] = one.host[lane];
  }
  warp.exec = exec;
  for (int i = 0; i < laneCount; ++i)
    if (!(exec >> i & 1))
      targets.host[i] = targets.host[std::countr_zero(exec)];
}

Space spaceOf(const Decoder &d) {
  if (d.hasPrefix(".shared"))
    return Space::shared;
  if (d.has(".global"))
    return Space::global;
  if (d.has(".local"))
    return Space::local;
  if (d.has(".const"))
    return Space::constant;
  if (d.hasPrefix(".param"))
    return Space::param;
  return Space::generic;
}

void setAddress(Decoder &d, Op &op, const AddressOperand &address) {
  op.a = address.slot;
  op.b = address.wide;
  op.imm = address.offset;
  op.cache = d.nextCache();
}

} // namespace ptxemu
