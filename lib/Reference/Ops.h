//===- Ops.h - What each operation computes -------------------------------===//
//
// One plain function for each tensor operation, by family: this is the place to
// look up what an operation means. Shapes were checked by the caller
// (Evaluate.cpp). Every scalar step is rounded to the element type, and every
// sum is taken in row-major order of its input, from left to right.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_REFERENCE_OPS_H
#define LIB_REFERENCE_OPS_H

#include "dialects/Blocks/Blocks.h"
#include "lib/Reference/Tensor.h"

#include <array>
#include <optional>

namespace blocks::reference {

using Operands = llvm::ArrayRef<const Tensor *>;

//===--- Shapes (Shapes.cpp) ----------------------------------------------===//

Tensor broadcast(const Tensor &input, llvm::ArrayRef<int64_t> shape,
                 llvm::ArrayRef<int64_t> dims);
/// Axis i of the result is axis permutation[i] of the input.
Tensor transpose(const Tensor &input, llvm::ArrayRef<int64_t> permutation);
/// The product of the extents of the axes `dims`.
Tensor extent(const Tensor &input, llvm::ArrayRef<int64_t> dims,
              mlir::Type elementType);
/// `sizes` elements along each axis from `offsets` on, `strides` apart.
Tensor extractSlice(const Tensor &input, llvm::ArrayRef<int64_t> offsets,
                    llvm::ArrayRef<int64_t> sizes,
                    llvm::ArrayRef<int64_t> strides);
/// `into` with the elements that extractSlice would take replaced.
Tensor insertSlice(const Tensor &source, Tensor into,
                   llvm::ArrayRef<int64_t> offsets,
                   llvm::ArrayRef<int64_t> sizes,
                   llvm::ArrayRef<int64_t> strides);
/// Several tensors one after the other along an axis.
Tensor concat(Operands parts, int64_t axis);

//===--- Elementwise (Elementwise.cpp, Casts.cpp) -------------------------===//

/// Any operation of arith and math on tensors of one shape, or on scalars; none
/// if the operation is unknown.
std::optional<Tensor> elementwise(mlir::Operation *op, Operands in);
Tensor rectifier(const Tensor &input, double leak);
Tensor logistic(const Tensor &input);
/// blocks.cast: signedness is in the types; floats truncate toward zero and
/// saturate.
Tensor cast(const Tensor &input, mlir::Type elementType);
/// The conversions of arith, where the operation says what is signed.
std::optional<Tensor> arithCast(mlir::Operation *op, const Tensor &input);

//===--- Reductions and products (Reductions.cpp) -------------------------===//

Tensor reduce(ReduceKind kind, const Tensor &input,
              llvm::ArrayRef<int64_t> dims);
Tensor matmul(const Tensor &lhs, const Tensor &rhs, bool transposeLhs,
              bool transposeRhs);
/// A product for each position of the leading axes.
Tensor batchMatmul(const Tensor &lhs, const Tensor &rhs, bool transposeLhs,
                   bool transposeRhs);
/// The first of the largest elements of each row.
Tensor argmax(const Tensor &input, mlir::Type elementType);

//===--- Rows by number (Gather.cpp) --------------------------------------===//

/// The slices of `table` along axis 0 that `indices` name; zeros where an index
/// is out of range.
Tensor gather(const Tensor &table, const Tensor &indices);
/// Zeros of shape `shape` plus each slice of `rows` at its index, in order.
Tensor scatterAdd(const Tensor &rows, const Tensor &indices,
                  llvm::ArrayRef<int64_t> shape);

//===--- Softmax, labels (Softmax.cpp) ------------------------------------===//

/// Only positions where `mask`, if there is one, is true take part.
Tensor softmax(const Tensor &input, const Tensor *mask = nullptr);
Tensor logSoftmax(const Tensor &input);
/// One cost for each row of log-probabilities.
Tensor crossEntropy(const Tensor &logProbabilities, const Tensor &labels);
Tensor crossEntropyGradient(const Tensor &logProbabilities,
                            const Tensor &labels, const Tensor &gradient);
Tensor pick(const Tensor &input, const Tensor &indices);
Tensor unpick(const Tensor &input, const Tensor &indices, const Tensor &like);

struct BadLabel {
  int64_t row, value, limit;
};
/// The first label outside of 0 … limit-1, if there is one.
std::optional<BadLabel> findBadLabel(const Tensor &labels, int64_t limit);

//===--- Convolutions, pools (Convolution.cpp) ----------------------------===//

/// How a kernel or window moves; the last two axes.
struct Windows {
  std::array<int64_t, 2> extents, strides,
      low; ///< `low`: top and left padding.
  bool flipped = false;
};
/// Each gets the shape of its result; a convolution's extents are those of its
/// filters, whatever `windows` says.
Tensor convolution(const Tensor &image, const Tensor &filters,
                   llvm::ArrayRef<int64_t> shape, const Windows &windows);
Tensor convolutionInputGrad(const Tensor &gradient, const Tensor &filters,
                            llvm::ArrayRef<int64_t> shape,
                            const Windows &windows);
Tensor convolutionFilterGrad(const Tensor &image, const Tensor &gradient,
                             llvm::ArrayRef<int64_t> shape,
                             const Windows &windows);
Tensor pool(PoolKind kind, const Tensor &image, llvm::ArrayRef<int64_t> shape,
            const Windows &windows);
Tensor poolGrad(PoolKind kind, const Tensor &image, const Tensor &gradient,
                const Windows &windows);

//===--- Random numbers (Random.cpp) --------------------------------------===//

/// Where in the sequence of random numbers an operation stands.
struct RandomPlace {
  uint64_t seed;
  uint32_t site, step, loopIndex;
};
Tensor random(RandomKind kind, const RandomPlace &place,
              llvm::ArrayRef<int64_t> shape, mlir::Type elementType);

} // namespace blocks::reference

#endif
