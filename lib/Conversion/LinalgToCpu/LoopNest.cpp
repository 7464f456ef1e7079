// Loops for one structured operation, made for LLVM's loop vectorizer: the
// innermost loop is the contiguous one, reductions along it are carried in
// registers, and operations that touch whole contiguous rows run as one loop
// over all elements of their block.
#include "lib/Conversion/LinalgToCpu/LoopNest.h"
#include "lib/Conversion/LinalgToCpu/Access.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/IR/IRMapping.h>
#include <mlir/IR/Matchers.h>

using namespace mlir;

namespace blocks {

/// Points for a loop whose steps are neighbouring elements, minus points for
/// one whose steps are far apart: such loads need a gather.
static int scoreLoop(linalg::LinalgOp op, unsigned loop, Extents &extents) {
  constexpr int kNeighbours = 1, kFarApart = -3;
  int score = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, result] : llvm::enumerate(map.getResults()))
      if (result.isFunctionOfDim(loop))
        score += isOneInteger(extents.getStride(operand.get(), dim))
                     ? kNeighbours
                     : kFarApart;
  }
  return score;
}

unsigned getInnermostLoop(linalg::LinalgOp op, Extents &extents) {
  unsigned best = op.getNumLoops() - 1;
  int bestScore = scoreLoop(op, best, extents);
  for (unsigned loop = best; loop-- > 0;)
    if (int score = scoreLoop(op, loop, extents); score > bestScore) {
      best = loop;
      bestScore = score;
    }
  return best;
}

namespace {

constexpr auto kNoWrap = arith::IntegerOverflowFlags::nsw;

class LoopNest {
public:
  LoopNest(linalg::LinalgOp op, Kernel &kernel, const DispatchBlock &part)
      : op(op), kernel(kernel), extents(kernel.getExtents()), part(part),
        builder(kernel.builder), loc(kernel.loc), row(getRowLoop(op)),
        column(getColumnLoop(op)), indices(op.getNumLoops()) {}

  void emit() {
    if (isContiguous())
      return emitFlat();
    orderLoops();
    emitOuter(0);
  }

private:
  // --- Bounds -----------------------------------------------------------

  /// The range of a loop that this block cuts.
  std::optional<Range> getCut(unsigned loop) const {
    return row == loop      ? part.rows
           : column == loop ? part.columns
                            : std::nullopt;
  }

  Value getLow(unsigned loop) {
    return getCut(loop) ? getCut(loop)->low : kernel.getConstant(0);
  }
  Value getHigh(unsigned loop) {
    return getCut(loop) ? getCut(loop)->high
                        : kernel.getExtent(extents.getLoop(op, loop));
  }

  // --- One loop over contiguous elements --------------------------------

  /// Every operand is read or written in the order of its elements, or is one
  /// element.
  bool isContiguous() {
    if (op.getNumLoops() < 2 || op.getNumReductionLoops() != 0 ||
        (part.rows && row != 0u) || part.columns || op.hasIndexSemantics())
      return false;
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      AffineMap map = op.getMatchingIndexingMap(&operand);
      if (!type || map.getNumResults() == 0)
        continue;
      if (!map.isIdentity() || !isRowMajor(type))
        return false;
    }
    return true;
  }

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

  void emitFlat() {
    Value low = getLow(0), high = getHigh(0);
    for (unsigned loop = 1; loop < op.getNumLoops(); ++loop) {
      Value extent = getHigh(loop);
      low = arith::MulIOp::create(builder, loc, low, extent, kNoWrap);
      high = arith::MulIOp::create(builder, loc, high, extent, kNoWrap);
    }
    auto loop =
        scf::ForOp::create(builder, loc, low, high, kernel.getConstant(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    flat = loop.getInductionVar();
    emitBody({});
  }

  // --- A nest of loops --------------------------------------------------

  void orderLoops() {
    if (op.getNumLoops() == 0)
      return;
    unsigned inner = getInnermostLoop(op, extents);
    if (row && row != inner)
      order.push_back(*row);
    SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
    for (auto type :
         {utils::IteratorType::parallel, utils::IteratorType::reduction})
      for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
        if (types[loop] == type && loop != inner && row != loop)
          order.push_back(loop);
    order.push_back(inner);
    // The trailing reductions are carried in registers.
    firstCarried = order.size();
    while (firstCarried > 0 &&
           types[order[firstCarried - 1]] == utils::IteratorType::reduction)
      --firstCarried;
  }

  /// True if a result does not change along the trailing reductions.
  bool isCarried(OpOperand *init) {
    AffineMap map = op.getMatchingIndexingMap(init);
    for (unsigned depth = firstCarried; depth < order.size(); ++depth)
      if (map.isFunctionOfDim(order[depth]))
        return false;
    return firstCarried < order.size();
  }

  SmallVector<OpOperand *> getCarried() {
    SmallVector<OpOperand *> carried;
    for (OpOperand &init : op.getDpsInitsMutable())
      if (isCarried(&init))
        carried.push_back(&init);
    return carried;
  }

  void emitOuter(unsigned depth) {
    if (depth == firstCarried)
      return emitCarried();
    auto loop = createLoop(depth, {});
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    emitOuter(depth + 1);
  }

  void emitCarried() {
    SmallVector<Value> values;
    SmallVector<OpOperand *> carried = getCarried();
    for (OpOperand *init : carried)
      values.push_back(loadOperand(init));
    values = emitInner(firstCarried, values);
    for (auto [init, value] : llvm::zip_equal(carried, values))
      createStore(builder, loc, value, getElementPointer(init));
  }

  SmallVector<Value> emitInner(unsigned depth, ValueRange carried) {
    if (depth == order.size())
      return emitBody(carried);
    auto loop = createLoop(depth, carried);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> next = emitInner(depth + 1, loop.getRegionIterArgs());
    if (!carried.empty())
      scf::YieldOp::create(builder, loc, next);
    return llvm::to_vector(ValueRange(loop.getResults()));
  }

  scf::ForOp createLoop(unsigned depth, ValueRange carried) {
    unsigned dim = order[depth];
    auto loop = scf::ForOp::create(builder, loc, getLow(dim), getHigh(dim),
                                   kernel.getConstant(1), carried);
    indices[dim] = loop.getInductionVar();
    return loop;
  }

  // --- Elements ---------------------------------------------------------

  Value evaluate(AffineExpr expr) {
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

  Value getOffset(Value memref, ValueRange position) {
    Value offset;
    for (auto [dim, index] : llvm::enumerate(position)) {
      OpFoldResult stride = extents.getStride(memref, dim);
      Value term = index;
      if (matchPattern(index, m_Zero()))
        continue;
      if (!isOneInteger(stride))
        term = arith::MulIOp::create(builder, loc, index,
                                     kernel.getStride(stride), kNoWrap);
      offset = offset ? Value(arith::AddIOp::create(builder, loc, offset, term,
                                                    kNoWrap))
                      : term;
    }
    return offset;
  }

  Value getElementPointer(Value memref, ValueRange position) {
    return getElementPointer(memref, getOffset(memref, position));
  }
  Value getElementPointer(Value memref, Value offset) {
    Value pointer = kernel.getPointer(memref);
    if (!offset)
      return pointer;
    return createElementPointer(
        builder, loc, getElementTypeOrSelf(memref.getType()), pointer, offset);
  }

  Value getElementPointer(OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (flat)
      return getElementPointer(operand->get(),
                               map.getNumResults() ? flat : Value());
    SmallVector<Value> position;
    for (AffineExpr result : map.getResults())
      position.push_back(evaluate(result));
    return getElementPointer(operand->get(), position);
  }

  Value loadOperand(OpOperand *operand) {
    if (!isa<MemRefType>(operand->get().getType()))
      return kernel.getScalar(operand->get());
    return createLoad(builder, loc,
                      getElementTypeOrSelf(operand->get().getType()),
                      getElementPointer(operand));
  }

  // --- The body ---------------------------------------------------------

  /// Emits the scalar operations; returns the carried results, stores others.
  SmallVector<Value> emitBody(ValueRange carried) {
    Block *body = op.getBlock();
    IRMapping mapping;
    SmallVector<OpOperand *> inits = getCarried();
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument argument = body->getArgument(operand.getOperandNumber());
      auto place = llvm::find(inits, &operand);
      if (place != inits.end())
        mapping.map(argument, carried[place - inits.begin()]);
      else if (!argument.use_empty())
        mapping.map(argument, loadOperand(&operand));
    }
    for (Operation &scalar : body->without_terminator())
      cloneScalar(scalar, mapping);
    SmallVector<Value> results(inits.size());
    Operation *yield = body->getTerminator();
    for (OpOperand &init : op.getDpsInitsMutable()) {
      unsigned number = init.getOperandNumber() - op.getNumDpsInputs();
      Value result = lookup(yield->getOperand(number), mapping);
      auto place = llvm::find(inits, &init);
      if (place != inits.end())
        results[place - inits.begin()] = result;
      else
        createStore(builder, loc, result, getElementPointer(&init));
    }
    return results;
  }

  /// A value of the body, or one of the entry that becomes an argument.
  Value lookup(Value value, IRMapping &mapping) {
    if (Value mapped = mapping.lookupOrNull(value))
      return mapped;
    return kernel.getScalar(value);
  }

  void mapCaptured(Operation &scalar, IRMapping &mapping) {
    scalar.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (!isa<MemRefType>(operand.getType()) && !mapping.contains(operand) &&
            !scalar.isAncestor(operand.getParentRegion()->getParentOp()))
          mapping.map(operand, kernel.getScalar(operand));
    });
  }

  void cloneScalar(Operation &scalar, IRMapping &mapping) {
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
                             getElementPointer(load.getMemRef(), position)));
      return;
    }
    Operation *copy = builder.clone(scalar, mapping);
    copy->walk([&](Operation *nested) { rewriteNested(nested); });
  }

  /// Indices and loads within a branch of the body.
  void rewriteNested(Operation *nested) {
    nested->setLoc(loc);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(nested);
    if (auto index = dyn_cast<linalg::IndexOp>(nested)) {
      index.replaceAllUsesWith(indices[index.getDim()]);
      index.erase();
    } else if (auto load = dyn_cast<memref::LoadOp>(nested)) {
      Value pointer = getElementPointer(load.getMemRef(), load.getIndices());
      load.replaceAllUsesWith(
          createLoad(builder, loc, load.getType(), pointer));
      load.erase();
    }
  }

  linalg::LinalgOp op;
  Kernel &kernel;
  Extents &extents;
  const DispatchBlock &part;
  OpBuilder &builder;
  Location loc;
  std::optional<unsigned> row, column;
  SmallVector<unsigned> order;
  unsigned firstCarried = 0;
  SmallVector<Value> indices;
  Value flat;
};

} // namespace

void emitLoopNest(linalg::LinalgOp op, Kernel &kernel,
                  const DispatchBlock &block) {
  LoopNest(op, kernel, block).emit();
}

} // namespace blocks
