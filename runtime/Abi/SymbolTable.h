// The names that compiled code may refer to. The loader binds these and no
// others: an object cannot reach into the rest of the process.
#pragma once

#include <span>
#include <string_view>

namespace blocks {

struct RuntimeSymbol {
  std::string_view name;
  void *address;
};

/// blocks_rt_*, memcpy, memmove, memset.
std::span<const RuntimeSymbol> runtimeSymbols();

} // namespace blocks
