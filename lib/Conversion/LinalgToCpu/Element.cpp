// See Element.h.
#include "lib/Conversion/LinalgToCpu/Element.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/IR/IRMapping.h>
#include <mlir/IR/Matchers.h>

using namespace mlir;

namespace blocks {

static constexpr auto kNoWrap = arith::IntegerOverflowFlags::nsw;

// --- Places ----------------------------------------------------------------

/// True for whole buffers and for slices of leading dimensions.
static bool isRowMajor(MemRefType type) {
  if (type.getLayout().isIdentity())
    return true;
  SmallVector<int64_t> strides;
  int64_t offset, expected = 1;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    if (strides[dim] != expected)
      return false;
    if (dim > 0 && type.isDynamicDim(dim))
      return false;
    expected *= dim > 0 ? type.getDimSize(dim) : 1;
  }
  return true;
}

bool hasElementOrder(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() != 0 || op.hasIndexSemantics())
    return false;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    return !type || map.getNumResults() == 0 ||
           (map.isIdentity() && isRowMajor(type));
  });
}

Element::Element(linalg::LinalgOp op, Kernel &kernel)
    : indices(op.getNumLoops()), op(op), kernel(kernel),
      extents(kernel.getExtents()), builder(kernel.builder), loc(kernel.loc) {}

Value Element::evaluate(AffineExpr expr) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return indices[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return kernel.getConstant(constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value left = evaluate(binary.getLHS()), right = evaluate(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Add)
    return arith::AddIOp::create(builder, loc, left, right, kNoWrap);
  return arith::MulIOp::create(builder, loc, left, right, kNoWrap);
}

Value Element::getOffset(Value memref, ValueRange position) {
  Value offset;
  for (auto [dim, index] : llvm::enumerate(position)) {
    OpFoldResult stride = extents.getStride(memref, dim);
    Value term = index;
    if (matchPattern(index, m_Zero()))
      continue;
    if (!isOneInteger(stride))
      term = arith::MulIOp::create(builder, loc, index,
                                   kernel.getStride(stride), kNoWrap);
    offset =
        offset
            ? Value(arith::AddIOp::create(builder, loc, offset, term, kNoWrap))
            : term;
  }
  return offset;
}

/// `offset` may be null: zero.
static Value advance(OpBuilder &builder, Location loc, Value memref,
                     Value pointer, Value offset) {
  return offset ? createElementPointer(builder, loc,
                                       getElementTypeOrSelf(memref.getType()),
                                       pointer, offset)
                : pointer;
}

Value Element::getPointer(Value memref, ValueRange position) {
  Value offset = getOffset(memref, position);
  return advance(builder, loc, memref, kernel.getPointer(memref), offset);
}

Value Element::getPointer(OpOperand *operand) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  if (flat)
    return advance(builder, loc, operand->get(),
                   kernel.getPointer(operand->get()),
                   map.getNumResults() ? flat : Value());
  SmallVector<Value> position;
  for (AffineExpr result : map.getResults())
    position.push_back(evaluate(result));
  return getPointer(operand->get(), position);
}

Value Element::load(OpOperand *operand) {
  if (!isa<MemRefType>(operand->get().getType()))
    return kernel.getScalar(operand->get());
  return createLoad(builder, loc,
                    getElementTypeOrSelf(operand->get().getType()),
                    getPointer(operand));
}

// --- The body --------------------------------------------------------------

SmallVector<Value> Element::emitBody(ArrayRef<OpOperand *> carriers,
                                     ValueRange carried) {
  Block *body = op.getBlock();
  IRMapping mapping;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = body->getArgument(operand.getOperandNumber());
    auto place = llvm::find(carriers, &operand);
    if (place != carriers.end())
      mapping.map(argument, carried[place - carriers.begin()]);
    else if (!argument.use_empty())
      mapping.map(argument, load(&operand));
  }
  for (Operation &scalar : body->without_terminator())
    cloneScalar(scalar, mapping);
  SmallVector<Value> results(carriers.size());
  Operation *yield = body->getTerminator();
  for (OpOperand &init : op.getDpsInitsMutable()) {
    unsigned number = init.getOperandNumber() - op.getNumDpsInputs();
    Value result = lookup(yield->getOperand(number), mapping);
    auto place = llvm::find(carriers, &init);
    if (place != carriers.end())
      results[place - carriers.begin()] = result;
    else
      createStore(builder, loc, result, getPointer(&init));
  }
  return results;
}

/// A value of the body, or one of the entry that becomes an argument.
Value Element::lookup(Value value, IRMapping &mapping) {
  if (Value mapped = mapping.lookupOrNull(value))
    return mapped;
  return kernel.getScalar(value);
}

void Element::mapCaptured(Operation &scalar, IRMapping &mapping) {
  scalar.walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (!isa<MemRefType>(operand.getType()) && !mapping.contains(operand) &&
          !scalar.isAncestor(operand.getParentRegion()->getParentOp()))
        mapping.map(operand, kernel.getScalar(operand));
  });
}

void Element::cloneScalar(Operation &scalar, IRMapping &mapping) {
  mapCaptured(scalar, mapping);
  if (auto index = dyn_cast<linalg::IndexOp>(scalar)) {
    mapping.map(index.getResult(), indices[index.getDim()]);
    return;
  }
  if (auto load = dyn_cast<memref::LoadOp>(scalar)) {
    SmallVector<Value> position;
    for (Value index : load.getIndices())
      position.push_back(mapping.lookup(index));
    mapping.map(load.getResult(),
                createLoad(builder, loc, load.getType(),
                           getPointer(load.getMemRef(), position)));
    return;
  }
  Operation *copy = builder.clone(scalar, mapping);
  copy->walk([&](Operation *nested) { rewriteNested(nested); });
}

/// Indices and loads within a branch of the body.
void Element::rewriteNested(Operation *nested) {
  nested->setLoc(loc);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(nested);
  if (auto index = dyn_cast<linalg::IndexOp>(nested)) {
    index.replaceAllUsesWith(indices[index.getDim()]);
    index.erase();
  } else if (auto load = dyn_cast<memref::LoadOp>(nested)) {
    Value pointer = getPointer(load.getMemRef(), load.getIndices());
    load.replaceAllUsesWith(createLoad(builder, loc, load.getType(), pointer));
    load.erase();
  }
}

} // namespace blocks
