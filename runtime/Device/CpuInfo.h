// CpuInfo: what this processor can do, found at run time. The level decides
// which matrix product runs and is part of the object cache's key and of the
// manifest; the number of usable processors is the default number of threads.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace blocks {

/// The levels of the x86-64 ABI that code here is made for; each includes those
/// before.
enum class CpuLevel { V2 = 2, V3 = 3, V4 = 4 };

struct CpuInfo {
  CpuLevel level = CpuLevel::V2;
  /// Processors that this process may run on.
  int usableCpus = 1;
};

/// Asks the processor and the operating system.
CpuInfo detectCpu();

/// "x86-64-v2", "x86-64-v3", "x86-64-v4".
std::string levelName(CpuLevel level);

/// The level of such a name.
std::optional<CpuLevel> parseLevel(std::string_view name);

} // namespace blocks
