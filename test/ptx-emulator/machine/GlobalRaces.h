// Races between blocks of one launch in global memory, an option: a byte that
// one block writes and another block reads or writes, not by atomics. Kernels
// that hand data from block to block through fences are reported too, wrongly:
// therefore an option.
#pragma once

#include "SharedShadow.h"

#include <unordered_map>

namespace ptxemu {

class GlobalRaces {
public:
  void startLaunch() { cells.clear(); }
  /// Null when the access is in order, else the sort of race, with the line of
  /// the other access in `otherLine` and its block in `otherBlock`.
  const char *access(uint64_t address, uint32_t bytes, uint64_t block,
                     Access kind, uint32_t line, uint64_t &otherBlock,
                     uint32_t &otherLine);

private:
  static constexpr uint64_t nobody = ~0ull, several = ~0ull - 1;
  struct Cell {
    uint64_t writer = nobody, reader = nobody;
    uint32_t writeLine = 0, readLine = 0;
    bool atomic = false;
  };
  std::unordered_map<uint64_t, Cell> cells;
};

} // namespace ptxemu
