//===- Expressions.h - Elementwise expressions on tensors -----------------===//
//
// A thin builder, so that a rule reads like its formula. Constants become
// scalars that are broadcast to the shape of a value at hand, since the shape
// may be dynamic.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_AUTODIFF_EXPRESSIONS_H
#define LIB_AUTODIFF_EXPRESSIONS_H

#include "dialects/Blocks/Blocks.h"

namespace blocks {

class Expressions {
public:
  Expressions(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::Value add(mlir::Value a, mlir::Value b) {
    return mlir::arith::AddFOp::create(builder, loc, a, b);
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) {
    return mlir::arith::SubFOp::create(builder, loc, a, b);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) {
    return mlir::arith::MulFOp::create(builder, loc, a, b);
  }
  mlir::Value div(mlir::Value a, mlir::Value b) {
    return mlir::arith::DivFOp::create(builder, loc, a, b);
  }
  mlir::Value neg(mlir::Value a) {
    return mlir::arith::NegFOp::create(builder, loc, a);
  }
  mlir::Value square(mlir::Value a) { return mul(a, a); }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) {
    return mlir::arith::SelectOp::create(builder, loc, condition, a, b);
  }
  /// Ordered comparison.
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a,
                      mlir::Value b) {
    return mlir::arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  mlir::Value greater(mlir::Value a, mlir::Value b) {
    return compare(mlir::arith::CmpFPredicate::OGT, a, b);
  }
  /// A function of the math dialect: e.unary<math::ExpOp>(x).
  template <typename Op> mlir::Value unary(mlir::Value a) {
    return Op::create(builder, loc, a);
  }

  /// The scalar `value` in the element type of `like`.
  mlir::Value scalar(double value, mlir::Value like) {
    auto type = mlir::cast<mlir::RankedTensorType>(like.getType());
    auto single = mlir::RankedTensorType::get({}, type.getElementType());
    mlir::Attribute number = builder.getFloatAttr(type.getElementType(), value);
    return mlir::arith::ConstantOp::create(
        builder, loc, mlir::DenseElementsAttr::get(single, number));
  }
  /// A scalar value repeated in the shape of `like`.
  mlir::Value spread(mlir::Value scalar, mlir::Value like) {
    if (scalar.getType() == like.getType())
      return scalar;
    return BroadcastOp::create(builder, loc, scalar, like,
                               llvm::ArrayRef<int64_t>());
  }
  /// A tensor of the type of `like` with one value everywhere.
  mlir::Value constant(double value, mlir::Value like) {
    return spread(scalar(value, like), like);
  }
  mlir::Value scale(mlir::Value a, double factor) {
    return mul(a, constant(factor, a));
  }

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace blocks

#endif
