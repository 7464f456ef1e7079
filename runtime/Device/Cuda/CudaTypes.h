// CudaTypes: the few types and numbers of NVIDIA's interfaces that the runtime
// uses, declared by hand: the libraries are opened with dlopen where they
// exist, and nothing of the toolkit is needed to build. They are part of a
// stable binary interface and never change.
#pragma once

#include <cstddef>
#include <cstdint>

namespace blocks::cuda {

/// Handles of the driver.
using DeviceNumber = int;
using DevicePointer = uint64_t;
using Context = struct ContextTag *;
using Module = struct ModuleTag *;
using Function = struct FunctionTag *;
using Stream = struct StreamTag *;
using Event = struct EventTag *;
using Graph = struct GraphTag *;
using GraphExec = struct GraphExecTag *;

/// CUresult: those that the runtime tells apart.
enum Result : int {
  Success = 0,
  OutOfMemory = 2,
  NoDevice = 100,
  InvalidImage = 200,
  NoBinaryForGpu = 209,
  InvalidPtx = 218,
  UnsupportedPtxVersion = 222,
  NotFound = 500,
  NotSupported = 801,
};

/// CUdevice_attribute.
constexpr int computeCapabilityMajor = 75, computeCapabilityMinor = 76,
              multiprocessorCount = 16;
/// CUjit_option.
constexpr int jitInfoLogBuffer = 3, jitInfoLogBytes = 4, jitErrorLogBuffer = 5,
              jitErrorLogBytes = 6;
/// CUfunction_attribute: dynamic shared memory beyond 48 KB must be asked for.
constexpr int maxDynamicSharedBytes = 8;
constexpr int64_t freeSharedBytes = 48 << 10;
/// CU_STREAM_NON_BLOCKING: does not wait for the default stream.
constexpr unsigned nonBlockingStream = 1;
/// CU_EVENT_DISABLE_TIMING.
constexpr unsigned untimedEvent = 2;
/// CU_STREAM_CAPTURE_MODE_THREAD_LOCAL: other threads may go on allocating.
constexpr int captureThisThread = 1;

/// Of cuBLAS.
using CublasHandle = struct CublasTag *;
constexpr int cublasNormal = 0, cublasTransposed = 1;
constexpr int cublasDefaultMath = 0, cublasTf32Math = 3;
/// cudaDataType, cublasComputeType_t, cublasGemmAlgo_t.
constexpr int cublasF32 = 0, cublasBf16 = 14, cublasComputeF32 = 68,
              cublasDefaultAlgorithm = -1;

} // namespace blocks::cuda
