// HoldingLayer: see HeldBatch.h.
#include "fuel/Transformers/HeldBatch.h"

#include "blocks/Error.h"

namespace fuel {

bool HoldingLayer::refill() {
  if (!held.refill(*inner))
    return false;
  held.parts = countParts();
  return true;
}

void HoldingLayer::loadPosition(PositionReader &reader) {
  int64_t used = held.loadPosition(*inner, reader);
  if (used == 0)
    return;
  if (!refill() || used >= held.parts)
    throw blocks::InputError(
        "the saved state is at part " + std::to_string(used) +
        " of a batch, but that batch has only " + std::to_string(held.parts) +
        ": it belongs to other data");
  held.used = used;
}

} // namespace fuel
