// Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as
// 1, 2, 3"): the one generator of masks, noise and initial values. Counter
// words: element / 4, combined loop index, step, site; lane = element mod 4;
// key = the 64-bit seed. The compiled code, the reference interpreter and the
// initializers all follow this file.
#pragma once

#include <array>
#include <cstdint>

namespace blocks {

using PhiloxWords = std::array<uint32_t, 4>;

constexpr PhiloxWords philox4x32(PhiloxWords counter, uint64_t key) {
  uint32_t k0 = uint32_t(key), k1 = uint32_t(key >> 32);
  for (int round = 0; round < 10; ++round) {
    uint64_t p0 = uint64_t(0xD2511F53u) * counter[0];
    uint64_t p1 = uint64_t(0xCD9E8D57u) * counter[2];
    counter = {uint32_t(p1 >> 32) ^ counter[1] ^ k0, uint32_t(p1),
               uint32_t(p0 >> 32) ^ counter[3] ^ k1, uint32_t(p0)};
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return counter;
}

/// The 32 random bits of one element.
constexpr uint32_t philoxBits(uint64_t seed, uint32_t site, uint32_t step,
                              uint32_t loopIndex, uint64_t element) {
  return philox4x32({uint32_t(element / 4), loopIndex, step, site},
                    seed)[element % 4];
}

/// A uniform deviate in [0, 1), a multiple of 2^-24: exact in f32 and f64.
constexpr float philoxUniform(uint32_t bits) {
  return float(bits >> 8) * 0x1p-24f;
}

/// The probability, in (0, 1), whose quantile under the standard normal
/// distribution (AS 241) is an element's normal deviate: the middle of one of
/// 2^32 equal cells, so that neither 0 nor 1 occurs.
constexpr double philoxProbability(uint32_t bits) {
  return (double(bits) + 0.5) * 0x1p-32;
}

/// The combined loop index of nested loops, from the outside in: start with 0
/// and add each position. The index of a single loop is its position.
constexpr uint32_t philoxLoopIndex(uint32_t outer, uint64_t position) {
  return outer * 65536u + uint32_t(position);
}

/// FNV-1a, 32 bits, of a site's or parameter's path.
constexpr uint32_t siteHash(const char *data, uint64_t size) {
  uint32_t hash = 0x811C9DC5u;
  for (uint64_t i = 0; i < size; ++i)
    hash = (hash ^ uint8_t(data[i])) * 0x01000193u;
  return hash;
}

} // namespace blocks
