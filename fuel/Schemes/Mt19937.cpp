// Mt19937: see include/fuel/Mt19937.h.
#include "fuel/Mt19937.h"

#include "blocks/Error.h"

#include <bit>

namespace fuel {

Mt19937::Mt19937(uint64_t seed) : position(words) {
  key[0] = uint32_t(seed);
  for (size_t i = 1; i < words; ++i)
    key[i] = 1812433253u * (key[i - 1] ^ (key[i - 1] >> 30)) + uint32_t(i);
}

void Mt19937::refill() {
  constexpr size_t middle = 397;
  auto twist = [](uint32_t high, uint32_t low) {
    uint32_t mixed = (high & 0x80000000u) | (low & 0x7fffffffu);
    return (mixed >> 1) ^ (low & 1 ? 0x9908b0dfu : 0u);
  };
  for (size_t i = 0; i < words - middle; ++i)
    key[i] = key[i + middle] ^ twist(key[i], key[i + 1]);
  for (size_t i = words - middle; i < words - 1; ++i)
    key[i] = key[i + middle - words] ^ twist(key[i], key[i + 1]);
  key[words - 1] = key[middle - 1] ^ twist(key[words - 1], key[0]);
  position = 0;
}

uint32_t Mt19937::next() {
  if (position == words)
    refill();
  ++draws;
  uint32_t y = key[position++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  return y ^ (y >> 18);
}

uint64_t Mt19937::interval(uint64_t max) {
  if (max == 0)
    return 0;
  uint64_t mask = ~uint64_t(0) >> std::countl_zero(max);
  uint64_t value;
  if (max <= UINT32_MAX) {
    do
      value = next() & mask;
    while (value > max);
    return value;
  }
  do {
    uint64_t high = next();
    value = (high << 32 | next()) & mask;
  } while (value > max);
  return value;
}

double Mt19937::randomSample() {
  uint32_t a = next() >> 5, b = next() >> 6;
  return (a * 67108864.0 + b) / 9007199254740992.0;
}

static void appendHex(std::string &text, uint32_t word) {
  for (int shift = 28; shift >= 0; shift -= 4)
    text += "0123456789abcdef"[(word >> shift) & 15];
}

std::string Mt19937::state() const {
  std::string text;
  text.reserve(8 * (words + 1));
  appendHex(text, uint32_t(position));
  for (uint32_t word : key)
    appendHex(text, word);
  return text;
}

void Mt19937::restore(const std::string &state) {
  bool valid = state.size() == 8 * (words + 1) &&
               state.find_first_not_of("0123456789abcdef") == std::string::npos;
  auto word = [&](size_t i) {
    return uint32_t(std::stoul(state.substr(8 * i, 8), nullptr, 16));
  };
  if (!valid || word(0) > words)
    throw blocks::InputError(
        "the saved state of the shuffle is damaged: it is not that of a "
        "Mersenne Twister");
  position = word(0);
  for (size_t i = 0; i < words; ++i)
    key[i] = word(i + 1);
}

} // namespace fuel
