//===- ShapeWriter.cpp - Reshapes, slices, joins, transpositions ----------===//
//
// The operations of random graphs that move elements and compute nothing.
//
//===----------------------------------------------------------------------===//
#include "test/lib/Reference/random_graphs/GraphWriter.h"

#include <algorithm>

namespace blocks::testing {

std::string GraphWriter::extentOf(const RandomValue &x, size_t axis) {
  if (x.shape[axis] >= 0)
    return std::to_string(x.shape[axis]);
  std::string index =
      define("arith.constant " + std::to_string(axis) + " : index");
  return define("tensor.dim " + x.name + ", " + index + " : " + typeOf(x));
}

/// Time and batch as one axis.
RandomValue GraphWriter::join(const RandomValue &x) {
  std::vector<int> shape{stepsExtent, x.shape[2]};
  return emit("tensor.collapse_shape " + x.name + " [[0, 1], [2]] : " +
                  typeOf(x) + " into " + tensorType(shape),
              shape, x.bound);
}

/// The last axis as two.
RandomValue GraphWriter::split(const RandomValue &x) {
  std::vector<int> shape{x.shape[0], 2, x.shape[1] / 2};
  std::string rows = extentOf(x, 0);
  return emit("tensor.expand_shape " + x.name +
                  " [[0], [1, 2]] output_shape [" + rows + ", 2, " +
                  std::to_string(shape[2]) + "] : " + typeOf(x) + " into " +
                  tensorType(shape),
              shape, x.bound);
}

void GraphWriter::addReshape() {
  RandomValue x = any();
  if (x.rank() == 3 && x.shape[0] == timeExtent &&
      x.shape[1] == dynamicExtent && x.shape[2] > 0)
    return know(join(x));
  if (x.rank() == 3 && x.shape[1] > 0 && x.shape[2] > 0) {
    std::vector<int> shape{x.shape[0], x.shape[1] * x.shape[2]};
    return know(emit("tensor.collapse_shape " + x.name + " [[0], [1, 2]] : " +
                         typeOf(x) + " into " + tensorType(shape),
                     shape, x.bound));
  }
  if (x.rank() == 2 && x.shape[0] == dynamicExtent && x.shape[1] > 0 &&
      x.shape[1] % 2 == 0)
    know(split(x));
}

void GraphWriter::addTranspose() {
  RandomValue x = any();
  if (x.rank() < 2)
    return;
  std::vector<int> order, shape;
  for (int axis = 0; axis < int(x.rank()); ++axis)
    order.push_back(axis);
  std::swap(order[draw(uint32_t(x.rank()))], order[draw(uint32_t(x.rank()))]);
  for (int axis : order)
    shape.push_back(x.shape[size_t(axis)]);
  know(emit("blocks.transpose " + x.name + " permutation " + listText(order) +
                " : " + typeOf(x) + " to " + tensorType(shape),
            shape, x.bound));
}

std::string GraphWriter::window(const RandomValue &whole, size_t axis,
                                int offset, int size) {
  std::string offsets, sizes, strides;
  for (size_t i = 0; i < whole.rank(); ++i) {
    std::string comma = i ? ", " : "";
    offsets += comma + std::to_string(i == axis ? offset : 0);
    sizes += comma + (i == axis ? std::to_string(size) : extentOf(whole, i));
    strides += comma + "1";
  }
  return "[" + offsets + "] [" + sizes + "] [" + strides + "]";
}

/// A part of a static axis, or one position of it or of the batch.
void GraphWriter::addSlice() {
  RandomValue x = any();
  if (x.rank() == 0)
    return;
  size_t axis = draw(uint32_t(x.rank()));
  int extent = x.shape[axis];
  if (extent < 0 && extent != dynamicExtent)
    return;
  int offset = extent > 0 ? int(draw(uint32_t(extent))) : 0;
  int size = extent > 0 ? 1 + int(draw(uint32_t(extent - offset))) : 1;
  std::vector<int> shape = x.shape;
  if (extent < 0 || (size == 1 && coin()))
    shape.erase(shape.begin() + long(axis));
  else
    shape[axis] = size;
  know(emit("tensor.extract_slice " + x.name + window(x, axis, offset, size) +
                " : " + typeOf(x) + " to " + tensorType(shape),
            shape, x.bound));
}

/// True if `value` has the shape of `whole` but along `axis`, where its extent
/// is static and at most `most`.
static bool fitsAlong(size_t axis, const RandomValue &value,
                      const RandomValue &whole, int most) {
  std::vector<int> shape = value.shape;
  if (shape.size() != whole.rank() || shape[axis] < 0 || shape[axis] > most)
    return false;
  shape[axis] = whole.shape[axis];
  return shape == whole.shape;
}

/// A value into a larger one that differs in one static axis.
void GraphWriter::addInsertion() {
  RandomValue whole = any();
  if (whole.rank() == 0)
    return;
  size_t axis = draw(uint32_t(whole.rank()));
  std::optional<RandomValue> fitting = oneThat([&](const RandomValue &value) {
    return fitsAlong(axis, value, whole, whole.shape[axis]);
  });
  if (!fitting)
    return;
  RandomValue part = *fitting;
  int size = part.shape[axis];
  int offset = int(draw(uint32_t(whole.shape[axis] - size + 1)));
  know(emit("tensor.insert_slice " + part.name + " into " + whole.name +
                window(whole, axis, offset, size) + " : " + typeOf(part) +
                " into " + typeOf(whole),
            whole.shape, std::max(whole.bound, part.bound)));
}

/// Two values one behind the other along a static axis.
void GraphWriter::addConcat() {
  RandomValue a = any();
  if (a.rank() == 0)
    return;
  size_t axis = draw(uint32_t(a.rank()));
  if (a.shape[axis] < 0 || a.shape[axis] > 6)
    return;
  RandomValue b = *oneThat(
      [&](const RandomValue &value) { return fitsAlong(axis, value, a, 6); });
  std::vector<int> shape = a.shape;
  shape[axis] += b.shape[axis];
  know(emit("tensor.concat dim(" + std::to_string(axis) + ") " + a.name + ", " +
                b.name + " : (" + typeOf(a) + ", " + typeOf(b) + ") -> " +
                tensorType(shape),
            shape, std::max(a.bound, b.bound)));
}

} // namespace blocks::testing
