//===- Labels.cpp - Indices that must be within range ---------------------===//
//
// A reduction finds the smallest row with a bad label; only then is anything
// reported. The step goes on with zeros for such rows, and the runtime turns
// the report into an error with the operation's and the brick's name.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Generic.h"

#include <mlir/Dialect/SCF/IR/SCF.h>

#include <limits>

using namespace mlir;

namespace blocks {

Value labelIndex(OpBuilder &builder, Location loc, Value label,
                 bool isUnsigned) {
  Type word = builder.getI64Type();
  if (label.getType() == word)
    return label;
  if (isUnsigned)
    return arith::ExtUIOp::create(builder, loc, word, label);
  return arith::ExtSIOp::create(builder, loc, word, label);
}

/// A negative label is a large unsigned one, so one comparison is enough.
Value labelValid(OpBuilder &builder, Location loc, Value label, Value limit) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, label,
                               limit);
}

LabelPlace labelPlace(OpBuilder &builder, Location loc, Value label,
                      bool isUnsigned, Value limit) {
  Value number = labelIndex(builder, loc, label, isUnsigned);
  Value bound =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), limit);
  LabelPlace result;
  result.valid = labelValid(builder, loc, number, bound);
  Value first =
      arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
  Value safe =
      arith::SelectOp::create(builder, loc, result.valid, number, first);
  result.place =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), safe);
  return result;
}

Value linearIndex(OpBuilder &builder, Location loc, Lowering &lowering,
                  const SymbolicShape &shape) {
  Type word = builder.getI64Type();
  auto asWord = [&](Value index) -> Value {
    return arith::IndexCastOp::create(builder, loc, word, index);
  };
  Value linear;
  for (unsigned d = 0; d < shape.size(); ++d) {
    Value index = asWord(linalg::IndexOp::create(builder, loc, d));
    if (!linear) {
      linear = index;
      continue;
    }
    Value extent = asWord(lowering.axes.value(shape[d]));
    linear = arith::AddIOp::create(
        builder, loc, arith::MulIOp::create(builder, loc, linear, extent),
        index);
  }
  return linear ? linear : number(builder, loc, word, 0);
}

/// The smallest row whose label is bad, else the largest i64.
static Value firstBadRow(Lowering &lowering, Location loc, Value labels,
                         bool isUnsigned, const SymbolicShape &shape,
                         Value limit) {
  OpBuilder &builder = lowering.builder;
  Value none = arith::ConstantOp::create(
      builder, loc,
      builder.getI64IntegerAttr(std::numeric_limits<int64_t>::max()));
  auto body = [&](OpBuilder &inner, Location loc, ValueRange arguments) {
    Value label = labelIndex(inner, loc, arguments[0], isUnsigned);
    Value row = linearIndex(inner, loc, lowering, shape);
    Value candidate = arith::SelectOp::create(
        inner, loc, labelValid(inner, loc, label, limit), none, row);
    return arith::MinSIOp::create(inner, loc, candidate, arguments[1])
        .getResult();
  };
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  Value row = reduction(lowering, loc, {{labels}}, shape, dims, none, body);
  return tensor::ExtractOp::create(builder, loc, row, ValueRange{});
}

/// The label of a row counted row-major.
static Value labelAt(OpBuilder &builder, Location loc, Lowering &lowering,
                     Value labels, const SymbolicShape &shape, Value row) {
  Value rest =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), row);
  SmallVector<Value> indices(shape.size());
  for (unsigned d = shape.size(); d-- > 0;) {
    if (d == 0) {
      indices[0] = rest;
      break;
    }
    Value extent = lowering.axes.value(shape[d]);
    indices[d] = arith::RemUIOp::create(builder, loc, rest, extent);
    rest = arith::DivUIOp::create(builder, loc, rest, extent);
  }
  return tensor::ExtractOp::create(builder, loc, labels, indices);
}

void checkLabels(Lowering &lowering, Location loc, Value labels,
                 bool isUnsigned, const SymbolicShape &shape,
                 const Extent &limit, StringRef name, StringRef brick) {
  OpBuilder &builder = lowering.builder;
  int64_t site = lowering.sites.add(name, brick);
  func::FuncOp report = lowering.sites.reportFunction();
  Value bound = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                           lowering.axes.value(limit));
  Value row = firstBadRow(lowering, loc, labels, isUnsigned, shape, bound);
  Value none = arith::ConstantOp::create(
      builder, loc,
      builder.getI64IntegerAttr(std::numeric_limits<int64_t>::max()));
  Value bad =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, row, none);
  auto then = [&](OpBuilder &inner, Location loc) {
    Value label = labelAt(inner, loc, lowering, labels, shape, row);
    Value value = labelIndex(inner, loc, label, isUnsigned);
    Value number =
        arith::ConstantOp::create(inner, loc, inner.getI64IntegerAttr(site));
    func::CallOp::create(
        inner, loc, report,
        ValueRange{lowering.context, number, row, value, bound});
    scf::YieldOp::create(inner, loc);
  };
  scf::IfOp::create(builder, loc, bad, then, nullptr);
}

} // namespace blocks
