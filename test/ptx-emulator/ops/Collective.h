// Instructions that lanes of a warp execute together (shfl, vote, match,
// redux, bar.warp): the lanes named in the member mask must all be there.
#pragma once

#include "../decode/Decoder.h"
#include "../machine/Fault.h"
#include "Lanes.h"

#include <bit>

namespace ptxemu {

/// Checks the member mask in slot `maskSlot`. True: all lanes are here. False:
/// the handler returns `next`, other lanes running until the missing ones come.
inline bool gather(const Op *op, Warp &warp, uint32_t maskSlot,
                   const Op *&next) {
  const auto *mask = slot<uint32_t>(warp, maskSlot);
  uint32_t needed = 0;
  for (uint32_t lanes = warp.exec; lanes; lanes &= lanes - 1) {
    auto lane = uint32_t(std::countr_zero(lanes));
    if (!(mask[lane] >> lane & 1))
      fault(FaultKind::other, warp, lane, op,
            "lane " + std::to_string(lane) +
                " executes this without being in its own member mask " +
                hex(mask[lane]));
    needed |= mask[lane];
  }
  if (!(needed & warp.alive & ~warp.exec))
    return true;
  if (uint32_t others = warp.active & ~warp.exec)
    warp.fork(others, op + 1);
  next = warp.suspend(op, Fragment::atCollective);
  return false;
}

} // namespace ptxemu
