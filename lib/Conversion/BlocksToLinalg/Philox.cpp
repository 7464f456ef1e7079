//===- Philox.cpp - The counter-based generator in arith operations -------===//
#include "lib/Conversion/BlocksToLinalg/Philox.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

using namespace mlir;

namespace blocks {

static Value constant32(OpBuilder &builder, Location loc, uint32_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI32IntegerAttr(int32_t(value)));
}

/// High and low word of a product of 32-bit words.
static std::pair<Value, Value> multiplyWide(OpBuilder &builder, Location loc,
                                            uint32_t factor, Value x) {
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  Value wide = arith::ExtUIOp::create(builder, loc, i64, x);
  Value product = arith::MulIOp::create(
      builder, loc, wide,
      arith::ConstantOp::create(builder, loc,
                                builder.getI64IntegerAttr(factor)));
  Value shift =
      arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(32));
  Value high = arith::TruncIOp::create(
      builder, loc, i32, arith::ShRUIOp::create(builder, loc, product, shift));
  Value low = arith::TruncIOp::create(builder, loc, i32, product);
  return {high, low};
}

static Value exclusiveOr(OpBuilder &builder, Location loc, Value a, Value b,
                         Value c) {
  return arith::XOrIOp::create(builder, loc,
                               arith::XOrIOp::create(builder, loc, a, b), c);
}

std::array<Value, 4> emitPhilox(OpBuilder &builder, Location loc,
                                std::array<Value, 4> counter,
                                std::array<Value, 2> key) {
  for (uint32_t round = 0; round < 10; ++round) {
    Value k0 = arith::AddIOp::create(
        builder, loc, key[0], constant32(builder, loc, round * 0x9E3779B9u));
    Value k1 = arith::AddIOp::create(
        builder, loc, key[1], constant32(builder, loc, round * 0xBB67AE85u));
    auto [high0, low0] = multiplyWide(builder, loc, 0xD2511F53u, counter[0]);
    auto [high1, low1] = multiplyWide(builder, loc, 0xCD9E8D57u, counter[2]);
    counter = {exclusiveOr(builder, loc, high1, counter[1], k0), low1,
               exclusiveOr(builder, loc, high0, counter[3], k1), low0};
  }
  return counter;
}

} // namespace blocks
