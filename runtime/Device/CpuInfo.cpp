// Asks the processor: see CpuInfo.h. The levels come from the compiler's
// run-time support, which also checks that the system saves the registers.
#include "runtime/Device/CpuInfo.h"

#include <sched.h>
#include <thread>

namespace blocks {

namespace {

CpuLevel detectLevel() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4"))
    return CpuLevel::V4;
  if (__builtin_cpu_supports("x86-64-v3"))
    return CpuLevel::V3;
  return CpuLevel::V2;
}

int countUsableCpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return CPU_COUNT(&set);
  // More processors than the set has room for.
  unsigned count = std::thread::hardware_concurrency();
  return count ? int(count) : 1;
}

struct NamedLevel {
  CpuLevel level;
  const char *name;
};
constexpr NamedLevel levels[] = {{CpuLevel::V2, "x86-64-v2"},
                                 {CpuLevel::V3, "x86-64-v3"},
                                 {CpuLevel::V4, "x86-64-v4"}};

} // namespace

std::string levelName(CpuLevel level) {
  for (const NamedLevel &named : levels)
    if (named.level == level)
      return named.name;
  return {};
}

std::optional<CpuLevel> parseLevel(std::string_view name) {
  for (const NamedLevel &named : levels)
    if (named.name == name)
      return named.level;
  return std::nullopt;
}

CpuInfo detectCpu() { return {detectLevel(), countUsableCpus()}; }

} // namespace blocks
