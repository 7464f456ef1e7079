//===- Casts.cpp - Conversions of the element type ------------------------===//
//
// blocks.cast reads signedness off the types. arith has signless integers, and
// its operations say how they read them: sitofp signed, uitofp as bits.
//
//===----------------------------------------------------------------------===//
#include "lib/Reference/Ops.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/APSInt.h>
#include <llvm/ADT/TypeSwitch.h>

#include <cmath>

using namespace mlir;

namespace blocks::reference {

/// Toward zero; beyond the type's range its nearest end, and 0 for NaN.
static int64_t truncateReal(double value, Type type, bool isUnsigned) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  llvm::APSInt integer(width, isUnsigned);
  bool exact;
  llvm::APFloat(value).convertToInteger(integer, llvm::APFloat::rmTowardZero,
                                        &exact);
  return isUnsigned ? int64_t(integer.getZExtValue()) : integer.getSExtValue();
}

/// i1 and ui… count from 0 up; signless wider integers are signed.
static bool countsUnsigned(Type type) {
  return type.isUnsignedInteger() || type.isInteger(1);
}

static double realOf(const Tensor &tensor, int64_t i, bool isUnsigned) {
  int64_t value = tensor.integer(i);
  return isUnsigned ? double(unsignedBits(value, tensor.elementType()))
                    : double(value);
}

static Tensor realToReal(const Tensor &input, Type to) {
  Tensor result(to, input.shape());
  for (int64_t i = 0; i < input.size(); ++i)
    result.setReal(i, input.real(i));
  return result;
}

static Tensor realToInteger(const Tensor &input, Type to, bool isUnsigned) {
  Tensor result(to, input.shape());
  for (int64_t i = 0; i < input.size(); ++i)
    result.setInteger(i, truncateReal(input.real(i), to, isUnsigned));
  return result;
}

static Tensor integerToReal(const Tensor &input, Type to, bool isUnsigned) {
  Tensor result(to, input.shape());
  for (int64_t i = 0; i < input.size(); ++i)
    result.setReal(i, realOf(input, i, isUnsigned));
  return result;
}

/// Wraps to a narrower type; extends to a wider one.
static Tensor integerToInteger(const Tensor &input, Type to, bool isUnsigned) {
  Tensor result(to, input.shape());
  for (int64_t i = 0; i < input.size(); ++i) {
    int64_t value = input.integer(i);
    result.setInteger(i, isUnsigned
                             ? int64_t(unsignedBits(value, input.elementType()))
                             : value);
  }
  return result;
}

/// True for what is not 0, a NaN included.
static Tensor toTruth(const Tensor &input, Type to) {
  Tensor result(to, input.shape());
  for (int64_t i = 0; i < input.size(); ++i)
    result.setInteger(i, input.isReal() ? input.real(i) != 0
                                        : input.integer(i) != 0);
  return result;
}

Tensor cast(const Tensor &input, Type to) {
  if (to.isInteger(1))
    return toTruth(input, to);
  bool toReal = isa<FloatType>(to);
  if (input.isReal())
    return toReal ? realToReal(input, to)
                  : realToInteger(input, to, countsUnsigned(to));
  bool isUnsigned = countsUnsigned(input.elementType());
  return toReal ? integerToReal(input, to, isUnsigned)
                : integerToInteger(input, to, isUnsigned);
}

/// Each bit pattern of a 1-bit integer read with a sign is 0 or -1.
static Tensor signExtendBits(const Tensor &input, Type to) {
  if (!input.elementType().isInteger(1))
    return integerToInteger(input, to, false);
  Tensor result(to, input.shape());
  for (int64_t i = 0; i < input.size(); ++i)
    result.setInteger(i, -input.integer(i));
  return result;
}

std::optional<Tensor> arithCast(Operation *op, const Tensor &input) {
  Type to = getElementTypeOrSelf(op->getResult(0));
  return llvm::TypeSwitch<Operation *, std::optional<Tensor>>(op)
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [&](auto) { return realToReal(input, to); })
      .Case([&](arith::FPToSIOp) { return realToInteger(input, to, false); })
      .Case([&](arith::FPToUIOp) { return realToInteger(input, to, true); })
      .Case([&](arith::SIToFPOp) {
        return integerToReal(
            signExtendBits(input, IntegerType::get(op->getContext(), 64)), to,
            false);
      })
      .Case([&](arith::UIToFPOp) { return integerToReal(input, to, true); })
      .Case<arith::ExtSIOp, arith::IndexCastOp>(
          [&](auto) { return signExtendBits(input, to); })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp, arith::TruncIOp>(
          [&](auto) { return integerToInteger(input, to, true); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace blocks::reference
