// Schemes that are made of others or hold lists: see Initialization.h.
#include "runtime/Parameters/Schemes.h"

#include <algorithm>

namespace blocks {

namespace {

double elementOf(const Array &part, int64_t i) { return part.as<double>()[i]; }

/// Which axes of a sparse scheme are its rows.
std::vector<bool> rowAxes(const StateSpec &spec) {
  std::vector<bool> rows(spec.shape.size(), false);
  if (spec.initializer.kind == "sparse") {
    if (spec.shape.size() != 2)
      fail(spec, "it needs a matrix");
    rows[0] = true;
    return rows;
  }
  for (size_t i = 0;; ++i) {
    auto axis = spec.initializer.values.find("axis" + std::to_string(i));
    if (axis == spec.initializer.values.end())
      return rows;
    if (axis->second < 0 || axis->second >= double(spec.shape.size()))
      fail(spec, "it has no axis " + std::to_string(int64_t(axis->second)));
    rows[size_t(axis->second)] = true;
  }
}

/// Where element `column` of row `row` lies: both count row-major, over the
/// axes that are rows and over the others.
int64_t placeOf(const StateSpec &spec, const std::vector<bool> &rows,
                int64_t row, int64_t column) {
  int64_t place = 0, stride = 1;
  for (size_t axis = spec.shape.size(); axis-- > 0;) {
    int64_t &rest = rows[axis] ? row : column;
    place += rest % spec.shape[axis] * stride;
    rest /= spec.shape[axis];
    stride *= spec.shape[axis];
  }
  return place;
}

} // namespace

void fillSparse(Array &array, const StateSpec &spec, uint64_t seed) {
  if (spec.initializer.parts.size() != 2)
    fail(spec,
         "it needs a scheme for the chosen elements and one for the rest");
  std::vector<bool> isRow = rowAxes(spec);
  int64_t rows = 1, columns = 1;
  for (size_t axis = 0; axis < spec.shape.size(); ++axis)
    (isRow[axis] ? rows : columns) *= spec.shape[axis];
  auto given = spec.initializer.values.find("num_init");
  if (given == spec.initializer.values.end() || !(given->second > 0))
    fail(spec, "it needs 'num_init'");
  int64_t count = int64_t(given->second < 1 ? given->second * double(columns)
                                            : given->second);
  if (count > columns)
    fail(spec, "a row has " + std::to_string(columns) +
                   " elements, fewer than " + std::to_string(count));
  Array rest = drawPart(spec, 1, spec.initializer.parts[1], spec.shape, seed);
  for (int64_t i = 0; i < rest.size(); ++i)
    store(array, i, elementOf(rest, i));
  Array weights =
      drawPart(spec, 0, spec.initializer.parts[0], {rows, count}, seed);
  std::vector<int64_t> chosen = drawChoices(spec, rows, count, columns, seed);
  for (int64_t i = 0; i < rows * count; ++i)
    store(array, placeOf(spec, isRow, i / count, chosen[size_t(i)]),
          elementOf(weights, i));
}

void fillArray(Array &array, const StateSpec &spec) {
  const auto &values = spec.initializer.values;
  Shape own;
  for (size_t i = 0;; ++i) {
    auto extent = values.find("extent" + std::to_string(i));
    if (extent == values.end())
      break;
    own.push_back(int64_t(extent->second));
  }
  size_t rank = spec.shape.size(), missing = rank - own.size();
  bool fits = own.size() <= rank;
  for (size_t i = 0; fits && i < own.size(); ++i)
    fits = own[i] == 1 || own[i] == spec.shape[missing + i];
  if (!fits)
    fail(spec, "its array has shape " + formatShape(own));
  for (int64_t i = 0; i < array.size(); ++i) {
    int64_t rest = i, place = 0, stride = 1;
    for (size_t axis = own.size(); axis-- > 0;) {
      int64_t extent = spec.shape[missing + axis];
      place += own[axis] == 1 ? 0 : rest % extent * stride;
      rest /= extent;
      stride *= own[axis];
    }
    auto value = values.find(std::to_string(place));
    if (value == values.end())
      fail(spec, "its array has no element " + std::to_string(place));
    store(array, i, value->second);
  }
}

void fillPermutation(Array &array, const StateSpec &spec, uint64_t seed) {
  if (spec.shape.size() != 2 || spec.shape[0] != spec.shape[1])
    fail(spec, "it needs a square matrix");
  int64_t n = spec.shape[0];
  std::vector<int64_t> order;
  if (spec.initializer.values.empty())
    order = drawChoices(spec, 1, n, n, seed);
  for (int64_t column = 0; column < int64_t(spec.initializer.values.size());
       ++column) {
    auto row = spec.initializer.values.find(std::to_string(column));
    if (row == spec.initializer.values.end() || row->second < 0 ||
        row->second >= double(n))
      fail(spec,
           "its permutation has no valid number " + std::to_string(column));
    order.push_back(int64_t(row->second));
  }
  if (int64_t(order.size()) != n)
    fail(spec,
         "its permutation has " + std::to_string(order.size()) + " numbers");
  for (int64_t i = 0; i < n * n; ++i)
    store(array, i, order[size_t(i % n)] == i / n ? 1 : 0);
}

void fillGates(Array &array, const StateSpec &spec, uint64_t seed) {
  int64_t count = int64_t(spec.initializer.parts.size());
  if (count == 0 || spec.shape.empty() || spec.shape.back() % count != 0)
    fail(spec, "its " + std::to_string(count) +
                   " parts cannot share the last axis equally");
  int64_t columns = spec.shape.back(), width = columns / count;
  Shape shape = spec.shape;
  shape.back() = width;
  for (int64_t gate = 0; gate < count; ++gate) {
    Array part = drawPart(spec, size_t(gate),
                          spec.initializer.parts[size_t(gate)], shape, seed);
    for (int64_t i = 0; i < part.size(); ++i)
      store(array, i / width * columns + gate * width + i % width,
            elementOf(part, i));
  }
}

} // namespace blocks
