// The product itself: inputs are unpacked to f32 or f64 with the rounding that
// the compute type asks for, multiplied by blocks, and written back.
#include "Gemm.h"
#include "../machine/Fault.h"
#include "../ops/Half.h"

#include <algorithm>
#include <cstring>

namespace ptxemu {

size_t sizeOfData(DataType type) {
  switch (type) {
  case dataF64:
    return 8;
  case dataF16:
  case dataBf16:
    return 2;
  case dataI8:
    return 1;
  default:
    return 4;
  }
}

double readScalar(const void *from, DataType type) {
  uint64_t bits = 0;
  std::memcpy(&bits, from, sizeOfData(type));
  switch (type) {
  case dataF64:
    return std::bit_cast<double>(bits);
  case dataF16:
    return halfToFloat(uint16_t(bits));
  case dataBf16:
    return bfloatToFloat(uint16_t(bits));
  case dataI8:
    return int8_t(bits);
  case dataI32:
    return int32_t(bits);
  default:
    return std::bit_cast<float>(uint32_t(bits));
  }
}

namespace {

double rounded(double value, InputRounding rounding) {
  auto narrow = float(value);
  switch (rounding) {
  case InputRounding::tf32:
    return std::bit_cast<float>(roundToTf32(std::bit_cast<uint32_t>(narrow)));
  case InputRounding::f16:
    return halfToFloat(floatToHalf(narrow));
  case InputRounding::bf16:
    return bfloatToFloat(floatToBfloat(narrow));
  default:
    return value;
  }
}

void writeScalar(uint8_t *to, DataType type, double value) {
  switch (type) {
  case dataF64:
    std::memcpy(to, &value, 8);
    return;
  case dataF16: {
    uint16_t half = floatToHalf(float(value));
    std::memcpy(to, &half, 2);
    return;
  }
  case dataBf16: {
    uint16_t half = floatToBfloat(float(value));
    std::memcpy(to, &half, 2);
    return;
  }
  case dataI32: {
    auto whole = int32_t(value);
    std::memcpy(to, &whole, 4);
    return;
  }
  default: {
    auto narrow = float(value);
    std::memcpy(to, &narrow, 4);
  }
  }
}

/// The host's view of a matrix of rows x columns; throws a Fault.
uint8_t *viewOf(const MatrixOperand &operand, int64_t rows, int64_t columns,
                int64_t index, const char *name, const Emulator &e) {
  uint64_t size = sizeOfData(operand.type);
  uint64_t address = operand.address + uint64_t(index * operand.stride) * size;
  uint64_t bytes = uint64_t((columns - 1) * operand.leading + rows) * size;
  Allocation range = e.memory.range(address);
  uint64_t offset = address - range.base;
  if (!range.size || offset > range.size || range.size - offset < bytes)
    throw Fault(FaultKind::address, std::string("cuBLAS product: matrix ") +
                                        name + " has " +
                                        e.memory.explain(address, bytes));
  if (address % size)
    throw Fault(FaultKind::misaligned,
                std::string("cuBLAS product: matrix ") + name +
                    " is not aligned to its elements: " + hex(address));
  return reinterpret_cast<uint8_t *>(address + uint64_t(range.delta));
}

/// A matrix as rows x columns, column-major and dense, after op().
template <class T>
std::vector<T> unpack(const MatrixOperand &operand, const uint8_t *from,
                      bool transpose, int64_t rows, int64_t columns,
                      InputRounding rounding) {
  std::vector<T> result(size_t(rows * columns));
  size_t size = sizeOfData(operand.type);
  bool plain = operand.type == dataF32 && rounding == InputRounding::none;
  for (int64_t j = 0; j < columns; ++j)
    for (int64_t i = 0; i < rows; ++i) {
      int64_t at =
          transpose ? j + i * operand.leading : i + j * operand.leading;
      const uint8_t *element = from + size_t(at) * size;
      if (plain) {
        float value;
        std::memcpy(&value, element, 4);
        result[size_t(i + j * rows)] = T(value);
      } else {
        result[size_t(i + j * rows)] =
            T(rounded(readScalar(element, operand.type), rounding));
      }
    }
  return result;
}

/// c += a b for a block: columns j of c, four at a time, rows [0, rows).
template <class T>
void multiplyBlock(const T *a, const T *b, T *c, int64_t rows, int64_t lda,
                   int64_t ldb, int64_t ldc, int64_t columns, int64_t depth) {
  for (int64_t j = 0; j < columns; ++j)
    for (int64_t p = 0; p + 4 <= depth; p += 4) {
      const T *a0 = a + p * lda;
      const T *bj = b + j * ldb + p;
      T b0 = bj[0], b1 = bj[1], b2 = bj[2], b3 = bj[3];
      T *to = c + j * ldc;
      for (int64_t i = 0; i < rows; ++i)
        to[i] += a0[i] * b0 + a0[i + lda] * b1 + a0[i + 2 * lda] * b2 +
                 a0[i + 3 * lda] * b3;
    }
  for (int64_t j = 0; j < columns; ++j)
    for (int64_t p = depth / 4 * 4; p < depth; ++p)
      for (int64_t i = 0; i < rows; ++i)
        c[j * ldc + i] += a[p * lda + i] * b[j * ldb + p];
}

template <class T>
std::vector<T> multiply(const std::vector<T> &a, const std::vector<T> &b,
                        int64_t m, int64_t n, int64_t k) {
  constexpr int64_t rowBlock = 512, depthBlock = 128;
  std::vector<T> c(size_t(m * n));
  for (int64_t p = 0; p < k; p += depthBlock)
    for (int64_t i = 0; i < m; i += rowBlock)
      multiplyBlock(a.data() + p * m + i, b.data() + p, c.data() + i,
                    std::min(rowBlock, m - i), m, k, m, n,
                    std::min(depthBlock, k - p));
  return c;
}

double scalarOf(const Scalar &scalar, const Emulator &e) {
  if (!scalar.address)
    return scalar.value;
  MatrixOperand one;
  one.address = scalar.address;
  one.type = scalar.type;
  return readScalar(viewOf(one, 1, 1, 0, "alpha or beta", e), scalar.type);
}

template <class T>
void runOne(const Gemm &g, int64_t index, const Emulator &e) {
  double alpha = scalarOf(g.alpha, e), beta = scalarOf(g.beta, e);
  std::vector<T> product(size_t(g.m * g.n));
  if (g.k > 0 && alpha != 0) {
    int64_t rowsA = g.transposeA ? g.k : g.m,
            columnsA = g.transposeA ? g.m : g.k;
    int64_t rowsB = g.transposeB ? g.n : g.k,
            columnsB = g.transposeB ? g.k : g.n;
    product =
        multiply(unpack<T>(g.a, viewOf(g.a, rowsA, columnsA, index, "A", e),
                           g.transposeA, g.m, g.k, g.rounding),
                 unpack<T>(g.b, viewOf(g.b, rowsB, columnsB, index, "B", e),
                           g.transposeB, g.k, g.n, g.rounding),
                 g.m, g.n, g.k);
  }
  uint8_t *c = viewOf(g.c, g.m, g.n, index, "C", e);
  const uint8_t *bias =
      g.bias.address ? viewOf(g.bias, g.m, 1, 0, "bias", e) : nullptr;
  size_t size = sizeOfData(g.c.type);
  for (int64_t j = 0; j < g.n; ++j)
    for (int64_t i = 0; i < g.m; ++i) {
      uint8_t *to = c + size_t(i + j * g.c.leading) * size;
      T value = T(alpha) * product[size_t(i + j * g.m)];
      if (beta != 0) // a C that is not read may hold anything
        value += T(beta) * T(readScalar(to, g.c.type));
      if (bias)
        value += T(readScalar(bias + i * 4, dataF32));
      if (g.relu && value <= 0) // NaN stays
        value = 0;
      writeScalar(to, g.c.type, double(value));
    }
}

} // namespace

void runGemm(const Gemm &gemm, Emulator &e) {
  try {
    for (int64_t i = 0; i < gemm.batch; ++i)
      if (gemm.f64)
        runOne<double>(gemm, i, e);
      else
        runOne<float>(gemm, i, e);
  } catch (const Fault &fault) {
    e.fail(fault.kind == FaultKind::address ? CUDA_ERROR_ILLEGAL_ADDRESS
                                            : CUDA_ERROR_MISALIGNED_ADDRESS,
           fault.what());
  }
}

} // namespace ptxemu
