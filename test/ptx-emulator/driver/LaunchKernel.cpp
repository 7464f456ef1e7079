// Kernel launches: checks of the configuration, and the parameters, which are
// copied at once as the driver does.
#include "LaunchKernel.h"

#include <cstring>

using namespace ptxemu;

namespace ptxemu {
namespace {

/// Parameters come as an array of pointers, or as one buffer in `extra`.
std::vector<uint8_t> readParameters(const Code &code, void **params,
                                    void **extra) {
  std::vector<uint8_t> bytes(code.paramBytes);
  if (extra) {
    const void *buffer = nullptr;
    size_t size = 0;
    for (void **item = extra; *item; item += 2) {
      auto what = reinterpret_cast<uintptr_t>(*item);
      if (what == 1)
        buffer = item[1];
      else if (what == 2)
        size = *static_cast<size_t *>(item[1]);
      else
        throw DriverError{CUDA_ERROR_INVALID_VALUE};
    }
    if (!buffer || size < bytes.size())
      throw DriverError{CUDA_ERROR_INVALID_VALUE};
    std::memcpy(bytes.data(), buffer, bytes.size());
    return bytes;
  }
  for (size_t i = 0; i < code.params.size(); ++i) {
    if (!params || !params[i])
      throw DriverError{CUDA_ERROR_INVALID_VALUE};
    std::memcpy(bytes.data() + code.params[i].offset, params[i],
                code.params[i].size);
  }
  return bytes;
}

CUresult checkShape(const LaunchRequest &request, const CUfunc_st &function) {
  const uint32_t *grid = request.grid, *block = request.block;
  const Code &code = *function.code;
  if (!grid[0] || !grid[1] || !grid[2] || !block[0] || !block[1] || !block[2])
    return CUDA_ERROR_INVALID_VALUE;
  if (grid[0] > 2147483647u || grid[1] > 65535 || grid[2] > 65535)
    return CUDA_ERROR_INVALID_VALUE;
  uint64_t threads = uint64_t(block[0]) * block[1] * block[2];
  if (block[0] > 1024 || block[1] > 1024 || block[2] > 64 || threads > 1024)
    return CUDA_ERROR_INVALID_VALUE;
  if (threads > code.maxThreads)
    return CUDA_ERROR_INVALID_VALUE;
  for (int axis = 0; axis < 3; ++axis)
    if (code.requiredThreads[0] && code.requiredThreads[axis] != block[axis])
      return CUDA_ERROR_INVALID_VALUE;
  if (int(request.dynamicShared) > function.maxDynamicShared)
    return CUDA_ERROR_INVALID_VALUE;
  // Without an opt-in, 48 KiB hold static and dynamic memory together.
  if (function.maxDynamicShared == 48 * 1024 &&
      code.staticShared + request.dynamicShared > 48 * 1024)
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

} // namespace

WorkPtr kernelWork(const KernelShape &shape, void **params, void **extra) {
  CUfunc_st &function = checked(shape.function);
  LaunchRequest request;
  request.code = function.code;
  std::copy(shape.grid, shape.grid + 3, request.grid);
  std::copy(shape.block, shape.block + 3, request.block);
  request.dynamicShared = shape.dynamicShared;
  if (CUresult error = checkShape(request, function))
    throw DriverError{error};
  request.params = readParameters(*function.code, params, extra);
  auto work = std::make_shared<Work>();
  work->kind = Work::kernel;
  work->function = shape.function;
  work->launch = request;
  work->run = [request = std::move(request)] { emulator().run(request); };
  return work;
}

} // namespace ptxemu

CUDA_API cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY,
                        unsigned gridZ, unsigned blockX, unsigned blockY,
                        unsigned blockZ, unsigned dynamicShared,
                        CUstream stream, void **params, void **extra) {
  return entry(Need::context, [&](Emulator &e) {
    if (e.settings.fails("launch"))
      return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    KernelShape shape{function,
                      {gridX, gridY, gridZ},
                      {blockX, blockY, blockZ},
                      dynamicShared};
    e.enqueue(e.stream(stream), kernelWork(shape, params, extra));
    return CUDA_SUCCESS;
  });
}

CUDA_API cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                          void **params, void **extra) {
  if (!config)
    return CUDA_ERROR_INVALID_VALUE;
  const CUlaunchConfig &c = *config;
  for (unsigned i = 0; i < c.numAttrs; ++i) {
    const CUlaunchAttribute &attribute = c.attrs[i];
    uint64_t blocks = uint64_t(c.gridDimX) * c.gridDimY * c.gridDimZ;
    if (attribute.id == 2 && attribute.value.cooperative && blocks > 1)
      return CUDA_ERROR_NOT_SUPPORTED; // blocks run one after another
    const unsigned *cluster = attribute.value.clusterDim;
    if (attribute.id == 4 && cluster[0] * cluster[1] * cluster[2] > 1)
      return CUDA_ERROR_NOT_SUPPORTED;
  }
  return cuLaunchKernel(function, c.gridDimX, c.gridDimY, c.gridDimZ,
                        c.blockDimX, c.blockDimY, c.blockDimZ, c.sharedMemBytes,
                        c.hStream, params, extra);
}
