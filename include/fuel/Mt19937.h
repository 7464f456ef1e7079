// Mt19937: the Mersenne Twister (Matsumoto & Nishimura 1998) with the draws of
// NumPy's RandomState, bit for bit, so that equal seeds visit equal batches in
// Python's Fuel and here.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fuel {

class Mt19937 {
public:
  /// Seeds by the low 32 bits of `seed`.
  explicit Mt19937(uint64_t seed);

  uint32_t next();
  /// Numbers of 32 bits drawn from this object since it was made.
  uint64_t drawn() const { return draws; }
  /// Draws `count` numbers and drops them.
  void discard(uint64_t count) {
    while (count-- > 0)
      next();
  }
  /// Uniform in [0, max], by masking and rejection. No draw if max is 0.
  uint64_t interval(uint64_t max);
  /// Uniform in [0, 1) with 53 bits.
  double randomSample();
  double uniform(double low, double high) {
    return low + (high - low) * randomSample();
  }
  /// Uniform in [low, high], both included.
  int64_t randomInteger(int64_t low, int64_t high) {
    return low + int64_t(interval(uint64_t(high) - uint64_t(low)));
  }
  template <typename T> void shuffle(std::vector<T> &values) {
    for (size_t i = values.size(); i-- > 1;)
      std::swap(values[i], values[interval(i)]);
  }

  /// 624 words and the position, as hexadecimal digits.
  std::string state() const;
  /// Throws InputError unless `state` is one.
  void restore(const std::string &state);

private:
  static constexpr size_t words = 624;
  void refill();
  std::array<uint32_t, words> key;
  size_t position;
  uint64_t draws = 0;
};

} // namespace fuel
