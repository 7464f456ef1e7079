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

/// For the processor: blocks_rt_* but those of devices, memcpy, memmove,
/// memset.
std::span<const RuntimeSymbol> runtimeSymbols();

/// For a GPU: what an entry on the host needs to hand out work. Of the
/// processor's own functions only those that look at no number.
std::span<const RuntimeSymbol> deviceSymbols();

} // namespace blocks
