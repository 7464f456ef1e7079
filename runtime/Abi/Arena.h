// Arena: the scratch memory of a step, one mapped block that lives as long as
// the program and is replaced only when a larger plan comes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace blocks {

class Arena {
public:
  Arena() = default;
  ~Arena() { release(); }
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  /// At least `bytes`, aligned to 64 bytes, with unspecified contents; null if
  /// the system has not that much or `bytes` is negative.
  std::byte *reserve(int64_t bytes);
  /// What the last `reserve` asked for.
  int64_t requested() const { return lastRequest; }
  /// The largest request that was met.
  int64_t largestRequest() const { return largest; }

private:
  void grow(size_t bytes);
  void release();

  std::byte *block = nullptr;
  size_t length = 0;
  int64_t lastRequest = 0, largest = 0;
};

} // namespace blocks
