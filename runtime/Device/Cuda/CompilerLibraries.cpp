// The tables of NVRTC and nvJitLink: see CompilerLibraries.h.
#include "runtime/Device/Cuda/CompilerLibraries.h"

namespace blocks::cuda {

namespace {
constexpr const char *nvrtcNames[] = {"libnvrtc.so.13", "libnvrtc.so.12",
                                      "libnvrtc.so.11.2"};
constexpr const char *linkNames[] = {"libnvJitLink.so.13",
                                     "libnvJitLink.so.12"};

template <typename Number>
std::string readVersion(int (*function)(Number *, Number *)) {
  Number major = 0, minor = 0;
  if (!function || function(&major, &minor) != 0)
    return "unknown version";
  return std::to_string(major) + "." + std::to_string(minor);
}
} // namespace

Nvrtc::Nvrtc() : file("NVRTC", "BLOCKS_CUDA_NVRTC", nvrtcNames) {
#define BLOCKS_NVRTC_FUNCTION(NAME, SYMBOL, PARAMETERS)                        \
  NAME = reinterpret_cast<decltype(NAME)>(file.find(#SYMBOL));
#include "runtime/Device/Cuda/Nvrtc.def"
#undef BLOCKS_NVRTC_FUNCTION
}

std::string Nvrtc::version() const { return readVersion(getVersion); }

int Nvrtc::versionNumber() const {
  int major = 0, minor = 0;
  return usable() && getVersion(&major, &minor) == 0 ? major * 1000 + minor * 10
                                                     : 0;
}

std::vector<int> Nvrtc::architectures() const {
  int count = 0;
  if (!usable() || getArchitectureCount(&count) != 0 || count < 0)
    return {};
  std::vector<int> numbers(static_cast<size_t>(count));
  if (getArchitectures(numbers.data()) != 0)
    return {};
  return numbers;
}

NvJitLink::NvJitLink() : file("nvJitLink", "BLOCKS_CUDA_NVJITLINK", linkNames) {
#define BLOCKS_NVJITLINK_FUNCTION(NAME, SYMBOL, PARAMETERS)                    \
  NAME = reinterpret_cast<decltype(NAME)>(file.find(#SYMBOL));
#include "runtime/Device/Cuda/NvJitLink.def"
#undef BLOCKS_NVJITLINK_FUNCTION
}

std::string NvJitLink::version() const { return readVersion(getVersion); }

int NvJitLink::versionNumber() const {
  unsigned major = 0, minor = 0;
  bool known = usable() && getVersion(&major, &minor) == 0;
  return known ? int(major * 1000 + minor * 10) : 0;
}

} // namespace blocks::cuda
