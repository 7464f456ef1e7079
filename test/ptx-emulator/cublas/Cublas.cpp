// A stand-in for the cuBLAS calls of the product: handles and matrix products,
// in stream order, on emulated memory. Prototypes and numbers are those of
// cublas_v2.h, declared by hand.
#include "Gemm.h"
#include "Status.h"

using namespace ptxemu;

using cublasHandle = struct cublasContext *;

struct cublasContext {
  CUstream stream = nullptr;
  int mathMode = 0;    ///< 3 is TF32
  int pointerMode = 0; ///< 1: alpha and beta are on the device
  int atomicsMode = 0;
};

namespace {

Scalar scalarFrom(const cublasContext &handle, const void *from,
                  DataType type) {
  Scalar scalar;
  scalar.type = type;
  checked(static_cast<const char *>(from));
  if (handle.pointerMode)
    scalar.address = reinterpret_cast<CUdeviceptr>(from);
  else
    scalar.value = readScalar(from, type);
  return scalar;
}

bool knownType(DataType type) {
  return type == dataF32 || type == dataF64 || type == dataF16 ||
         type == dataBf16 || type == dataI8 || type == dataI32;
}

/// What a compute type (cublasComputeType_t) means for the arithmetic.
bool setCompute(Gemm &gemm, DataType &scalarType, int compute,
                const cublasContext &handle, int arch) {
  scalarType = dataF32;
  bool f32 = gemm.a.type == dataF32;
  switch (compute) {
  case 64: // 16F, pedantic
  case 65:
    scalarType = dataF16;
    break;
  case 68: // 32F
    if (f32 && handle.mathMode % 16 == 3 && arch >= 80)
      gemm.rounding = InputRounding::tf32;
    break;
  case 69: // 32F pedantic
    break;
  case 70: // 64F
  case 71:
    scalarType = dataF64;
    gemm.f64 = true;
    break;
  case 72: // 32I
  case 73:
    scalarType = dataI32;
    gemm.f64 = true; // exact
    break;
  case 74: // fast 16F
    gemm.rounding = f32 ? InputRounding::f16 : InputRounding::none;
    break;
  case 75: // fast 16BF
    gemm.rounding =
        f32 && arch >= 80 ? InputRounding::bf16 : InputRounding::none;
    break;
  case 77: // fast TF32
    gemm.rounding =
        f32 && arch >= 80 ? InputRounding::tf32 : InputRounding::none;
    break;
  default:
    return false;
  }
  return true;
}

bool isValid(const Gemm &g) {
  int64_t rowsA = g.transposeA ? g.k : g.m, rowsB = g.transposeB ? g.n : g.k;
  auto one = int64_t(1);
  return g.m >= 0 && g.n >= 0 && g.k >= 0 && g.batch >= 0 &&
         g.a.leading >= std::max(one, rowsA) &&
         g.b.leading >= std::max(one, rowsB) &&
         g.c.leading >= std::max(one, g.m) && knownType(g.a.type) &&
         knownType(g.b.type) && knownType(g.c.type);
}

cublasStatus enqueueGemm(cublasHandle handle, Gemm gemm, int compute,
                         const void *alpha, const void *beta) {
  if (!handle)
    return notInitialized;
  return statusOf(entry(Need::context, [&](Emulator &e) -> CUresult {
    if (e.settings.fails("cublas"))
      return CUDA_ERROR_LAUNCH_FAILED;
    DataType scalarType;
    if (!setCompute(gemm, scalarType, compute, *handle, e.settings.arch))
      return CUDA_ERROR_NOT_SUPPORTED;
    if (!isValid(gemm))
      return CUDA_ERROR_INVALID_VALUE;
    gemm.alpha = scalarFrom(*handle, alpha, scalarType);
    gemm.beta = scalarFrom(*handle, beta, scalarType);
    if (!gemm.m || !gemm.n || !gemm.batch)
      return CUDA_SUCCESS;
    auto work = std::make_shared<Work>();
    work->kind = Work::kernel; // as the real one launches
    work->run = [gemm] { runGemm(gemm, emulator()); };
    e.enqueue(e.stream(handle->stream), work);
    return CUDA_SUCCESS;
  }));
}

MatrixOperand operandOf(const void *address, int type, int leading,
                        long long stride) {
  return {reinterpret_cast<CUdeviceptr>(address), DataType(type), leading,
          stride};
}

Gemm shaped(int opA, int opB, int m, int n, int k, int batch) {
  Gemm gemm;
  gemm.transposeA = opA != 0;
  gemm.transposeB = opB != 0;
  gemm.m = m;
  gemm.n = n;
  gemm.k = k;
  gemm.batch = batch;
  return gemm;
}

} // namespace

CUBLAS_API cublasCreate_v2(cublasHandle *handle) {
  return statusOf(entry(Need::context, [&](Emulator &e) -> CUresult {
    if (e.settings.fails("cublas-create"))
      return CUDA_ERROR_NOT_INITIALIZED;
    checked(handle) = new cublasContext;
    return CUDA_SUCCESS;
  }));
}

CUBLAS_API cublasDestroy_v2(cublasHandle handle) {
  delete handle;
  return success;
}

CUBLAS_API cublasGetVersion_v2(cublasHandle, int *version) {
  *version = 130000;
  return success;
}

CUBLAS_API cublasGetProperty(int which, int *value) {
  static constexpr int version[] = {13, 0, 0}; // major, minor, patch
  if (which < 0 || which > 2 || !value)
    return invalidValue;
  *value = version[which];
  return success;
}

CUBLAS_API cublasSetStream_v2(cublasHandle handle, CUstream stream) {
  if (!handle)
    return notInitialized;
  handle->stream = stream;
  return success;
}

CUBLAS_API cublasGetStream_v2(cublasHandle handle, CUstream *stream) {
  if (!handle)
    return notInitialized;
  *stream = handle->stream;
  return success;
}

CUBLAS_API cublasSetWorkspace_v2(cublasHandle handle, void *workspace,
                                 size_t size) {
  if (!handle)
    return notInitialized;
  return statusOf(entry(Need::context, [&](Emulator &e) {
    auto address = reinterpret_cast<CUdeviceptr>(workspace);
    bool fits = !size || (e.memory.find(address, size) && address % 256 == 0);
    return fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  }));
}

CUBLAS_API cublasSetMathMode(cublasHandle handle, int mode) {
  if (!handle)
    return notInitialized;
  handle->mathMode = mode;
  return success;
}

CUBLAS_API cublasGetMathMode(cublasHandle handle, int *mode) {
  if (!handle)
    return notInitialized;
  *mode = handle->mathMode;
  return success;
}

CUBLAS_API cublasSetPointerMode_v2(cublasHandle handle, int mode) {
  if (!handle)
    return notInitialized;
  handle->pointerMode = mode;
  return success;
}

CUBLAS_API cublasGetPointerMode_v2(cublasHandle handle, int *mode) {
  if (!handle)
    return notInitialized;
  *mode = handle->pointerMode;
  return success;
}

CUBLAS_API cublasSetAtomicsMode(cublasHandle handle, int mode) {
  if (!handle)
    return notInitialized;
  handle->atomicsMode = mode;
  return success;
}

CUDA_EXPORT const char *cublasGetStatusName(cublasStatus status) {
  switch (status) {
  case success:
    return "CUBLAS_STATUS_SUCCESS";
  case notInitialized:
    return "CUBLAS_STATUS_NOT_INITIALIZED";
  case allocFailed:
    return "CUBLAS_STATUS_ALLOC_FAILED";
  case invalidValue:
    return "CUBLAS_STATUS_INVALID_VALUE";
  case executionFailed:
    return "CUBLAS_STATUS_EXECUTION_FAILED";
  case notSupported:
    return "CUBLAS_STATUS_NOT_SUPPORTED";
  default:
    return "unknown cuBLAS status";
  }
}

CUDA_EXPORT const char *cublasGetStatusString(cublasStatus status) {
  return cublasGetStatusName(status);
}

CUBLAS_API cublasGemmStridedBatchedEx(cublasHandle handle, int opA, int opB,
                                      int m, int n, int k, const void *alpha,
                                      const void *a, int typeA, int lda,
                                      long long strideA, const void *b,
                                      int typeB, int ldb, long long strideB,
                                      const void *beta, void *c, int typeC,
                                      int ldc, long long strideC, int batch,
                                      int compute, int) {
  Gemm gemm = shaped(opA, opB, m, n, k, batch);
  gemm.a = operandOf(a, typeA, lda, strideA);
  gemm.b = operandOf(b, typeB, ldb, strideB);
  gemm.c = operandOf(c, typeC, ldc, strideC);
  return enqueueGemm(handle, gemm, compute, alpha, beta);
}

CUBLAS_API cublasGemmEx(cublasHandle handle, int opA, int opB, int m, int n,
                        int k, const void *alpha, const void *a, int typeA,
                        int lda, const void *b, int typeB, int ldb,
                        const void *beta, void *c, int typeC, int ldc,
                        int compute, int algorithm) {
  return cublasGemmStridedBatchedEx(handle, opA, opB, m, n, k, alpha, a, typeA,
                                    lda, 0, b, typeB, ldb, 0, beta, c, typeC,
                                    ldc, 0, 1, compute, algorithm);
}

CUBLAS_API cublasSgemm_v2(cublasHandle handle, int opA, int opB, int m, int n,
                          int k, const float *alpha, const float *a, int lda,
                          const float *b, int ldb, const float *beta, float *c,
                          int ldc) {
  return cublasGemmEx(handle, opA, opB, m, n, k, alpha, a, dataF32, lda, b,
                      dataF32, ldb, beta, c, dataF32, ldc, 68, -1);
}

CUBLAS_API cublasDgemm_v2(cublasHandle handle, int opA, int opB, int m, int n,
                          int k, const double *alpha, const double *a, int lda,
                          const double *b, int ldb, const double *beta,
                          double *c, int ldc) {
  return cublasGemmEx(handle, opA, opB, m, n, k, alpha, a, dataF64, lda, b,
                      dataF64, ldb, beta, c, dataF64, ldc, 70, -1);
}

CUBLAS_API cublasSgemmStridedBatched(cublasHandle handle, int opA, int opB,
                                     int m, int n, int k, const float *alpha,
                                     const float *a, int lda, long long strideA,
                                     const float *b, int ldb, long long strideB,
                                     const float *beta, float *c, int ldc,
                                     long long strideC, int batch) {
  return cublasGemmStridedBatchedEx(
      handle, opA, opB, m, n, k, alpha, a, dataF32, lda, strideA, b, dataF32,
      ldb, strideB, beta, c, dataF32, ldc, strideC, batch, 68, -1);
}

CUBLAS_API cublasDgemmStridedBatched(cublasHandle handle, int opA, int opB,
                                     int m, int n, int k, const double *alpha,
                                     const double *a, int lda,
                                     long long strideA, const double *b,
                                     int ldb, long long strideB,
                                     const double *beta, double *c, int ldc,
                                     long long strideC, int batch) {
  return cublasGemmStridedBatchedEx(
      handle, opA, opB, m, n, k, alpha, a, dataF64, lda, strideA, b, dataF64,
      ldb, strideB, beta, c, dataF64, ldc, strideC, batch, 70, -1);
}
