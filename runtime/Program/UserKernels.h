// UserKernels: the kernels of a program that its user wrote in CUDA C++. They
// are compiled when the program is loaded, for the GPU at hand, and kept in the
// object cache by text, architecture and version of NVRTC.
#pragma once

#include "runtime/Device/Cuda/CudaModule.h"
#include "runtime/Device/Cuda/CudaStep.h"
#include "runtime/Device/Cuda/UserSource.h"
#include "runtime/Program/Manifest.h"
#include "runtime/Program/ObjectCache.h"

#include <memory>
#include <vector>

namespace blocks {

class UserKernels {
public:
  /// Throws UnsupportedError if there are kernels, but no NVRTC that serves the
  /// GPU; InputError if one cannot be compiled. `cache` may be null.
  UserKernels(std::shared_ptr<cuda::CudaDevice> device,
              const std::vector<ManifestUserKernel> &kernels,
              ObjectCache *cache);

  /// In the order of the manifest; valid as long as this lives.
  const std::vector<cuda::NamedKernel> &all() const { return functions; }

private:
  std::vector<std::unique_ptr<cuda::CudaModule>> modules;
  std::vector<cuda::NamedKernel> functions;
};

} // namespace blocks
