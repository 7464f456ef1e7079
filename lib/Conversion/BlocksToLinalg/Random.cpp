//===- Random.cpp - Independent deviates, element by element --------------===//
//
// Element e of a result uses the counter (e / 4, loop index, step, site) and
// takes word e mod 4 (include/blocks/Philox.h).
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Generic.h"
#include "lib/Conversion/BlocksToLinalg/Philox.h"

using namespace mlir;

namespace blocks {

namespace {
/// What all elements of one operation share, as i32.
struct Stream {
  Value loopIndex, step, site;
  std::array<Value, 2> key;
};
} // namespace

static Value truncate(OpBuilder &builder, Location loc, Value word) {
  return arith::TruncIOp::create(builder, loc, builder.getI32Type(), word);
}

/// philoxLoopIndex over the enclosing loops, from the outside in.
static Value loopIndex(RandomOp op, Lowering &lowering) {
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  Value combined = number(builder, loc, builder.getI32Type(), 0);
  Value base = number(builder, loc, builder.getI32Type(), 65536);
  for (Value position : op.getIndex()) {
    Value index = arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                             lowering.get(position));
    combined = arith::AddIOp::create(
        builder, loc, arith::MulIOp::create(builder, loc, combined, base),
        index);
  }
  return combined;
}

static Stream streamOf(RandomOp op, Lowering &lowering) {
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  Value high =
      arith::ShRUIOp::create(builder, loc, lowering.seed,
                             number(builder, loc, builder.getI64Type(), 32));
  Value site = arith::ConstantOp::create(
      builder, loc, builder.getI32IntegerAttr(int32_t(op.getSite())));
  return {
      loopIndex(op, lowering),
      truncate(builder, loc, lowering.step),
      site,
      {truncate(builder, loc, lowering.seed), truncate(builder, loc, high)}};
}

/// words[lane], by selects.
static Value chooseLane(OpBuilder &builder, Location loc,
                        const std::array<Value, 4> &words, Value lane) {
  auto bit = [&](int64_t mask) -> Value {
    Value masked = arith::AndIOp::create(
        builder, loc, lane, number(builder, loc, lane.getType(), mask));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, masked,
                                 number(builder, loc, lane.getType(), 0));
  };
  Value odd = bit(1), upper = bit(2);
  Value low = arith::SelectOp::create(builder, loc, odd, words[1], words[0]);
  Value high = arith::SelectOp::create(builder, loc, odd, words[3], words[2]);
  return arith::SelectOp::create(builder, loc, upper, high, low);
}

/// The 32 bits of the element numbered `element` (i64).
static Value randomBits(OpBuilder &builder, Location loc, const Stream &stream,
                        Value element) {
  Value block = arith::ShRUIOp::create(
      builder, loc, element, number(builder, loc, element.getType(), 2));
  std::array<Value, 4> words =
      emitPhilox(builder, loc,
                 {truncate(builder, loc, block), stream.loopIndex, stream.step,
                  stream.site},
                 stream.key);
  return chooseLane(builder, loc, words, truncate(builder, loc, element));
}

/// The upper 24 bits times 2^-24: exact. Signed conversion, which vector units
/// have, does since the value is below 2^31.
static Value uniform(OpBuilder &builder, Location loc, Value bits, Type type) {
  Value upper = arith::ShRUIOp::create(builder, loc, bits,
                                       number(builder, loc, bits.getType(), 8));
  Value value = arith::SIToFPOp::create(builder, loc, type, upper);
  return arith::MulFOp::create(builder, loc, value,
                               number(builder, loc, type, 0x1p-24));
}

/// The quantile of the middle of the cell that the bits name.
static Value normal(OpBuilder &builder, Location loc, Value bits, Type type) {
  Type f64 = builder.getF64Type();
  Value count = arith::UIToFPOp::create(builder, loc, f64, bits);
  Value middle = arith::AddFOp::create(builder, loc, count,
                                       number(builder, loc, f64, 0.5));
  Value p = arith::MulFOp::create(builder, loc, middle,
                                  number(builder, loc, f64, 0x1p-32));
  Value z = emitNormalQuantile(builder, loc, p);
  if (type == f64)
    return z;
  return arith::TruncFOp::create(builder, loc, type, z);
}

LogicalResult lowerRandom(RandomOp op, Lowering &lowering) {
  if (!lowering.seed || !lowering.step)
    return op.emitOpError("needs the state /algorithm.seed and "
                          "/algorithm.step, which this entry does not have");
  Stream stream = streamOf(op, lowering);
  SymbolicShape shape = lowering.shape(op.getLike());
  Type type = elementType(op.getResult());
  auto body = [&](OpBuilder &builder, Location loc, ValueRange) {
    Value element = linearIndex(builder, loc, lowering, shape);
    Value bits = randomBits(builder, loc, stream, element);
    return op.getKind() == RandomKind::Uniform
               ? uniform(builder, loc, bits, type)
               : normal(builder, loc, bits, type);
  };
  lowering.set(op, elementwise(lowering, op.getLoc(), {}, shape, type, body),
               shape);
  return success();
}

} // namespace blocks
