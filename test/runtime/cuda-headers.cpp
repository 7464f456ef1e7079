// The prototypes and numbers of NVIDIA's libraries that the runtime declares by
// hand, against NVIDIA's own headers, where a toolkit is installed. All checks
// are made when this is compiled: as many arguments, each of the same size and
// kind, numbers, and layouts.
#include "runtime/Device/Cuda/CompilerLibraries.h"
#include "runtime/Device/Cuda/Cublas.h"
#include "runtime/Device/Cuda/CublasLt.h"
#include "runtime/Device/Cuda/CudaDriver.h"

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <nvJitLink.h>
#include <nvrtc.h>

#include <cstddef>
#include <type_traits>

using namespace blocks::cuda;

namespace {

/// Pointers are alike, and numbers and enumerations of one size are.
template <typename Ours, typename Theirs> constexpr bool isAlike() {
  if (std::is_pointer_v<Ours> || std::is_pointer_v<Theirs>)
    return std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>;
  return sizeof(Ours) == sizeof(Theirs) &&
         std::is_floating_point_v<Ours> == std::is_floating_point_v<Theirs> &&
         std::is_class_v<Ours> == std::is_class_v<Theirs>;
}

template <typename Ours, typename Theirs> struct Compare {
  static constexpr bool alike = false; // Of different numbers of arguments.
};
template <typename OurResult, typename... Ours, typename TheirResult,
          typename... Theirs>
  requires(sizeof...(Ours) == sizeof...(Theirs))
struct Compare<OurResult (*)(Ours...), TheirResult (*)(Theirs...)> {
  static constexpr bool alike =
      isAlike<OurResult, TheirResult>() && (isAlike<Ours, Theirs>() && ...);
};

#define CHECK_PROTOTYPE(TABLE, NAME, SYMBOL)                                   \
  static_assert(Compare<decltype(TABLE::NAME), decltype(&SYMBOL)>::alike,      \
                #SYMBOL " has another prototype");

/// Of the two functions of this name: the library's, not the header's.
using GemmStackEx = cublasStatus_t (*)(
    cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const void *, const void *, cudaDataType, int, long long, const void *,
    cudaDataType, int, long long, const void *, void *, cudaDataType, int,
    long long, int, cublasComputeType_t, cublasGemmAlgo_t);
[[maybe_unused]] constexpr GemmStackEx gemmStackEx =
    &cublasGemmStridedBatchedEx;
#define cublasGemmStridedBatchedEx *gemmStackEx

#define BLOCKS_CUDA_FUNCTION(NAME, SYMBOL, PARAMETERS)                         \
  CHECK_PROTOTYPE(CudaDriver, NAME, SYMBOL)
#include "runtime/Device/Cuda/CudaDriver.def"
#define BLOCKS_CUBLAS_FUNCTION(NAME, SYMBOL, PARAMETERS)                       \
  CHECK_PROTOTYPE(Cublas, NAME, SYMBOL)
#include "runtime/Device/Cuda/Cublas.def"
#define BLOCKS_CUBLASLT_FUNCTION(NAME, SYMBOL, PARAMETERS)                     \
  CHECK_PROTOTYPE(CublasLt, NAME, SYMBOL)
#include "runtime/Device/Cuda/CublasLt.def"
#define BLOCKS_NVRTC_FUNCTION(NAME, SYMBOL, PARAMETERS)                        \
  CHECK_PROTOTYPE(Nvrtc, NAME, SYMBOL)
#include "runtime/Device/Cuda/Nvrtc.def"
#define BLOCKS_NVJITLINK_FUNCTION(NAME, SYMBOL, PARAMETERS)                    \
  CHECK_PROTOTYPE(NvJitLink, NAME, SYMBOL)
#include "runtime/Device/Cuda/NvJitLink.def"

// The driver's numbers.
static_assert(Success == int(CUDA_SUCCESS));
static_assert(OutOfMemory == int(CUDA_ERROR_OUT_OF_MEMORY));
static_assert(NoDevice == int(CUDA_ERROR_NO_DEVICE));
static_assert(InvalidImage == int(CUDA_ERROR_INVALID_IMAGE));
static_assert(NoBinaryForGpu == int(CUDA_ERROR_NO_BINARY_FOR_GPU));
static_assert(InvalidPtx == int(CUDA_ERROR_INVALID_PTX));
static_assert(UnsupportedPtxVersion == int(CUDA_ERROR_UNSUPPORTED_PTX_VERSION));
static_assert(NotFound == int(CUDA_ERROR_NOT_FOUND));
static_assert(NotSupported == int(CUDA_ERROR_NOT_SUPPORTED));
static_assert(computeCapabilityMajor ==
              CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(computeCapabilityMinor ==
              CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(multiprocessorCount == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
static_assert(jitInfoLogBuffer == CU_JIT_INFO_LOG_BUFFER);
static_assert(jitInfoLogBytes == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES);
static_assert(jitErrorLogBuffer == CU_JIT_ERROR_LOG_BUFFER);
static_assert(jitErrorLogBytes == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
static_assert(maxDynamicSharedBytes ==
              CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
static_assert(nonBlockingStream == CU_STREAM_NON_BLOCKING);
static_assert(untimedEvent == CU_EVENT_DISABLE_TIMING);
static_assert(captureThisThread == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);

// Those of cuBLAS.
static_assert(cublasNormal == CUBLAS_OP_N);
static_assert(cublasTransposed == CUBLAS_OP_T);
static_assert(cublasDefaultMath == CUBLAS_DEFAULT_MATH);
static_assert(cublasTf32Math == CUBLAS_TF32_TENSOR_OP_MATH);
static_assert(cublasF32 == CUDA_R_32F);
static_assert(cublasBf16 == CUDA_R_16BF);
static_assert(cublasComputeF32 == CUBLAS_COMPUTE_32F);
static_assert(cublasDefaultAlgorithm == CUBLAS_GEMM_DEFAULT);

// Those of cuBLASLt.
static_assert(ltComputeTf32 == CUBLAS_COMPUTE_32F_FAST_TF32);
static_assert(ltTransposeA == CUBLASLT_MATMUL_DESC_TRANSA);
static_assert(ltTransposeB == CUBLASLT_MATMUL_DESC_TRANSB);
static_assert(ltEpilogue == CUBLASLT_MATMUL_DESC_EPILOGUE);
static_assert(ltBias == CUBLASLT_MATMUL_DESC_BIAS_POINTER);
static_assert(ltEpilogueNone == CUBLASLT_EPILOGUE_DEFAULT);
static_assert(ltEpilogueRelu == CUBLASLT_EPILOGUE_RELU);
static_assert(ltEpilogueBias == CUBLASLT_EPILOGUE_BIAS);
static_assert((ltEpilogueRelu | ltEpilogueBias) ==
              int(CUBLASLT_EPILOGUE_RELU_BIAS));
static_assert(ltWorkspaceBytes == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
static_assert(ltAlignmentA == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES);
static_assert(ltAlignmentA + 3 == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);
static_assert(sizeof(LtAlgorithm) == sizeof(cublasLtMatmulAlgo_t));
static_assert(sizeof(LtChoice) == sizeof(cublasLtMatmulHeuristicResult_t));
static_assert(offsetof(LtChoice, workspaceBytes) ==
              offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
static_assert(offsetof(LtChoice, status) ==
              offsetof(cublasLtMatmulHeuristicResult_t, state));

} // namespace

int main() { return 0; }
