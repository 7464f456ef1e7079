// See CpuTarget.h.
#include "lib/JIT/CpuTarget.h"

#include <algorithm>
#include <llvm/ADT/StringMap.h>
#include <llvm/TargetParser/Host.h>
#include <vector>

namespace blocks {

/// LLVM's models of AVX-512 processors prefer 256 bits, from times when wide
/// registers lowered the clock; sweeps over memory are faster with 512.
static constexpr const char *kWideVectors = "-prefer-256-bit";

static CpuTarget findHost() {
  CpuTarget target;
  target.level = "native";
  target.processor = llvm::sys::getHostCPUName().str();
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  std::vector<std::string> flags;
  for (const auto &feature : features)
    flags.push_back((feature.second ? "+" : "-") + feature.first().str());
  // The map's order differs between runs; a cache's key must not.
  std::sort(flags.begin(), flags.end());
  if (features.lookup("avx512f"))
    flags.push_back(kWideVectors);
  for (const std::string &flag : flags)
    target.features += (target.features.empty() ? "" : ",") + flag;
  target.hasFma = features.lookup("fma");
  target.hasHalf = features.lookup("f16c");
  return target;
}

llvm::Expected<CpuTarget> findCpuTarget(llvm::StringRef level) {
  if (level == "native")
    return findHost();
  if (level == "x86-64-v2")
    return CpuTarget{level.str(), level.str(), "", false, false};
  if (level == "x86-64-v3")
    return CpuTarget{level.str(), level.str(), "", true, true};
  if (level == "x86-64-v4")
    return CpuTarget{level.str(), level.str(), kWideVectors, true, true};
  return llvm::createStringError(
      "unknown CPU level '" + level +
      "'; use native, x86-64-v2, x86-64-v3 or x86-64-v4");
}

} // namespace blocks
