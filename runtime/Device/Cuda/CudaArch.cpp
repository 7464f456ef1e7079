// Names of architectures: see CudaArch.h.
#include "runtime/Device/Cuda/CudaArch.h"

#include "blocks/Error.h"

namespace blocks::cuda {

namespace {
constexpr int numbers[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
} // namespace

std::string archName(int number) { return "sm_" + std::to_string(number); }

std::string knownArchs() {
  std::string list;
  for (int number : numbers)
    list += (list.empty() ? "" : ", ") + archName(number);
  return list;
}

int parseArch(const std::string &name) {
  for (int number : numbers)
    if (name == archName(number))
      return number;
  throw UsageError("'" + name + "' is no GPU architecture; known are " +
                   knownArchs());
}

int archForCapability(int capability) {
  int best = 0;
  for (int number : numbers)
    if (number <= capability)
      best = number;
  return best;
}

} // namespace blocks::cuda
