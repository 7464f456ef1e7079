//===- Shapes.cpp - Broadcast, transposes, slices
//----------------------------===//
#include "lib/Reference/Ops.h"

using namespace mlir;

namespace blocks::reference {

Tensor broadcast(const Tensor &input, ArrayRef<int64_t> shape,
                 ArrayRef<int64_t> dims) {
  Tensor result(input.elementType(), shape);
  for (int64_t i = 0; i < result.size(); ++i) {
    Index position = positionOf(i, shape), from;
    for (int64_t axis : dims)
      from.push_back(position[size_t(axis)]);
    result.setElement(i, input, linearIndex(from, input.shape()));
  }
  return result;
}

Tensor transpose(const Tensor &input, ArrayRef<int64_t> permutation) {
  Index shape, from(size_t(input.rank()));
  for (int64_t axis : permutation)
    shape.push_back(input.extent(axis));
  Tensor result(input.elementType(), shape);
  for (int64_t i = 0; i < result.size(); ++i) {
    Index position = positionOf(i, shape);
    for (auto [axis, source] : llvm::enumerate(permutation))
      from[size_t(source)] = position[axis];
    result.setElement(i, input, linearIndex(from, input.shape()));
  }
  return result;
}

Tensor extent(const Tensor &input, ArrayRef<int64_t> dims, Type elementType) {
  int64_t product = 1;
  for (int64_t axis : dims)
    product *= input.extent(axis);
  return Tensor::scalar(elementType, double(product));
}

/// Where element `i` of a slice of shape `sizes` lies in the whole.
static int64_t placeInWhole(int64_t i, const Tensor &whole,
                            ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                            ArrayRef<int64_t> strides) {
  Index position = positionOf(i, sizes);
  for (size_t axis = 0; axis < position.size(); ++axis)
    position[axis] = offsets[axis] + position[axis] * strides[axis];
  return linearIndex(position, whole.shape());
}

Tensor extractSlice(const Tensor &input, ArrayRef<int64_t> offsets,
                    ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  Tensor result(input.elementType(), sizes);
  for (int64_t i = 0; i < result.size(); ++i)
    result.setElement(i, input,
                      placeInWhole(i, input, offsets, sizes, strides));
  return result;
}

Tensor insertSlice(const Tensor &source, Tensor into, ArrayRef<int64_t> offsets,
                   ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  for (int64_t i = 0; i < source.size(); ++i)
    into.setElement(placeInWhole(i, into, offsets, sizes, strides), source, i);
  return into;
}

Tensor concat(Operands parts, int64_t axis) {
  Index shape(parts[0]->shape());
  shape[size_t(axis)] = 0;
  for (const Tensor *part : parts)
    shape[size_t(axis)] += part->extent(axis);
  Tensor result(parts[0]->elementType(), shape);
  Index offsets(shape.size(), 0), strides(shape.size(), 1);
  for (const Tensor *part : parts) {
    result =
        insertSlice(*part, std::move(result), offsets, part->shape(), strides);
    offsets[size_t(axis)] += part->extent(axis);
  }
  return result;
}

} // namespace blocks::reference
