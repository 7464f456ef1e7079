// What the stand-ins for cuBLAS and cuBLASLt return.
#pragma once

#include "../driver/Emulator.h"

namespace ptxemu {

using cublasStatus = int;

#define CUBLAS_API CUDA_EXPORT ptxemu::cublasStatus

enum : cublasStatus {
  success = 0,
  notInitialized = 1,
  allocFailed = 3,
  invalidValue = 7,
  executionFailed = 13,
  notSupported = 15
};

inline cublasStatus statusOf(CUresult result) {
  switch (result) {
  case CUDA_SUCCESS:
    return success;
  case CUDA_ERROR_OUT_OF_MEMORY:
    return allocFailed;
  case CUDA_ERROR_INVALID_VALUE:
    return invalidValue;
  case CUDA_ERROR_NOT_SUPPORTED:
    return notSupported;
  case CUDA_ERROR_NOT_INITIALIZED:
  case CUDA_ERROR_INVALID_CONTEXT:
    return notInitialized;
  default:
    return executionFailed;
  }
}

} // namespace ptxemu
