//===- Elementwise.cpp - arith and math on tensors, activations -----------===//
//
// An elementwise operation on tensors becomes a linalg.generic whose body is
// the same operation on scalars. Scalar operands (a condition of arith.select)
// are captured.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Generic.h"

using namespace mlir;

namespace blocks {

/// The same elements without their sign, as all integers are from here on.
static TypedAttr signless(TypedAttr value) {
  auto elements = dyn_cast<DenseIntElementsAttr>(value);
  if (!elements ||
      elements.getElementType() == signless(elements.getElementType()))
    return value;
  Type element = signless(elements.getElementType());
  return cast<TypedAttr>(elements.bitcast(element));
}

LogicalResult lowerConstant(arith::ConstantOp op, Lowering &lowering) {
  Value constant = arith::ConstantOp::create(lowering.builder, op.getLoc(),
                                             signless(op.getValue()));
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (type)
    lowering.set(op, constant,
                 SymbolicShape(type.getShape().begin(), type.getShape().end()));
  else
    lowering.setScalar(op, constant);
  return success();
}

LogicalResult lowerScalar(Operation *op, Lowering &lowering) {
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, lowering.get(operand));
  lowering.setScalar(op->getResult(0),
                     lowering.builder.clone(*op, mapping)->getResult(0));
  return success();
}

/// The tensors among the operands, with equal shapes checked.
static FailureOr<SmallVector<Value>> tensorOperands(Operation *op,
                                                    Lowering &lowering) {
  SmallVector<Value> tensors;
  for (Value operand : op->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    if (!tensors.empty() &&
        failed(requireEqualShapes(op, lowering, tensors.front(), operand)))
      return failure();
    tensors.push_back(operand);
  }
  return tensors;
}

LogicalResult lowerElementwise(Operation *op, Lowering &lowering) {
  FailureOr<SmallVector<Value>> tensors = tensorOperands(op, lowering);
  if (failed(tensors))
    return failure();
  SmallVector<Operand> inputs;
  for (Value tensor : *tensors)
    inputs.push_back({lowering.get(tensor)});
  Type element = elementType(op->getResult(0));
  auto body = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    SmallVector<Value> operands;
    unsigned next = 0;
    for (Value operand : op->getOperands())
      operands.push_back(isa<RankedTensorType>(operand.getType())
                             ? arguments[next++]
                             : lowering.get(operand));
    OperationState state(loc, op->getName(), operands, element, op->getAttrs());
    return builder.create(state)->getResult(0);
  };
  SymbolicShape shape = lowering.shape(tensors->front());
  Value result =
      elementwise(lowering, op->getLoc(), inputs, shape, element, body);
  lowering.set(op->getResult(0), result, shape);
  return success();
}

/// A function of one tensor, element by element.
static LogicalResult lowerUnary(Operation *op, Lowering &lowering,
                                GenericBody body) {
  SymbolicShape shape = lowering.shape(op->getOperand(0));
  Value input = lowering.get(op->getOperand(0));
  Value result = elementwise(lowering, op->getLoc(), {{input}}, shape,
                             elementType(input), body);
  lowering.set(op->getResult(0), result, shape);
  return success();
}

/// x if x > 0 or x is NaN, else leak·x.
LogicalResult lowerRectifier(RectifierOp op, Lowering &lowering) {
  double leak = op.getLeak().convertToDouble();
  auto body = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    Value x = arguments[0], zero = number(builder, loc, x.getType(), 0);
    Value positive =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UGT, x, zero);
    Value rest = zero;
    if (leak != 0)
      rest = arith::MulFOp::create(builder, loc, x,
                                   number(builder, loc, x.getType(), leak));
    return arith::SelectOp::create(builder, loc, positive, x, rest).getResult();
  };
  return lowerUnary(op, lowering, body);
}

/// With e = exp(-|x|), which cannot overflow: 1/(1+e) for x ≥ 0, e/(1+e) else.
LogicalResult lowerLogistic(LogisticOp op, Lowering &lowering) {
  auto body = [](OpBuilder &builder, Location loc, ValueRange arguments) {
    Value x = arguments[0], zero = number(builder, loc, x.getType(), 0);
    Value one = number(builder, loc, x.getType(), 1);
    Value magnitude = math::AbsFOp::create(builder, loc, x);
    Value e = math::ExpOp::create(
        builder, loc, arith::NegFOp::create(builder, loc, magnitude));
    Value negative =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, x, zero);
    Value numerator = arith::SelectOp::create(builder, loc, negative, e, one);
    Value denominator = arith::AddFOp::create(builder, loc, one, e);
    return arith::DivFOp::create(builder, loc, numerator, denominator)
        .getResult();
  };
  return lowerUnary(op, lowering, body);
}

} // namespace blocks
