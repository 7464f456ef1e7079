// Initial values by scheme: see Initialization.h. Compiled with
// -ffp-contract=off, like NormalDeviates.cpp.
#include "runtime/Parameters/Initialization.h"
#include "runtime/Parameters/Schemes.h"

#include "blocks/Error.h"
#include "blocks/Philox.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace blocks {

namespace {
/// Sets element i to valueOf(its 32 random bits).
template <typename Function>
void fillRandom(Array &array, const StateSpec &spec, uint64_t seed,
                Function valueOf) {
  uint32_t site = siteHash(spec.path.data(), spec.path.size());
  int64_t n = array.size();
  for (int64_t i = 0; i < n; i += 4) {
    PhiloxWords words = philox4x32({uint32_t(i / 4), 0, 0, site}, seed);
    for (int64_t lane = 0; lane < std::min<int64_t>(4, n - i); ++lane)
      store(array, i + lane, valueOf(words[size_t(lane)]));
  }
}

void fillNormal(Array &array, const StateSpec &spec, uint64_t seed, double mean,
                double std) {
  fillRandom(array, spec, seed, [=](uint32_t bits) {
    return mean + std * normalQuantile(philoxProbability(bits));
  });
}

void fillUniform(Array &array, const StateSpec &spec, uint64_t seed,
                 double mean, double width) {
  fillRandom(array, spec, seed, [=](uint32_t bits) {
    return mean + width * (double(philoxUniform(bits)) - 0.5);
  });
}

struct Fans {
  double in, out;
};

Fans fansOf(const StateSpec &spec) {
  const Shape &s = spec.shape;
  if (s.size() == 2)
    return {double(s[0]), double(s[1])};
  if (s.size() == 4)
    return {double(s[1] * s[2] * s[3]), double(s[0] * s[2] * s[3])};
  fail(spec, "it needs a matrix (in, out) or filters (out, in, height, width)");
}

void fillByFans(Array &array, const StateSpec &spec, uint64_t seed) {
  Values values(spec, {"gain"});
  Fans fans = fansOf(spec);
  const std::string &kind = spec.initializer.kind;
  bool glorot = kind.starts_with("glorot");
  // Glorot averages both fans, He looks at the incoming one.
  double variance = glorot ? 2 / (fans.in + fans.out) : 2 / fans.in;
  double gain = values.get("gain", 1);
  if (kind.ends_with("normal"))
    fillNormal(array, spec, seed, 0, gain * std::sqrt(variance));
  else
    fillUniform(array, spec, seed, 0, 2 * gain * std::sqrt(3 * variance));
}

void fillConstant(Array &array, double value) {
  for (int64_t i = 0, n = array.size(); i < n; ++i)
    store(array, i, value);
}

void fillUniformScheme(Array &array, const StateSpec &spec, uint64_t seed) {
  Values values(spec, {"mean", "width", "std"});
  if (values.has("width") == values.has("std"))
    fail(spec, "it needs either 'width' or 'std'");
  double width = values.has("width") ? values.get("width", 0)
                                     : values.get("std", 0) * std::sqrt(12.0);
  fillUniform(array, spec, seed, values.get("mean", 0), width);
}

void fillIdentity(Array &array, const StateSpec &spec) {
  Values values(spec, {"mult"});
  if (spec.shape.size() != 2)
    fail(spec, "it needs a matrix");
  fillConstant(array, 0);
  for (int64_t i = 0; i < std::min(spec.shape[0], spec.shape[1]); ++i)
    store(array, i * spec.shape[1] + i, values.get("mult", 1));
}

void fillSeed(Array &array, const StateSpec &spec, uint64_t seed) {
  if (spec.dtype != DType::Int64 || array.size() != 1)
    fail(spec, "the seed needs one i64");
  std::memcpy(array.data(), &seed, sizeof(seed));
}
} // namespace

Array makeInitialArray(const StateSpec &spec, uint64_t seed) {
  for (int64_t extent : spec.shape)
    if (extent < 0)
      fail(spec, "the shape of a state must be known");
  Array array(spec.dtype, spec.shape);
  const std::string &kind = spec.initializer.kind;
  if (kind == "constant") {
    fillConstant(array, Values(spec, {"value"}).get("value", 0));
  } else if (kind == "constant_array") {
    fillArray(array, spec);
  } else if (kind == "seed") {
    fillSeed(array, spec, seed);
  } else if (kind == "isotropic_gaussian") {
    Values values(spec, {"std", "mean"});
    fillNormal(array, spec, seed, values.get("mean", 0), values.get("std", 1));
  } else if (kind == "uniform") {
    fillUniformScheme(array, spec, seed);
  } else if (kind == "identity") {
    fillIdentity(array, spec);
  } else if (kind == "glorot_uniform" || kind == "glorot_normal" ||
             kind == "he_normal" || kind == "he_uniform") {
    fillByFans(array, spec, seed);
  } else if (kind == "orthogonal") {
    fillOrthogonal(array, spec, seed);
  } else if (kind == "sparse" || kind == "sparse_nd") {
    fillSparse(array, spec, seed);
  } else if (kind == "permutation_matrix") {
    fillPermutation(array, spec, seed);
  } else if (kind == "gates") {
    fillGates(array, spec, seed);
  } else {
    fail(spec, "there is no such scheme; known are constant, constant_array, "
               "seed, isotropic_gaussian, uniform, identity, glorot_uniform, "
               "glorot_normal, he_normal, he_uniform, orthogonal, sparse, "
               "sparse_nd, permutation_matrix and gates");
  }
  return array;
}

} // namespace blocks
