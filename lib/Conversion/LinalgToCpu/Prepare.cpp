// Small rewrites on memrefs that make good dispatches possible: copies become
// structured operations, a zero fill before a product goes into the product,
// a full reduction is done row by row first, one over the rows of a stack
// matrix by matrix, and the result of an elementwise operation takes the buffer
// of an operand that is not needed any more.
#include "lib/Conversion/LinalgToCpu/Prepare.h"
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/Extents.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/IR/Matchers.h>

using namespace mlir;

namespace blocks {
namespace {

/// Reductions of at most this many elements are done in one go.
constexpr int64_t kSmallReduction = 4096;

template <typename Op> SmallVector<Op> collect(func::FuncOp function) {
  SmallVector<Op> ops;
  function.walk([&](Op op) { ops.push_back(op); });
  return ops;
}

void replaceCopy(memref::CopyOp copy) {
  OpBuilder builder(copy);
  auto type = cast<MemRefType>(copy.getTarget().getType());
  SmallVector<AffineMap> maps(2,
                              builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  linalg::GenericOp::create(
      builder, copy.getLoc(), copy.getSource(), copy.getTarget(), maps, loops,
      [](OpBuilder &inner, Location loc, ValueRange values) {
        linalg::YieldOp::create(inner, loc, values[0]);
      });
  copy.erase();
}

bool isZero(Value value) {
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return false;
  auto number = dyn_cast<FloatAttr>(constant);
  return number && number.getValue().isPosZero();
}

/// The last operation before `op`, in its block, that touches what it writes.
Operation *getPreviousToucher(Operation *op, Value view) {
  SmallVector<Access> write{{view, false, true}};
  for (Operation *previous = op->getPrevNode(); previous;
       previous = previous->getPrevNode())
    if (conflict(getAccesses(previous), write))
      return previous;
  return nullptr;
}

void foldZeroFill(linalg::LinalgOp product) {
  if (!isProduct(product) && !isBatchProduct(product))
    return;
  Value result = product->getOperand(2);
  auto fill =
      dyn_cast_or_null<linalg::FillOp>(getPreviousToucher(product, result));
  if (!fill || fill.getOutputs()[0] != result || !isZero(fill.getInputs()[0]))
    return;
  fill.erase();
  product->setAttr(kOverwriteAttr, UnitAttr::get(product.getContext()));
}

/// The operation that combines the accumulator of a one-result reduction with
/// the next value, or null.
Operation *getCombiner(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1)
    return nullptr;
  Block *body = op.getBody();
  Operation *combiner = body->getTerminator()->getOperand(0).getDefiningOp();
  Value accumulator = body->getArguments().back();
  if (!combiner || combiner->getNumOperands() != 2 ||
      !accumulator.hasOneUse() || *accumulator.getUsers().begin() != combiner)
    return nullptr;
  return combiner;
}

bool isFullReduction(linalg::GenericOp op) {
  return op.getNumLoops() >= 2 && op.getNumDpsInits() == 1 &&
         op.getNumReductionLoops() == op.getNumLoops() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getNumResults() ==
             0;
}

bool isKnownSmall(linalg::GenericOp op) {
  int64_t size = 1;
  for (int64_t range : op.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(range))
      return false;
    size *= range;
  }
  return size <= kSmallReduction;
}

/// A buffer of the sizes for partial results, filled with what changes none.
Value createPartials(OpBuilder &builder, Location loc,
                     ArrayRef<OpFoldResult> sizes, Type element,
                     TypedAttr neutral) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  for (OpFoldResult size : sizes) {
    std::optional<int64_t> constant = getConstantIntValue(size);
    shape.push_back(constant.value_or(ShapedType::kDynamic));
    if (!constant)
      dynamic.push_back(cast<Value>(size));
  }
  Value partials =
      memref::AllocOp::create(builder, loc, MemRefType::get(shape, element),
                              dynamic, builder.getI64IntegerAttr(64));
  Value start = arith::ConstantOp::create(builder, loc, neutral);
  linalg::FillOp::create(builder, loc, start, partials);
  return partials;
}

/// Combines the partial results, in their order, into `total`.
void combinePartials(OpBuilder &builder, Location loc, Value partials,
                     Value total, AffineMap totalMap,
                     ArrayRef<utils::IteratorType> loops, Operation *combiner) {
  SmallVector<AffineMap> maps{builder.getMultiDimIdentityMap(loops.size()),
                              totalMap};
  linalg::GenericOp::create(
      builder, loc, partials, total, maps, loops,
      [&](OpBuilder &inner, Location at, ValueRange values) {
        Operation *copy = inner.clone(*combiner);
        copy->setOperands({values[0], values[1]});
        linalg::YieldOp::create(inner, at, copy->getResult(0));
      });
}

/// Σ over rows and columns becomes, for each row, Σ over columns, which joins
/// the dispatch of whatever computes the rows, and then Σ over the partials in
/// their order: the same order for any number of threads.
void splitFullReduction(linalg::GenericOp op, Extents &extents) {
  Operation *combiner = getCombiner(op);
  if (!isFullReduction(op) || isKnownSmall(op) || !combiner)
    return;
  std::optional<TypedAttr> neutral = arith::getNeutralElement(combiner);
  if (!neutral)
    return;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value total = op.getDpsInitOperand(0)->get();
  Value partials = createPartials(builder, loc, extents.getLoop(op, 0),
                                  getElementTypeOrSelf(total), *neutral);

  // The operation itself now reduces each row into its partial.
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.back() =
      AffineMap::get(op.getNumLoops(), 0, builder.getAffineDimExpr(0));
  SmallVector<utils::IteratorType> loops = op.getIteratorTypesArray();
  loops[0] = utils::IteratorType::parallel;
  auto byRow = linalg::GenericOp::create(builder, loc, op.getInputs(), partials,
                                         maps, loops);
  byRow.getRegion().takeBody(op.getRegion());

  combinePartials(builder, loc, partials, total,
                  AffineMap::get(1, 0, builder.getContext()),
                  utils::IteratorType::reduction, combiner);
  op.erase();
}

/// The operation that computed the rows of `view` last before `op`, in its
/// block, if it did so row by row; else null.
Operation *getRowWriter(Operation *op, Value view) {
  SmallVector<Access> read{{view, true, false}};
  for (Operation *previous = op->getPrevNode(); previous;
       previous = previous->getPrevNode()) {
    if (!conflict(getAccesses(previous), read))
      continue;
    auto writer = dyn_cast<linalg::LinalgOp>(previous);
    bool byRow = writer && hasRows(writer) &&
                 llvm::any_of(getAccesses(writer), [&](const Access &access) {
                   return access.writes && access.byRow && access.view == view;
                 });
    return byRow ? previous : nullptr;
  }
  return nullptr;
}

/// The stack of matrices whose rows, one below the other, `view` shows.
Value getStack(Value view) {
  auto collapse = view.getDefiningOp<memref::CollapseShapeOp>();
  if (!collapse || collapse.getSrcType().getRank() != 3 ||
      collapse.getResultType().getRank() != 2 ||
      collapse.getReassociationIndices().front().size() != 2)
    return {};
  return collapse.getSrc();
}

/// Σ over the rows of a stack, where another operation computes the stack
/// matrix by matrix: Σ within each matrix, which joins that one's dispatch and
/// finds the matrix in the cache, and then Σ over the partials, in their order.
void splitStackReduction(linalg::GenericOp op, Extents &extents) {
  Operation *combiner = getCombiner(op);
  auto loops = op.getIteratorTypesArray();
  if (!combiner || op.getNumDpsInputs() != 1 || loops.size() != 2 ||
      loops[0] != utils::IteratorType::reduction ||
      loops[1] != utils::IteratorType::parallel ||
      !op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isIdentity())
    return;
  Value stack = getStack(op.getDpsInputOperand(0)->get());
  std::optional<TypedAttr> neutral = arith::getNeutralElement(combiner);
  Operation *writer = stack && neutral ? getRowWriter(op, stack) : nullptr;
  OpFoldResult count = stack ? extents.get(stack, 0) : OpFoldResult();
  if (!writer || getRowCount(writer, extents) != count ||
      isOneInteger(extents.get(stack, 1)))
    return;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value total = op.getDpsInitOperand(0)->get();
  Value partials = createPartials(builder, loc, {count, extents.get(stack, 2)},
                                  getElementTypeOrSelf(total), *neutral);

  // The operation itself now reduces each matrix into its partial.
  auto dim = [&](unsigned i) { return builder.getAffineDimExpr(i); };
  SmallVector<AffineMap> maps{
      builder.getMultiDimIdentityMap(3),
      AffineMap::get(3, 0, {dim(0), dim(2)}, builder.getContext())};
  SmallVector<utils::IteratorType> iterators(3, utils::IteratorType::parallel);
  iterators[1] = utils::IteratorType::reduction;
  auto byMatrix =
      linalg::GenericOp::create(builder, loc, stack, partials, maps, iterators);
  byMatrix.getRegion().takeBody(op.getRegion());

  combinePartials(builder, loc, partials, total,
                  AffineMap::get(2, 0, dim(1), builder.getContext()), loops,
                  combiner);
  op.erase();
}

/// The allocation all of whose elements a view shows in their order, or null.
memref::AllocOp getWhole(Value view) {
  while (isa_and_nonnull<memref::ExpandShapeOp, memref::CollapseShapeOp>(
      view.getDefiningOp()))
    view = view.getDefiningOp()->getOperand(0);
  return view.getDefiningOp<memref::AllocOp>();
}

/// True if all that touches the buffer of `view` is part of dispatches, and
/// none stands behind `op`.
bool isUsedUntil(Value view, Operation *op) {
  return llvm::all_of(view.getUsers(), [&](Operation *user) {
    if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(user))
      return isUsedUntil(user->getResult(0), op);
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
    bool isPart = isDispatchable(user) || (isa<memref::LoadOp>(user) &&
                                           isDispatchable(user->getParentOp()));
    return isPart && ancestor &&
           (ancestor == op || ancestor->isBeforeInBlock(op));
  });
}

/// True if nothing after `op` touches the buffer, and the buffer belongs to the
/// block of `op` alone.
bool diesAt(Value view, Operation *op) {
  memref::AllocOp alloc = getWhole(view);
  return alloc && alloc->getBlock() == op->getBlock() && isUsedUntil(alloc, op);
}

/// True if the result is a fresh buffer that `op` writes first.
bool isBornAt(Value view, Operation *op) {
  auto alloc = view.getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->getBlock() != op->getBlock())
    return false;
  return llvm::all_of(alloc->getUsers(), [&](Operation *user) {
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
    return ancestor && (ancestor == op || op->isBeforeInBlock(ancestor));
  });
}

bool haveEqualSizes(Value a, Value b, Extents &extents) {
  for (unsigned dim = 0; dim < cast<MemRefType>(a.getType()).getRank(); ++dim)
    if (!isEqualConstantIntOrValue(extents.get(a, dim), extents.get(b, dim)))
      return false;
  return true;
}

/// True if `op` touches the buffer of `input` in another way, too.
bool touchesOtherwise(linalg::GenericOp op, OpOperand *input) {
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &other) {
    return &other != input && isa<MemRefType>(other.get().getType()) &&
           getBuffer(other.get()) == getBuffer(input->get()) &&
           (op.isDpsInit(&other) || other.get() != input->get() ||
            op.getMatchingIndexingMap(&other) !=
                op.getMatchingIndexingMap(input));
  });
}

/// Writes a result, computed element by element, over an operand that dies: one
/// buffer less to stream through the cache.
void reuseOperand(linalg::GenericOp op, OpOperand *result, Extents &extents) {
  AffineMap map = op.getMatchingIndexingMap(result);
  Value fresh = result->get();
  if (!map.isPermutation() || op.payloadUsesValueFromOperand(result) ||
      !isBornAt(fresh, op))
    return;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value old = input->get();
    if (old.getType() != fresh.getType() || !diesAt(old, op) ||
        op.getMatchingIndexingMap(input) != map ||
        touchesOtherwise(op, input) || !haveEqualSizes(old, fresh, extents))
      continue;
    fresh.replaceAllUsesWith(old);
    fresh.getDefiningOp()->erase();
    return;
  }
}

void reuseOperands(linalg::GenericOp op, Extents &extents) {
  if (op->hasAttr(kPackedAttr))
    return;
  // A gather in the body may read what another row has overwritten.
  WalkResult gathers = op.getBody()->walk(
      [](memref::LoadOp) { return WalkResult::interrupt(); });
  if (gathers.wasInterrupted())
    return;
  for (OpOperand &result : op.getDpsInitsMutable())
    reuseOperand(op, &result, extents);
}

} // namespace

void prepareForDispatch(func::FuncOp function, bool packs, bool foldsSums) {
  for (memref::CopyOp copy : collect<memref::CopyOp>(function))
    replaceCopy(copy);
  for (auto product : collect<linalg::LinalgOp>(function))
    foldZeroFill(product);
  if (foldsSums)
    for (linalg::GenericOp op : collect<linalg::GenericOp>(function))
      foldSum(op);
  if (packs)
    for (scf::ForOp loop : collect<scf::ForOp>(function))
      packWeights(loop);
  Extents extents(function);
  for (linalg::GenericOp op : collect<linalg::GenericOp>(function))
    splitFullReduction(op, extents);
  for (linalg::GenericOp op : collect<linalg::GenericOp>(function))
    splitStackReduction(op, extents);
  for (linalg::GenericOp op : collect<linalg::GenericOp>(function))
    foldUpdate(op, extents);
  for (linalg::GenericOp op : collect<linalg::GenericOp>(function))
    reuseOperands(op, extents);
}

} // namespace blocks
