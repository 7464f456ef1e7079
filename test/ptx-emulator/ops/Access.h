// Memory accesses of a warp: from the addresses in a register to host pointers,
// one a lane, after the checks of bounds, alignment and races.
#pragma once

#include "../decode/Decoder.h"
#include "../machine/Fault.h"
#include "../machine/Launch.h"
#include "Lanes.h"

#include <bit>

namespace ptxemu {

/// Where shared memory starts: a null pointer is recognised.
constexpr uint32_t sharedFirst = 1024;

struct Targets {
  /// One pointer a lane; lanes that do not run point where a running one does.
  alignas(64) uint8_t *host[laneCount];
  /// All 32 lanes run and follow one another without gaps.
  bool contiguous = false;
};

/// The addresses of an op: register op->a (64-bit when op->b) plus op->imm.
/// Lanes that do not run get the address of the first that does.
inline void readAddresses(const Op *op, const Warp &warp, uint64_t *out) {
  auto offset = uint64_t(op->imm);
  if (op->b) {
    const auto *a = slot<uint64_t>(warp, op->a);
    PTX_FOR_LANES(i, laneCount)
    out[i] = a[i] + offset;
  } else {
    const auto *a = slot<uint32_t>(warp, op->a);
    PTX_FOR_LANES(i, laneCount)
    out[i] = uint32_t(a[i] + offset);
  }
  if (warp.exec != allLanes) {
    uint64_t first = out[std::countr_zero(warp.exec)];
    uint32_t exec = warp.exec;
    PTX_FOR_LANES(i, laneCount)
    out[i] = exec >> i & 1 ? out[i] : first;
  }
}

/// Each takes the addresses of all lanes in its space and throws a Fault when
/// one of the running lanes may not touch `bytes` there.
void globalTargets(const Op *op, Warp &warp, const uint64_t *address,
                   uint32_t bytes, Access access, Targets &targets);
void sharedTargets(const Op *op, Warp &warp, const uint64_t *address,
                   uint32_t bytes, Access access, Targets &targets);
void localTargets(const Op *op, Warp &warp, const uint64_t *address,
                  uint32_t bytes, Targets &targets);
void paramTargets(const Op *op, Warp &warp, const uint64_t *address,
                  uint32_t bytes, Targets &targets);
void genericTargets(const Op *op, Warp &warp, const uint64_t *address,
                    uint32_t bytes, Access access, Targets &targets);

template <Space S>
inline void resolve(const Op *op, Warp &warp, uint32_t bytes, Access access,
                    Targets &targets) {
  alignas(64) uint64_t address[laneCount];
  readAddresses(op, warp, address);
  if constexpr (S == Space::shared)
    sharedTargets(op, warp, address, bytes, access, targets);
  else if constexpr (S == Space::local)
    localTargets(op, warp, address, bytes, targets);
  else if constexpr (S == Space::param)
    paramTargets(op, warp, address, bytes, targets);
  else if constexpr (S == Space::generic)
    genericTargets(op, warp, address, bytes, access, targets);
  else
    globalTargets(op, warp, address, bytes, access, targets);
}

/// The state space that an instruction names.
Space spaceOf(const Decoder &decoder);

/// Fills the address fields of an op: a, b, imm, cache.
void setAddress(Decoder &decoder, Op &op, const AddressOperand &address);

} // namespace ptxemu
