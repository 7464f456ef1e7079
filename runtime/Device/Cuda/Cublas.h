// Cublas: the functions of cuBLAS, opened with dlopen. It is not required:
// without it products run through the runtime's own kernel (ProductKernel.h).
#pragma once

#include "runtime/Device/Cuda/CudaTypes.h"
#include "runtime/Device/Cuda/DynamicLibrary.h"

namespace blocks::cuda {

class Cublas {
public:
  /// Looks for $BLOCKS_CUDA_CUBLAS, else libcublas.so of CUDA 13, 12 and 11.
  Cublas();

  bool usable() const { return file.found(); }
  const DynamicLibrary &library() const { return file; }
  /// "13.0.2"; needs no GPU. Empty if it does not say.
  std::string version() const;
  /// "CUBLAS_STATUS_NOT_INITIALIZED", or the number.
  std::string describe(int status) const;

#define BLOCKS_CUBLAS_FUNCTION(NAME, SYMBOL, PARAMETERS)                       \
  int(*NAME) PARAMETERS = nullptr;
#include "runtime/Device/Cuda/Cublas.def"
#undef BLOCKS_CUBLAS_FUNCTION
  // Null in old versions.
  const char *(*statusName)(int status) = nullptr;
  int (*getProperty)(int property, int *value) = nullptr;

private:
  DynamicLibrary file;
};

} // namespace blocks::cuda
