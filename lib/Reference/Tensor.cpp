//===- Tensor.cpp - Elements, rounding, wrapping --------------------------===//
#include "lib/Reference/Tensor.h"

#include <llvm/ADT/APFloat.h>
#include <mlir/IR/Builders.h>

#include <numeric>

using namespace mlir;

namespace blocks::reference {

int64_t sizeOf(ArrayRef<int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                         std::multiplies<>());
}

int64_t linearIndex(ArrayRef<int64_t> position, ArrayRef<int64_t> shape) {
  int64_t linear = 0;
  for (auto [p, extent] : llvm::zip(position, shape))
    linear = linear * extent + p;
  return linear;
}

Index positionOf(int64_t linear, ArrayRef<int64_t> shape) {
  Index position(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    position[axis] = linear % shape[axis];
    linear /= shape[axis];
  }
  return position;
}

//===--- Numbers ----------------------------------------------------------===//

static unsigned widthOf(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

uint64_t unsignedBits(int64_t value, Type type) {
  unsigned width = widthOf(type);
  return width >= 64 ? uint64_t(value)
                     : uint64_t(value) & ((uint64_t(1) << width) - 1);
}

int64_t wrapInteger(int64_t bits, Type type) {
  unsigned width = widthOf(type);
  uint64_t low = unsignedBits(bits, type);
  if (width >= 64 || width == 1 || type.isUnsignedInteger())
    return int64_t(low);
  bool negative = (low >> (width - 1)) & 1;
  return negative ? int64_t(low) - (int64_t(1) << width) : int64_t(low);
}

double Tensor::round(double value) const {
  if (type.isF64())
    return value;
  if (type.isF32())
    return double(float(value));
  llvm::APFloat narrow(value);
  bool inexact;
  narrow.convert(cast<FloatType>(type).getFloatSemantics(),
                 llvm::APFloat::rmNearestTiesToEven, &inexact);
  return narrow.convertToDouble();
}

//===--- Tensor -----------------------------------------------------------===//

Tensor::Tensor(Type elementType, ArrayRef<int64_t> shape)
    : type(elementType), extents(shape), count(sizeOf(shape)) {
  if (isReal())
    reals.resize(size_t(count));
  else
    integers.resize(size_t(count));
}

void Tensor::setReal(int64_t i, double value) {
  reals[size_t(i)] = round(value);
}

void Tensor::setInteger(int64_t i, int64_t value) {
  integers[size_t(i)] = wrapInteger(value, type);
}

void Tensor::setElement(int64_t i, const Tensor &from, int64_t j) {
  if (isReal())
    reals[size_t(i)] = from.reals[size_t(j)];
  else
    integers[size_t(i)] = from.integers[size_t(j)];
}

Tensor Tensor::scalar(Type elementType, double value) {
  Tensor result(elementType, {});
  if (result.isReal())
    result.setReal(0, value);
  else
    result.setInteger(0, int64_t(value));
  return result;
}

Tensor Tensor::index(MLIRContext *context, int64_t value) {
  Tensor result(IndexType::get(context), {});
  result.setInteger(0, value);
  return result;
}

static int64_t numberOf(const llvm::APInt &value, Type type) {
  return type.isUnsignedInteger() || value.getBitWidth() == 1
             ? int64_t(value.getZExtValue())
             : value.getSExtValue();
}

FailureOr<Tensor> Tensor::fromAttribute(Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return scalar(number.getType(), number.getValueAsDouble());
  if (auto number = dyn_cast<IntegerAttr>(attribute)) {
    Tensor result(number.getType(), {});
    result.setInteger(0, numberOf(number.getValue(), number.getType()));
    return result;
  }
  auto dense = dyn_cast<DenseElementsAttr>(attribute);
  if (!dense)
    return failure();
  Tensor result(dense.getElementType(), dense.getType().getShape());
  int64_t i = 0;
  if (isa<FloatType>(dense.getElementType()))
    for (APFloat value : dense.getValues<APFloat>()) {
      bool inexact;
      value.convert(llvm::APFloat::IEEEdouble(),
                    llvm::APFloat::rmNearestTiesToEven, &inexact);
      result.setReal(i++, value.convertToDouble());
    }
  else
    for (const APInt &value : dense.getValues<APInt>())
      result.setInteger(i++, numberOf(value, dense.getElementType()));
  return result;
}

Tensor Tensor::reshaped(ArrayRef<int64_t> shape) const {
  Tensor result = *this;
  result.extents.assign(shape.begin(), shape.end());
  return result;
}

Tensor Tensor::slice(int64_t i) const {
  Tensor result(type, shape().drop_front());
  for (int64_t j = 0; j < result.size(); ++j)
    result.setElement(j, *this, i * result.size() + j);
  return result;
}

void Tensor::setSlice(int64_t i, const Tensor &slice) {
  for (int64_t j = 0; j < slice.size(); ++j)
    setElement(i * slice.size() + j, slice, j);
}

} // namespace blocks::reference
