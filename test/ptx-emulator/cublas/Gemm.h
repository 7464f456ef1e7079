// A matrix product as the cuBLAS stand-in runs it: C = alpha op(A) op(B) +
// beta C, column-major, possibly a batch of them, or with an epilogue.
#pragma once

#include "../driver/Emulator.h"

namespace ptxemu {

/// Element types, in the numbers of cudaDataType_t.
enum DataType {
  dataF32 = 0,
  dataF64 = 1,
  dataF16 = 2,
  dataI8 = 3,
  dataI32 = 10,
  dataBf16 = 14
};

/// To what the inputs are rounded before they are multiplied.
enum class InputRounding { none, tf32, f16, bf16 };

struct MatrixOperand {
  CUdeviceptr address = 0;
  DataType type = dataF32;
  int64_t leading = 0; ///< distance of columns, in elements
  int64_t stride = 0;  ///< distance of matrices of the batch
};

/// alpha or beta: a number, or where to read it when the work is done.
struct Scalar {
  double value = 0;
  CUdeviceptr address = 0;
  DataType type = dataF32;
};

struct Gemm {
  bool transposeA = false, transposeB = false;
  int64_t m = 0, n = 0, k = 0, batch = 1;
  Scalar alpha, beta;
  MatrixOperand a, b, c;
  // An epilogue, of products of f32 sums:
  MatrixOperand bias; ///< m numbers of f32 for each column, or address 0
  bool relu = false;
  bool f64 = false; ///< compute in f64, else in f32
  InputRounding rounding = InputRounding::none;
};

size_t sizeOfData(DataType type);
double readScalar(const void *from, DataType type);

/// Runs on emulated memory; a matrix outside of it is an illegal address.
void runGemm(const Gemm &gemm, Emulator &emulator);

} // namespace ptxemu
