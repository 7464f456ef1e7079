// What the emulator's tests share: the library opened by dlopen as the product
// does it, device buffers, modules and launches. Failures of driver calls are
// exceptions that name the call and the error.
#pragma once

#include "../driver/Driver.h"
#include "test/Check.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

/// The entry points that the tests use; X(result, name, parameters).
#define GPU_FUNCTIONS(X)                                                       \
  X(CUresult, cuInit, (unsigned))                                              \
  X(CUresult, cuGetErrorName, (CUresult, const char **))                       \
  X(CUresult, cuGetProcAddress_v2,                                             \
    (const char *, void **, int, uint64_t, int *))                             \
  X(CUresult, cuDriverGetVersion, (int *))                                     \
  X(CUresult, cuDeviceGetCount, (int *))                                       \
  X(CUresult, cuDeviceGetAttribute, (int *, int, CUdevice))                    \
  X(CUresult, cuDeviceGetName, (char *, int, CUdevice))                        \
  X(CUresult, cuDeviceTotalMem_v2, (size_t *, CUdevice))                       \
  X(CUresult, cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice))               \
  X(CUresult, cuDevicePrimaryCtxReset_v2, (CUdevice))                          \
  X(CUresult, cuCtxSetCurrent, (CUcontext))                                    \
  X(CUresult, cuCtxSynchronize, ())                                            \
  X(CUresult, cuModuleLoadData, (CUmodule *, const void *))                    \
  X(CUresult, cuModuleLoadDataEx,                                              \
    (CUmodule *, const void *, unsigned, int *, void **))                      \
  X(CUresult, cuModuleUnload, (CUmodule))                                      \
  X(CUresult, cuModuleGetFunction, (CUfunction *, CUmodule, const char *))     \
  X(CUresult, cuModuleGetGlobal_v2,                                            \
    (CUdeviceptr *, size_t *, CUmodule, const char *))                         \
  X(CUresult, cuFuncGetAttribute, (int *, int, CUfunction))                    \
  X(CUresult, cuFuncSetAttribute, (CUfunction, int, int))                      \
  X(CUresult, cuOccupancyMaxActiveBlocksPerMultiprocessor,                     \
    (int *, CUfunction, int, size_t))                                          \
  X(CUresult, cuLaunchKernel,                                                  \
    (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,   \
     unsigned, CUstream, void **, void **))                                    \
  X(CUresult, cuLaunchKernelEx,                                                \
    (const CUlaunchConfig *, CUfunction, void **, void **))                    \
  X(CUresult, cuMemAlloc_v2, (CUdeviceptr *, size_t))                          \
  X(CUresult, cuMemFree_v2, (CUdeviceptr))                                     \
  X(CUresult, cuMemAllocAsync, (CUdeviceptr *, size_t, CUstream))              \
  X(CUresult, cuMemFreeAsync, (CUdeviceptr, CUstream))                         \
  X(CUresult, cuMemGetInfo_v2, (size_t *, size_t *))                           \
  X(CUresult, cuMemHostAlloc, (void **, size_t, unsigned))                     \
  X(CUresult, cuMemFreeHost, (void *))                                         \
  X(CUresult, cuMemHostRegister_v2, (void *, size_t, unsigned))                \
  X(CUresult, cuMemHostUnregister, (void *))                                   \
  X(CUresult, cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t))            \
  X(CUresult, cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t))                  \
  X(CUresult, cuMemcpyDtoD_v2, (CUdeviceptr, CUdeviceptr, size_t))             \
  X(CUresult, cuMemcpyHtoDAsync_v2,                                            \
    (CUdeviceptr, const void *, size_t, CUstream))                             \
  X(CUresult, cuMemcpyDtoHAsync_v2, (void *, CUdeviceptr, size_t, CUstream))   \
  X(CUresult, cuMemsetD8_v2, (CUdeviceptr, unsigned char, size_t))             \
  X(CUresult, cuMemsetD32Async, (CUdeviceptr, unsigned, size_t, CUstream))     \
  X(CUresult, cuStreamCreate, (CUstream *, unsigned))                          \
  X(CUresult, cuStreamDestroy_v2, (CUstream))                                  \
  X(CUresult, cuStreamSynchronize, (CUstream))                                 \
  X(CUresult, cuStreamQuery, (CUstream))                                       \
  X(CUresult, cuStreamWaitEvent, (CUstream, CUevent, unsigned))                \
  X(CUresult, cuStreamBeginCapture_v2, (CUstream, int))                        \
  X(CUresult, cuStreamEndCapture, (CUstream, CUgraph *))                       \
  X(CUresult, cuLaunchHostFunc, (CUstream, CUhostFn, void *))                  \
  X(CUresult, cuEventCreate, (CUevent *, unsigned))                            \
  X(CUresult, cuEventRecord, (CUevent, CUstream))                              \
  X(CUresult, cuEventSynchronize, (CUevent))                                   \
  X(CUresult, cuEventQuery, (CUevent))                                         \
  X(CUresult, cuEventElapsedTime, (float *, CUevent, CUevent))                 \
  X(CUresult, cuGraphInstantiateWithFlags,                                     \
    (CUgraphExec *, CUgraph, unsigned long long))                              \
  X(CUresult, cuGraphLaunch, (CUgraphExec, CUstream))                          \
  X(CUresult, cuGraphUpload, (CUgraphExec, CUstream))                          \
  X(CUresult, cuGraphDestroy, (CUgraph))                                       \
  X(CUresult, cuGraphExecDestroy, (CUgraphExec))                               \
  X(CUresult, cuGraphGetNodes, (CUgraph, CUgraphNode *, size_t *))             \
  X(CUresult, cuGraphKernelNodeGetParams_v2,                                   \
    (CUgraphNode, CUDA_KERNEL_NODE_PARAMS *))                                  \
  X(CUresult, cuGraphExecKernelNodeSetParams_v2,                               \
    (CUgraphExec, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS *))               \
  X(CUresult, cuGraphExecUpdate_v2,                                            \
    (CUgraphExec, CUgraph, CUgraphExecUpdateResultInfo *))                     \
  X(const char *, ptxemuLastReport, ())                                        \
  X(CUresult, ptxemuMarkPart, (CUdeviceptr, size_t, int))                      \
  X(unsigned long long, ptxemuLaunchCount, ())

struct Gpu {
#define GPU_MEMBER(result, name, parameters) result(*name) parameters = nullptr;
  GPU_FUNCTIONS(GPU_MEMBER)
#undef GPU_MEMBER
  void *library = nullptr;

  /// Opens the library; with a context unless `bare`.
  explicit Gpu(const std::string &path, bool bare = false) {
    library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
      throw std::runtime_error(dlerror());
#define GPU_RESOLVE(result, name, parameters)                                  \
  name = reinterpret_cast<result(*) parameters>(symbol(#name));
    GPU_FUNCTIONS(GPU_RESOLVE)
#undef GPU_RESOLVE
    if (bare)
      return;
    CUcontext context;
    check(cuInit(0), "cuInit");
    check(cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  }

  void *symbol(const char *name) const {
    void *address = dlsym(library, name);
    if (!address)
      throw std::runtime_error(std::string("no symbol ") + name);
    return address;
  }

  void check(CUresult result, const char *what) const {
    if (!result)
      return;
    const char *name = nullptr;
    cuGetErrorName(result, &name);
    throw std::runtime_error(std::string(what) + ": " +
                             (name ? name : std::to_string(result)) + " " +
                             ptxemuLastReport());
  }

  CUmodule load(const std::string &ptx) const {
    CUmodule module;
    check(cuModuleLoadData(&module, ptx.c_str()), "cuModuleLoadData");
    return module;
  }
  CUfunction function(CUmodule module, const char *name) const {
    CUfunction found;
    check(cuModuleGetFunction(&found, module, name), name);
    return found;
  }

  /// Queues a kernel of a one-dimensional grid on a stream.
  template <class... Args>
  CUresult start(CUstream stream, CUfunction kernel, unsigned grid,
                 unsigned block, unsigned shared, Args... args) const {
    void *pointers[] = {&args..., nullptr};
    return cuLaunchKernel(kernel, grid, 1, 1, block, 1, 1, shared, stream,
                          pointers, nullptr);
  }
  /// Runs it to its end.
  template <class... Args>
  void run(CUfunction kernel, unsigned grid, unsigned block, unsigned shared,
           Args... args) const {
    check(start(nullptr, kernel, grid, block, shared, args...), "launch");
    check(cuCtxSynchronize(), "cuCtxSynchronize");
  }
};

/// Device memory with the host's values.
template <class T> class Buffer {
public:
  Buffer(const Gpu &gpu, std::vector<T> values) : gpu(gpu), host(values) {
    gpu.check(gpu.cuMemAlloc_v2(&address, bytes()), "cuMemAlloc");
    gpu.check(gpu.cuMemcpyHtoD_v2(address, host.data(), bytes()), "copy");
  }
  Buffer(const Gpu &gpu, size_t count) : Buffer(gpu, std::vector<T>(count)) {}
  Buffer(const Buffer &) = delete;
  ~Buffer() { gpu.cuMemFree_v2(address); }

  const std::vector<T> &read() {
    gpu.check(gpu.cuMemcpyDtoH_v2(host.data(), address, bytes()), "copy");
    return host;
  }
  size_t bytes() const { return host.size() * sizeof(T); }
  CUdeviceptr get() const { return address; }

private:
  const Gpu &gpu;
  std::vector<T> host;
  CUdeviceptr address = 0;
};

inline std::string readText(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}
