// CpuInfo: what this processor can do, found at run time. The level decides
// which matrix product runs and is part of the object cache's key and of the
// manifest; the number of usable processors is the default number of threads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace blocks {

/// The levels of the x86-64 ABI that code here is made for.
enum class CpuLevel { V2 = 2, V3 = 3, V4 = 4 };

struct CpuInfo {
  CpuLevel level = CpuLevel::V2;
  /// Beyond the level, in LLVM's spelling and a fixed order: "amx-tile" …
  /// Only what the operating system lets programs use.
  std::vector<std::string> features;
  /// "x86-64-v3", "x86-64-v4", "x86-64-v4+amx".
  std::string name;
  /// Processors that this process may run on.
  int usableCpus = 1;
};

/// Asks the processor and the operating system.
CpuInfo detectCpu();

/// "x86-64-v3": the level alone.
std::string levelName(CpuLevel level);

/// Whether code made for the level `made` ("x86-64-v4+amx") runs on `cpu`.
/// False for a name that is no level.
bool runsOn(std::string_view made, const CpuInfo &cpu);

} // namespace blocks
