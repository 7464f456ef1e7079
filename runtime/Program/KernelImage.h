// KernelImage: a program's kernels as the code of the GPU at hand, made by
// nvJitLink where it is installed, and kept in the object cache by text,
// architecture and version of nvJitLink.
#pragma once

#include "runtime/Device/Cuda/CudaDevice.h"
#include "runtime/Program/ObjectCache.h"

#include <string>
#include <string_view>

namespace blocks {

/// Empty if there is no nvJitLink that serves GPU and driver: then the driver
/// translates the text itself. `cache` may be null.
std::string kernelImage(const cuda::CudaDevice &device, std::string_view text,
                        ObjectCache *cache);

} // namespace blocks
