//===- TensorArray.cpp - Between tensors and the runtime's arrays ---------===//
#include "lib/Reference/Tensor.h"

#include <llvm/Support/Error.h>

#include <cstring>

using namespace mlir;

namespace blocks::reference {

llvm::Expected<DType> dtypeOf(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  for (DType dtype :
       {DType::Bool, DType::Int8, DType::Int16, DType::Int32, DType::Int64,
        DType::UInt8, DType::UInt16, DType::UInt32, DType::UInt64,
        DType::Float16, DType::Float32, DType::Float64})
    if (dtypeName(dtype) == name)
      return dtype;
  return llvm::createStringError("arrays cannot hold elements of type " + name);
}

/// Element `i` of `array`, read as T.
template <typename T> static T load(const ArrayView &array, int64_t i) {
  T value;
  std::memcpy(&value, array.data + size_t(i) * sizeof(T), sizeof(T));
  return value;
}

/// The number that 16 bits of half precision mean.
static double halfValue(uint16_t bits) {
  return llvm::APFloat(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits))
      .convertToDouble();
}

static uint16_t halfBits(double value) {
  llvm::APFloat half(value);
  bool inexact;
  half.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven,
               &inexact);
  return uint16_t(half.bitcastToAPInt().getZExtValue());
}

static double realElement(const ArrayView &array, int64_t i) {
  if (array.dtype == DType::Float16)
    return halfValue(load<uint16_t>(array, i));
  if (array.dtype == DType::Float32)
    return double(load<float>(array, i));
  return load<double>(array, i);
}

/// The bits of an integer of any width, zero-extended; storing wraps them.
static int64_t integerBits(const ArrayView &array, int64_t i) {
  switch (dtypeSize(array.dtype)) {
  case 1:
    return load<uint8_t>(array, i);
  case 2:
    return load<uint16_t>(array, i);
  case 4:
    return load<uint32_t>(array, i);
  default:
    return load<int64_t>(array, i);
  }
}

Tensor fromArray(const ArrayView &array, Type elementType) {
  Tensor result(elementType, array.shape);
  for (int64_t i = 0; i < result.size(); ++i)
    if (result.isReal())
      result.setReal(i, realElement(array, i));
    else
      result.setInteger(i, integerBits(array, i));
  return result;
}

static void storeReal(Array &array, int64_t i, double value) {
  if (array.dtype() == DType::Float16)
    array.as<uint16_t>()[i] = halfBits(value);
  else if (array.dtype() == DType::Float32)
    array.as<float>()[i] = float(value);
  else
    array.as<double>()[i] = value;
}

llvm::Expected<Array> toArray(const Tensor &tensor) {
  llvm::Expected<DType> dtype = dtypeOf(tensor.elementType());
  if (!dtype)
    return dtype.takeError();
  Array array(*dtype, Shape(tensor.shape().begin(), tensor.shape().end()));
  size_t bytes = dtypeSize(*dtype);
  for (int64_t i = 0; i < tensor.size(); ++i)
    if (tensor.isReal()) {
      storeReal(array, i, tensor.real(i));
    } else {
      int64_t value = tensor.integer(i); // little-endian: low bytes first
      std::memcpy(array.data() + size_t(i) * bytes, &value, bytes);
    }
  return array;
}

} // namespace blocks::reference
