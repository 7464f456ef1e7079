//===- Softmax.cpp - Softmax, cross-entropy, picking by label -------------===//
//
// All work along the last axis, row by row. A label out of range contributes 0
// to cost and gradient; Evaluate.cpp reports it.
//
//===----------------------------------------------------------------------===//
#include "lib/Reference/Ops.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace blocks::reference {

static int64_t columnsOf(const Tensor &rows) { return rows.shape().back(); }

/// The number of rows; the product of all axes but the last.
static int64_t rowsOf(const Tensor &rows) {
  return sizeOf(rows.shape().drop_back());
}

namespace {
/// The largest element of a row and Σ exp(x - max).
struct RowSums {
  double max, sumOfExponentials;
};
} // namespace

static bool takesPart(const Tensor *mask, int64_t i) {
  return !mask || mask->integer(i) != 0;
}

static RowSums rowSums(const Tensor &x, int64_t row,
                       const Tensor *mask = nullptr) {
  int64_t columns = columnsOf(x), begin = row * columns, end = begin + columns;
  double max = -std::numeric_limits<double>::infinity();
  for (int64_t i = begin; i < end; ++i)
    if (takesPart(mask, i))
      max = std::fmax(max, x.real(i));
  double sum = 0;
  for (int64_t i = begin; i < end; ++i)
    if (takesPart(mask, i))
      sum = x.round(sum + x.round(std::exp(x.round(x.real(i) - max))));
  return {max, sum};
}

Tensor softmax(const Tensor &x, const Tensor *mask) {
  Tensor result(x.elementType(), x.shape()); // zeros
  int64_t columns = columnsOf(x);
  for (int64_t row = 0; row < rowsOf(x); ++row) {
    RowSums sums = rowSums(x, row, mask);
    for (int64_t i = row * columns; i < (row + 1) * columns; ++i)
      if (takesPart(mask, i))
        result.setReal(i, x.round(std::exp(x.round(x.real(i) - sums.max))) /
                              sums.sumOfExponentials);
  }
  return result;
}

Tensor logSoftmax(const Tensor &x) {
  Tensor result(x.elementType(), x.shape());
  int64_t columns = columnsOf(x);
  for (int64_t row = 0; row < rowsOf(x); ++row) {
    RowSums sums = rowSums(x, row);
    for (int64_t i = row * columns; i < (row + 1) * columns; ++i)
      result.setReal(i, x.round(x.real(i) - sums.max) -
                            x.round(std::log(sums.sumOfExponentials)));
  }
  return result;
}

//===--- Labels -----------------------------------------------------------===//

static bool inRange(int64_t label, int64_t limit) {
  return label >= 0 && label < limit;
}

std::optional<BadLabel> findBadLabel(const Tensor &labels, int64_t limit) {
  for (int64_t row = 0; row < labels.size(); ++row)
    if (!inRange(labels.integer(row), limit))
      return BadLabel{row, labels.integer(row), limit};
  return std::nullopt;
}

/// -Σ_j label[row, j]·lp[row, j].
static double distributionCost(const Tensor &logProbabilities,
                               const Tensor &labels, int64_t row) {
  int64_t columns = columnsOf(logProbabilities);
  double sum = 0;
  for (int64_t i = row * columns; i < (row + 1) * columns; ++i)
    sum = labels.round(sum +
                       labels.round(labels.real(i) * logProbabilities.real(i)));
  return -sum;
}

Tensor crossEntropy(const Tensor &logProbabilities, const Tensor &labels) {
  int64_t columns = columnsOf(logProbabilities);
  Tensor cost(logProbabilities.elementType(),
              logProbabilities.shape().drop_back());
  for (int64_t row = 0; row < cost.size(); ++row)
    if (labels.isReal())
      cost.setReal(row, distributionCost(logProbabilities, labels, row));
    else if (inRange(labels.integer(row), columns))
      cost.setReal(row,
                   -logProbabilities.real(row * columns + labels.integer(row)));
  return cost;
}

/// Σ_j label[row, j], or 1 for an integer label.
static double labelMass(const Tensor &labels, int64_t row, int64_t columns) {
  if (!labels.isReal())
    return 1;
  double sum = 0;
  for (int64_t i = row * columns; i < (row + 1) * columns; ++i)
    sum = labels.round(sum + labels.real(i));
  return sum;
}

/// The label's part in column j: the distribution's, or one-hot.
static double labelAt(const Tensor &labels, int64_t row, int64_t j,
                      int64_t columns) {
  return labels.isReal() ? labels.real(row * columns + j)
                         : (labels.integer(row) == j ? 1 : 0);
}

Tensor crossEntropyGradient(const Tensor &lp, const Tensor &labels,
                            const Tensor &gradient) {
  int64_t columns = columnsOf(lp);
  Tensor result(lp.elementType(), lp.shape());
  for (int64_t row = 0; row < rowsOf(lp); ++row) {
    if (!labels.isReal() && !inRange(labels.integer(row), columns))
      continue;
    double mass = labelMass(labels, row, columns);
    for (int64_t j = 0; j < columns; ++j) {
      double p = lp.round(std::exp(lp.real(row * columns + j)));
      double difference =
          lp.round(lp.round(p * mass) - labelAt(labels, row, j, columns));
      result.setReal(row * columns + j, difference * gradient.real(row));
    }
  }
  return result;
}

Tensor pick(const Tensor &input, const Tensor &indices) {
  int64_t columns = columnsOf(input);
  Tensor result(input.elementType(), indices.shape());
  for (int64_t row = 0; row < result.size(); ++row)
    if (inRange(indices.integer(row), columns))
      result.setElement(row, input, row * columns + indices.integer(row));
  return result;
}

Tensor unpick(const Tensor &input, const Tensor &indices, const Tensor &like) {
  int64_t columns = columnsOf(like);
  Tensor result(input.elementType(), like.shape());
  for (int64_t row = 0; row < indices.size(); ++row)
    if (inRange(indices.integer(row), columns))
      result.setElement(row * columns + indices.integer(row), input, row);
  return result;
}

} // namespace blocks::reference
