// Asks the processor: see CpuInfo.h. The levels come from the compiler's
// run-time support, which also checks that the system saves the registers;
// what it does not know is read from CPUID here.
#include "runtime/Device/CpuInfo.h"

#include <cpuid.h>
#include <cstdint>
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

struct CpuidResult {
  unsigned a = 0, b = 0, c = 0, d = 0;
};
CpuidResult askCpuid(unsigned leaf, unsigned subleaf) {
  CpuidResult r;
  if (!__get_cpuid_count(leaf, subleaf, &r.a, &r.b, &r.c, &r.d))
    return {};
  return r;
}

bool bit(unsigned word, int index) { return word >> index & 1; }

/// The register sets that the operating system saves (XCR0).
uint64_t savedRegisters() {
  if (!bit(askCpuid(1, 0).c, 27)) // OSXSAVE
    return 0;
  uint32_t low, high;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t(high) << 32 | low;
}

std::vector<std::string> detectFeatures(CpuLevel level) {
  CpuidResult seven = askCpuid(7, 0), sevenOne = askCpuid(7, 1);
  constexpr uint64_t tileRegisters = uint64_t(3) << 17;
  bool tiles = (savedRegisters() & tileRegisters) == tileRegisters;
  bool wide = level >= CpuLevel::V4, vectors = level >= CpuLevel::V3;
  struct Row {
    bool present;
    const char *name;
  };
  const Row rows[] = {
      {tiles && bit(seven.d, 22), "amx-bf16"},
      {tiles && bit(seven.d, 25), "amx-int8"},
      {tiles && bit(seven.d, 24), "amx-tile"},
      {vectors && bit(sevenOne.a, 4), "avxvnni"},
      {wide && bit(sevenOne.a, 5), "avx512bf16"},
      {wide && bit(seven.d, 23), "avx512fp16"},
      {wide && bit(seven.c, 1), "avx512vbmi"},
      {wide && bit(seven.c, 11), "avx512vnni"},
  };
  std::vector<std::string> features;
  for (const Row &row : rows)
    if (row.present)
      features.push_back(row.name);
  return features;
}

int countUsableCpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return CPU_COUNT(&set);
  // More processors than the set has room for.
  unsigned count = std::thread::hardware_concurrency();
  return count ? int(count) : 1;
}

} // namespace

std::string levelName(CpuLevel level) {
  return "x86-64-v" + std::to_string(int(level));
}

CpuInfo detectCpu() {
  CpuInfo cpu;
  cpu.level = detectLevel();
  cpu.features = detectFeatures(cpu.level);
  cpu.name = levelName(cpu.level);
  for (const std::string &feature : cpu.features)
    if (feature == "amx-tile")
      cpu.name += "+amx";
  cpu.usableCpus = countUsableCpus();
  return cpu;
}

bool runsOn(std::string_view made, const CpuInfo &cpu) {
  constexpr std::string_view prefix = "x86-64-v", amx = "+amx";
  if (made.substr(0, prefix.size()) != prefix)
    return false;
  made.remove_prefix(prefix.size());
  if (made.empty() || made[0] < '1' || made[0] > '0' + int(cpu.level))
    return false;
  made.remove_prefix(1);
  return made.empty() || (made == amx && cpu.name.ends_with(amx));
}

} // namespace blocks
