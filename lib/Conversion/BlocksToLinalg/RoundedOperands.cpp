//===- RoundedOperands.cpp - Operands of products with fewer bits ---------===//
//
// Of a product that blocks-bf16 marks, each operand is rounded to bf16 where it
// is first multiplied, once for all products of the block in which it is
// computed: a weight outside of the loop whose steps multiply by it. Rounding
// is integer arithmetic, since old GPUs and processors have no conversion: to
// the nearest, of two equally near ones to the even one. For the processor the
// rounded numbers stay f32; for a GPU they are stored in half the room.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Generic.h"
#include "lib/Conversion/BlocksToLinalg/Passes.h"

#include <mlir/Dialect/Bufferization/IR/Bufferization.h>

using namespace mlir;

namespace blocks {

#define GEN_PASS_DEF_BF16
#include "lib/Conversion/BlocksToLinalg/Passes.h.inc"

/// The attribute of operations whose operands are rounded.
static constexpr llvm::StringLiteral kRounded = "blocks.rounded";

//===--- The pass ---------------------------------------------------------===//

namespace {

struct Bf16 : impl::Bf16Base<Bf16> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (isa<MatmulOp, BatchMatmulOp, ConvolutionOp, ConvolutionInputGradOp,
              ConvolutionFilterGradOp>(op) &&
          getElementTypeOrSelf(op->getResult(0).getType()).isF32())
        op->setAttr(kRounded, UnitAttr::get(op->getContext()));
    });
  }
};

} // namespace

//===--- Rounding ---------------------------------------------------------===//

/// The bits of the nearest number of bf16, in the upper half of a word.
static Value roundBits(OpBuilder &builder, Location loc, Value x) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(builder.getI32Type(), value));
  };
  Value bits = arith::BitcastOp::create(builder, loc, builder.getI32Type(), x);
  Value last = arith::AndIOp::create(
      builder, loc, arith::ShRUIOp::create(builder, loc, bits, constant(16)),
      constant(1));
  Value half = arith::AddIOp::create(builder, loc, last, constant(0x7fff));
  Value near = arith::AddIOp::create(builder, loc, bits, half);
  // What is not a number stays so, whatever its bits.
  Value none = arith::OrIOp::create(builder, loc, bits, constant(0x400000));
  Value isNone =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, x, x);
  return arith::SelectOp::create(builder, loc, isNone, none, near);
}

static Value roundKept(OpBuilder &builder, Location loc, ValueRange x) {
  Value mask = arith::ConstantOp::create(builder, loc,
                                         builder.getI32IntegerAttr(-65536));
  Value bits =
      arith::AndIOp::create(builder, loc, roundBits(builder, loc, x[0]), mask);
  return arith::BitcastOp::create(builder, loc, x[0].getType(), bits);
}

static Value roundStored(OpBuilder &builder, Location loc, ValueRange x) {
  Value shift =
      arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(16));
  Value bits = arith::ShRUIOp::create(builder, loc,
                                      roundBits(builder, loc, x[0]), shift);
  Value half =
      arith::TruncIOp::create(builder, loc, builder.getI16Type(), bits);
  return arith::BitcastOp::create(builder, loc, builder.getBF16Type(), half);
}

/// Where `value` is computed, before whatever stands around the builder;
/// parameters at the start, all together.
static void moveToHome(OpBuilder &builder, Value value) {
  auto read = value.getDefiningOp<bufferization::ToTensorOp>();
  if (read && isa<BlockArgument>(read.getBuffer()) &&
      tensorTypeOf(value).hasStaticShape())
    return builder.setInsertionPointAfter(read);
  Block *home = value.getParentBlock(), *here = builder.getInsertionBlock();
  if (home == here)
    return;
  Operation *around = here->getParentOp();
  while (around->getBlock() != home)
    around = around->getParentOp();
  builder.setInsertionPoint(around);
}

Value getOperand(Lowering &lowering, Operation *product, Value original,
                 bool mayBeStored) {
  Value value = lowering.get(original);
  if (!product->hasAttr(kRounded))
    return value;
  bool isStored = mayBeStored && lowering.storesRounded;
  Value &known = lowering.rounded[{value, isStored}];
  if (known)
    return known;
  OpBuilder &builder = lowering.builder;
  OpBuilder::InsertionGuard guard(builder);
  moveToHome(builder, value);
  Type type = isStored ? Type(builder.getBF16Type()) : elementType(value);
  known = elementwise(lowering, product->getLoc(), {{value}},
                      lowering.shape(original), type,
                      isStored ? roundStored : roundKept);
  return known;
}

} // namespace blocks
