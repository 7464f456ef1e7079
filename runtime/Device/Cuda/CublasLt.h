// CublasLt: the functions of cuBLASLt, opened with dlopen. It comes with
// cuBLAS; what it is wanted for, products that add a bias and rectify before
// they write (EpilogueProducts.h), is done in two launches without it.
#pragma once

#include "runtime/Device/Cuda/CudaTypes.h"
#include "runtime/Device/Cuda/DynamicLibrary.h"

namespace blocks::cuda {

using LtHandle = struct LtTag *;

/// cublasLtMatmulAlgo_t and cublasLtMatmulHeuristicResult_t.
struct LtAlgorithm {
  uint64_t data[8];
};
struct LtChoice {
  LtAlgorithm algorithm;
  size_t workspaceBytes;
  int status; ///< The rest counts if it is 0.
  float waves;
  int reserved[4];
};

/// cublasLtMatmulDescAttributes_t.
constexpr int ltTransposeA = 3, ltTransposeB = 4, ltEpilogue = 7, ltBias = 8;
/// cublasLtEpilogue_t; bits that may be combined.
constexpr uint32_t ltEpilogueNone = 1, ltEpilogueRelu = 2, ltEpilogueBias = 4;
/// cublasLtMatmulPreferenceAttributes_t; the alignments are of A, B, C and D.
constexpr int ltWorkspaceBytes = 1, ltAlignmentA = 5;
/// cublasComputeType_t: f32 operands are rounded to TF32.
constexpr int ltComputeTf32 = 77;

class CublasLt {
public:
  /// Looks for $BLOCKS_CUDA_CUBLASLT, else libcublasLt.so of CUDA 13, 12, 11.
  CublasLt();

  bool usable() const { return file.found(); }
  const DynamicLibrary &library() const { return file; }
  /// "13.0.2"; needs no GPU. Empty if it does not say.
  std::string version() const;

#define BLOCKS_CUBLASLT_FUNCTION(NAME, SYMBOL, PARAMETERS)                     \
  int(*NAME) PARAMETERS = nullptr;
#include "runtime/Device/Cuda/CublasLt.def"
#undef BLOCKS_CUBLASLT_FUNCTION

private:
  DynamicLibrary file;
  int (*getProperty)(int property, int *value) = nullptr; ///< May be null.
};

} // namespace blocks::cuda
