// Small rewrites on memrefs that make good dispatches possible: copies become
// structured operations, a zero fill before a product goes into the product,
// a full reduction is done row by row first, and the result of an elementwise
// operation takes the buffer of an operand that is not needed any more.
#include "lib/Conversion/LinalgToCpu/Prepare.h"
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/Extents.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
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
  OpFoldResult rows = extents.getLoop(op, 0);
  std::optional<int64_t> constant = getConstantIntValue(rows);
  Value total = op.getDpsInitOperand(0)->get();
  auto type = MemRefType::get({constant.value_or(ShapedType::kDynamic)},
                              getElementTypeOrSelf(total.getType()));
  SmallVector<Value> sizes;
  if (!constant)
    sizes.push_back(cast<Value>(rows));
  Value partials = memref::AllocOp::create(builder, loc, type, sizes,
                                           builder.getI64IntegerAttr(64));
  Value start = arith::ConstantOp::create(builder, loc, *neutral);
  linalg::FillOp::create(builder, loc, start, partials);

  // The operation itself now reduces each row into its partial.
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.back() =
      AffineMap::get(op.getNumLoops(), 0, builder.getAffineDimExpr(0));
  SmallVector<utils::IteratorType> loops = op.getIteratorTypesArray();
  loops[0] = utils::IteratorType::parallel;
  auto byRow = linalg::GenericOp::create(builder, loc, op.getInputs(), partials,
                                         maps, loops);
  byRow.getRegion().takeBody(op.getRegion());

  SmallVector<AffineMap> combineMaps{
      builder.getDimIdentityMap(), AffineMap::get(1, 0, builder.getContext())};
  linalg::GenericOp::create(
      builder, loc, partials, total, combineMaps,
      SmallVector<utils::IteratorType>{utils::IteratorType::reduction},
      [&](OpBuilder &inner, Location at, ValueRange values) {
        Operation *copy = inner.clone(*combiner);
        copy->setOperands({values[0], values[1]});
        linalg::YieldOp::create(inner, at, copy->getResult(0));
      });
  op.erase();
}

/// True if nothing after `op` touches the buffer, and the buffer belongs to the
/// block of `op` alone.
bool diesAt(Value view, Operation *op) {
  auto alloc = view.getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->getBlock() != op->getBlock())
    return false;
  return llvm::all_of(alloc->getUsers(), [&](Operation *user) {
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
    return isDispatchable(user) && ancestor &&
           (ancestor == op || ancestor->isBeforeInBlock(op));
  });
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

/// Writes the result of an elementwise operation over an operand that dies:
/// one buffer less to stream through the cache.
void reuseOperand(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 0)
    return;
  OpOperand *result = op.getDpsInitOperand(0);
  if (op.payloadUsesValueFromOperand(result) || !isBornAt(result->get(), op))
    return;
  // A gather in the body may read what another row has overwritten.
  WalkResult gathers = op.getBody()->walk(
      [](memref::LoadOp) { return WalkResult::interrupt(); });
  if (gathers.wasInterrupted())
    return;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value old = input->get();
    if (old.getType() != result->get().getType() || !diesAt(old, op) ||
        op.getMatchingIndexingMap(input) != op.getMatchingIndexingMap(result) ||
        !op.getMatchingIndexingMap(input).isPermutation())
      continue;
    auto target = result->get().getDefiningOp<memref::AllocOp>();
    auto source = old.getDefiningOp<memref::AllocOp>();
    bool readElsewhere =
        llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *other) {
          return other != input && other->get() == old &&
                 op.getMatchingIndexingMap(other) !=
                     op.getMatchingIndexingMap(input);
        });
    if (readElsewhere || target.getDynamicSizes() != source.getDynamicSizes())
      continue;
    Value fresh = result->get();
    fresh.replaceAllUsesWith(old);
    target.erase();
    return;
  }
}

} // namespace

void prepareForDispatch(func::FuncOp function) {
  for (memref::CopyOp copy : collect<memref::CopyOp>(function))
    replaceCopy(copy);
  for (auto product : collect<linalg::LinalgOp>(function))
    foldZeroFill(product);
  Extents extents(function);
  for (linalg::GenericOp op : collect<linalg::GenericOp>(function))
    splitFullReduction(op, extents);
  for (linalg::GenericOp op : collect<linalg::GenericOp>(function))
    foldUpdate(op, extents);
  for (linalg::GenericOp op : collect<linalg::GenericOp>(function))
    reuseOperand(op);
}

} // namespace blocks
