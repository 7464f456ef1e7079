//===- Random.cpp - Deviates from the counter-based generator -------------===//
//
// Element e is a function of (seed, site, step, loop index, e) alone; the bits
// are those of include/blocks/Philox.h.
//
//===----------------------------------------------------------------------===//
#include "lib/Reference/Ops.h"

#include "blocks/Philox.h"
#include "runtime/Parameters/Initialization.h"

using namespace mlir;

namespace blocks::reference {

Tensor random(RandomKind kind, const RandomPlace &place,
              ArrayRef<int64_t> shape, Type elementType) {
  Tensor result(elementType, shape);
  for (int64_t e = 0; e < result.size(); ++e) {
    uint32_t bits = philoxBits(place.seed, place.site, place.step,
                               place.loopIndex, uint64_t(e));
    result.setReal(e, kind == RandomKind::Uniform
                          ? double(philoxUniform(bits))
                          : normalQuantile(philoxProbability(bits)));
  }
  return result;
}

} // namespace blocks::reference
