// CompilerLibraries: NVIDIA's compilers that work inside a process, where they
// are installed: NVRTC (CUDA C++ to PTX or machine code), which the user's
// kernels want (UserSource.h), and nvJitLink (PTX to machine code), by which a
// program's kernels become an image once and for all (LinkedImage.h); without
// it the driver translates their PTX.
#pragma once

#include "runtime/Device/Cuda/DynamicLibrary.h"

#include <cstdint>
#include <vector>

namespace blocks::cuda {

/// $BLOCKS_CUDA_NVRTC, else libnvrtc.so of CUDA 13, 12 and 11.2.
class Nvrtc {
public:
  Nvrtc();
  bool usable() const { return file.found(); }
  const DynamicLibrary &library() const { return file; }
  /// "13.0".
  std::string version() const;
  /// 13000, as the driver counts the version of CUDA that it knows.
  int versionNumber() const;
  /// The architectures that it compiles for: {75, 80, …}.
  std::vector<int> architectures() const;

#define BLOCKS_NVRTC_FUNCTION(NAME, SYMBOL, PARAMETERS)                        \
  int(*NAME) PARAMETERS = nullptr;
#include "runtime/Device/Cuda/Nvrtc.def"
#undef BLOCKS_NVRTC_FUNCTION

private:
  DynamicLibrary file;
};

/// $BLOCKS_CUDA_NVJITLINK, else libnvJitLink.so of CUDA 13 and 12.
class NvJitLink {
public:
  NvJitLink();
  bool usable() const { return file.found(); }
  const DynamicLibrary &library() const { return file; }
  std::string version() const;
  /// 13000, as the driver counts the version of CUDA that it knows.
  int versionNumber() const;

#define BLOCKS_NVJITLINK_FUNCTION(NAME, SYMBOL, PARAMETERS)                    \
  int(*NAME) PARAMETERS = nullptr;
#include "runtime/Device/Cuda/NvJitLink.def"
#undef BLOCKS_NVJITLINK_FUNCTION

private:
  DynamicLibrary file;
};

} // namespace blocks::cuda
