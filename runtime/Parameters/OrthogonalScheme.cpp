// Random orthogonal matrices: see Initialization.h. The decomposition is Gram
// and Schmidt's, modified, with all sums in the order of the rows: additions,
// products, quotients and square roots in double are the same everywhere, and
// compiled without contraction they give the same bits. The columns of random
// matrices are far from dependent, so that this is as good as reflections here.
#include "runtime/Parameters/Schemes.h"

#include <algorithm>
#include <cmath>

namespace blocks {

namespace {

using Matrix = std::vector<double>; // row-major

/// rows × columns (columns ≤ rows) deviates of part `i`, made orthonormal
/// column by column; R of this decomposition has a positive diagonal.
Matrix orthonormalColumns(const StateSpec &spec, size_t i, int64_t rows,
                          int64_t columns, uint64_t seed) {
  Array drawn =
      drawPart(spec, i, {"isotropic_gaussian", {}, {}}, {rows, columns}, seed);
  Matrix a(drawn.as<double>(), drawn.as<double>() + drawn.size());
  std::vector<double> products(static_cast<size_t>(columns));
  for (int64_t j = 0; j < columns; ++j) {
    double square = 0;
    for (int64_t row = 0; row < rows; ++row)
      square += a[size_t(row * columns + j)] * a[size_t(row * columns + j)];
    double norm = std::sqrt(square);
    std::fill(products.begin(), products.end(), 0);
    for (int64_t row = 0; row < rows; ++row) {
      double *line = &a[size_t(row * columns)];
      line[j] /= norm;
      for (int64_t k = j + 1; k < columns; ++k)
        products[size_t(k)] += line[j] * line[k];
    }
    for (int64_t row = 0; row < rows; ++row) {
      double *line = &a[size_t(row * columns)];
      for (int64_t k = j + 1; k < columns; ++k)
        line[k] -= line[j] * products[size_t(k)];
    }
  }
  return a;
}

} // namespace

void fillOrthogonal(Array &array, const StateSpec &spec, uint64_t seed) {
  double scale = Values(spec, {"scale"}).get("scale", 1);
  if (spec.shape.size() != 2)
    fail(spec, "it needs a matrix");
  int64_t rows = spec.shape[0], columns = spec.shape[1];
  int64_t inner = std::min(rows, columns);
  Matrix left = orthonormalColumns(spec, 0, rows, inner, seed);
  if (rows == columns) {
    for (int64_t i = 0; i < rows * columns; ++i)
      store(array, i, left[size_t(i)] * scale);
    return;
  }
  // The other factor's rows are the transposed columns of its own matrix.
  Matrix right = orthonormalColumns(spec, 1, columns, inner, seed);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < inner; ++k)
        sum += left[size_t(i * inner + k)] * right[size_t(j * inner + k)];
      store(array, i * columns + j, sum * scale);
    }
}

} // namespace blocks
