// See GpuTarget.h.
#include "lib/JIT/GpuTarget.h"

namespace blocks {

namespace {
struct Known {
  const char *architecture, *features;
};
} // namespace

static constexpr Known kKnown[] = {
    {"sm_75", "+ptx63"},  {"sm_80", "+ptx70"},  {"sm_86", "+ptx71"},
    {"sm_87", "+ptx74"},  {"sm_89", "+ptx78"},  {"sm_90", "+ptx78"},
    {"sm_100", "+ptx86"}, {"sm_103", "+ptx88"}, {"sm_110", "+ptx90"},
    {"sm_120", "+ptx87"}, {"sm_121", "+ptx88"}};

llvm::Expected<GpuTarget> findGpuTarget(llvm::StringRef architecture) {
  std::string names;
  for (const Known &known : kKnown) {
    if (architecture == known.architecture)
      return GpuTarget{known.architecture, known.features};
    names += (names.empty() ? "" : ", ") + std::string(known.architecture);
  }
  return llvm::createStringError("unknown GPU architecture '" + architecture +
                                 "'; use one of " + names);
}

} // namespace blocks
