//===- Reductions.cpp - Sums, extrema, products ---------------------------===//
#include "lib/Reference/Ops.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace blocks::reference {

static double startOf(ReduceKind kind) {
  double infinity = std::numeric_limits<double>::infinity();
  switch (kind) {
  case ReduceKind::Sum:
    return 0;
  case ReduceKind::Max:
    return -infinity;
  case ReduceKind::Min:
    return infinity;
  }
  llvm_unreachable("a kind of reduction that is not in the enum");
}

/// One step of a reduction. A NaN, once met, stays.
static double combine(ReduceKind kind, double total, double x) {
  if (kind == ReduceKind::Sum || std::isnan(total) || std::isnan(x))
    return total + x;
  return kind == ReduceKind::Max ? std::max(total, x) : std::min(total, x);
}

Tensor reduce(ReduceKind kind, const Tensor &input, ArrayRef<int64_t> dims) {
  Index kept;
  for (int64_t axis = 0; axis < input.rank(); ++axis)
    if (!llvm::is_contained(dims, axis))
      kept.push_back(axis);
  Index shape;
  for (int64_t axis : kept)
    shape.push_back(input.extent(axis));
  Tensor result(input.elementType(), shape);
  for (int64_t i = 0; i < result.size(); ++i)
    result.setReal(i, startOf(kind));
  for (int64_t i = 0; i < input.size(); ++i) {
    Index position = positionOf(i, input.shape()), to;
    for (int64_t axis : kept)
      to.push_back(position[size_t(axis)]);
    int64_t j = linearIndex(to, shape);
    result.setReal(j, combine(kind, result.real(j), input.real(i)));
  }
  return result;
}

Tensor matmul(const Tensor &lhs, const Tensor &rhs, bool transposeLhs,
              bool transposeRhs) {
  int64_t rows = lhs.extent(transposeLhs ? 1 : 0);
  int64_t inner = lhs.extent(transposeLhs ? 0 : 1);
  int64_t columns = rhs.extent(transposeRhs ? 0 : 1);
  auto left = [&](int64_t i, int64_t k) {
    return lhs.real(transposeLhs ? k * rows + i : i * inner + k);
  };
  auto right = [&](int64_t k, int64_t j) {
    return rhs.real(transposeRhs ? j * inner + k : k * columns + j);
  };
  Tensor result(lhs.elementType(), {rows, columns});
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < inner; ++k)
        sum = result.round(sum + result.round(left(i, k) * right(k, j)));
      result.setReal(i * columns + j, sum);
    }
  return result;
}

Tensor batchMatmul(const Tensor &lhs, const Tensor &rhs, bool transposeLhs,
                   bool transposeRhs) {
  auto stacked = [](const Tensor &t) {
    ArrayRef<int64_t> shape = t.shape();
    return t.reshaped(
        {sizeOf(shape.drop_back(2)), shape[shape.size() - 2], shape.back()});
  };
  Tensor a = stacked(lhs), b = stacked(rhs);
  Index shape(lhs.shape().drop_back(2));
  shape.push_back(a.extent(transposeLhs ? 2 : 1));
  shape.push_back(b.extent(transposeRhs ? 1 : 2));
  Tensor result(lhs.elementType(),
                {a.extent(0), shape[shape.size() - 2], shape.back()});
  for (int64_t i = 0; i < a.extent(0); ++i)
    result.setSlice(i,
                    matmul(a.slice(i), b.slice(i), transposeLhs, transposeRhs));
  return result.reshaped(shape);
}

Tensor argmax(const Tensor &input, Type elementType) {
  int64_t columns = input.shape().back();
  Tensor result(elementType, input.shape().drop_back());
  for (int64_t row = 0; row < result.size(); ++row) {
    int64_t best = 0;
    for (int64_t j = 1; j < columns; ++j)
      if (input.real(row * columns + j) > input.real(row * columns + best))
        best = j;
    result.setInteger(row, best);
  }
  return result;
}

} // namespace blocks::reference
