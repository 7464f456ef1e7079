// See Access.h.
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/ImageCall.h"
#include "lib/Conversion/LinalgToCpu/RowsOfView.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Interfaces/ViewLikeInterface.h>

using namespace mlir;

namespace blocks {

/// Elements of a product's right operand that every block may as well read, and
/// pack, for itself: half of the first cache.
static constexpr int64_t kSmallProduct = 16384;

Value getBuffer(Value memref) {
  while (Operation *definition = memref.getDefiningOp()) {
    // A view of the arena is a buffer of its own: the plan gives overlapping
    // slots only to buffers that are not live together.
    auto view = dyn_cast<ViewLikeOpInterface>(definition);
    if (!view || isa<memref::ViewOp>(definition))
      break;
    memref = view.getViewSource();
  }
  return memref;
}

/// Splits an index into a value and a constant that is added to it.
static std::pair<Value, int64_t> splitOffset(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return {Value(), *constant};
  Value value = cast<Value>(index);
  if (auto add = value.getDefiningOp<arith::AddIOp>())
    if (std::optional<int64_t> constant = getConstantIntValue(add.getRhs()))
      return {add.getLhs(), *constant};
  return {value, 0};
}

/// `index` counted in steps of `size`, if it is a product with it.
static OpFoldResult countSteps(OpFoldResult index, OpFoldResult size) {
  if (isZeroInteger(index))
    return index;
  auto value = dyn_cast<Value>(index);
  auto product = value ? value.getDefiningOp<arith::MulIOp>() : nullptr;
  if (!product)
    return {};
  if (isEqualConstantIntOrValue(product.getRhs(), size))
    return product.getLhs();
  if (isEqualConstantIntOrValue(product.getLhs(), size))
    return product.getRhs();
  return {};
}

/// True if [a, a + sizeA) and [b, b + sizeB) cannot meet.
static bool areDisjointRanges(OpFoldResult a, OpFoldResult sizeA,
                              OpFoldResult b, OpFoldResult sizeB) {
  // Steps t and t + 1 of a stack whose slices have `size` rows each.
  if (isEqualConstantIntOrValue(sizeA, sizeB)) {
    OpFoldResult stepsA = countSteps(a, sizeA), stepsB = countSteps(b, sizeB);
    if (stepsA && stepsB) {
      auto [baseA, stepA] = splitOffset(stepsA);
      auto [baseB, stepB] = splitOffset(stepsB);
      if (baseA == baseB && stepA != stepB)
        return true;
    }
  }
  auto [baseA, offsetA] = splitOffset(a);
  auto [baseB, offsetB] = splitOffset(b);
  if (baseA != baseB)
    return false;
  std::optional<int64_t> first =
      getConstantIntValue(offsetA < offsetB ? sizeA : sizeB);
  return first && std::abs(offsetA - offsetB) >= *first;
}

/// The subview of a whole buffer that a view shows, through reshapes.
static memref::SubViewOp getSlice(Value view) {
  while (Operation *definition = view.getDefiningOp()) {
    if (auto slice = dyn_cast<memref::SubViewOp>(definition))
      return slice;
    if (!isa<memref::CollapseShapeOp, memref::ExpandShapeOp, memref::CastOp>(
            definition))
      return {};
    view = definition->getOperand(0);
  }
  return {};
}

bool areDisjoint(Value a, Value b) {
  memref::SubViewOp sliceA = getSlice(a), sliceB = getSlice(b);
  if (!sliceA || !sliceB || sliceA.getSource() != sliceB.getSource())
    return false;
  for (unsigned dim = 0; dim < sliceA.getMixedOffsets().size(); ++dim) {
    if (!isOneInteger(sliceA.getMixedStrides()[dim]) ||
        !isOneInteger(sliceB.getMixedStrides()[dim]))
      continue;
    if (areDisjointRanges(
            sliceA.getMixedOffsets()[dim], sliceA.getMixedSizes()[dim],
            sliceB.getMixedOffsets()[dim], sliceB.getMixedSizes()[dim]))
      return true;
  }
  return false;
}

static bool isMemref(Value value) { return isa<MemRefType>(value.getType()); }

static bool isIndexedByRow(AffineMap map, std::optional<unsigned> row) {
  if (!row || map.getNumResults() == 0)
    return false;
  auto dim = dyn_cast<AffineDimExpr>(map.getResult(0));
  if (!dim || dim.getPosition() != *row)
    return false;
  for (AffineExpr other : map.getResults().drop_front())
    if (other.isFunctionOfDim(*row))
      return false;
  return true;
}

static void addLinalgAccesses(linalg::LinalgOp op,
                              SmallVectorImpl<Access> &accesses) {
  std::optional<unsigned> row = getRowLoop(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isMemref(operand.get()))
      continue;
    Access access{operand.get()};
    access.writes = op.isDpsInit(&operand);
    access.reads = op.payloadUsesValueFromOperand(&operand) &&
                   !(access.writes && op->hasAttr(kOverwriteAttr));
    access.byRow = isIndexedByRow(op.getMatchingIndexingMap(&operand), row);
    accesses.push_back(access);
  }
}

static void addImageAccesses(ImageCallOp call,
                             SmallVectorImpl<Access> &accesses) {
  for (auto [i, input] : llvm::enumerate(call.getInputs()))
    accesses.push_back({input, true, false, readsByRow(call, i)});
  accesses.push_back({call.getOutput(), false, true, true});
}

/// Sums may be added into results, so they are read as well.
static void addLaunchAccesses(KernelLaunchOp launch,
                              SmallVectorImpl<Access> &accesses) {
  for (Value input : launch.getInputs())
    accesses.push_back({input, true, false});
  for (Value output : launch.getOutputs())
    accesses.push_back({output, true, true});
}

SmallVector<Access> getAccesses(Operation *op) {
  SmallVector<Access> accesses;
  op->walk([&](Operation *nested) {
    if (auto structured = dyn_cast<linalg::LinalgOp>(nested)) {
      addLinalgAccesses(structured, accesses);
    } else if (auto call = dyn_cast<ImageCallOp>(nested)) {
      addImageAccesses(call, accesses);
    } else if (auto launch = dyn_cast<KernelLaunchOp>(nested)) {
      addLaunchAccesses(launch, accesses);
    } else if (auto load = dyn_cast<memref::LoadOp>(nested)) {
      accesses.push_back({load.getMemRef(), true, false});
    } else if (auto store = dyn_cast<memref::StoreOp>(nested)) {
      accesses.push_back({store.getMemRef(), false, true});
    } else if (!isPure(nested) && !isa<memref::AllocOp>(nested)) {
      for (Value operand : nested->getOperands())
        if (isMemref(operand))
          accesses.push_back({operand, true, true});
    }
  });
  return accesses;
}

static bool touchSame(const Access &a, const Access &b) {
  return (a.writes || b.writes) && getBuffer(a.view) == getBuffer(b.view) &&
         !areDisjoint(a.view, b.view);
}

bool conflict(ArrayRef<Access> a, ArrayRef<Access> b) {
  for (const Access &first : a)
    for (const Access &second : b)
      if (touchSame(first, second))
        return true;
  return false;
}

bool shareRows(ArrayRef<Access> a, ArrayRef<Access> b, bool inOneView) {
  for (const Access &first : a)
    for (const Access &second : b)
      if (touchSame(first, second) &&
          !(first.byRow && second.byRow &&
            (first.view == second.view ||
             (!inOneView && haveSameRows(first.view, second.view)))))
        return false;
  return true;
}

std::optional<unsigned> getRowLoop(linalg::LinalgOp op) {
  std::optional<unsigned> row;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    if (map.getNumResults() == 0)
      return std::nullopt;
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(0));
    if (!dim || (row && *row != dim.getPosition()))
      return std::nullopt;
    row = dim.getPosition();
  }
  if (!row || op.getIteratorTypesArray()[*row] != utils::IteratorType::parallel)
    return std::nullopt;
  return row;
}

std::optional<unsigned> getColumnLoop(linalg::LinalgOp op) {
  std::optional<unsigned> row = getRowLoop(op), column;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    auto dim = map.getNumResults() == 2
                   ? dyn_cast<AffineDimExpr>(map.getResult(1))
                   : AffineDimExpr(nullptr);
    if (!dim || dim.getPosition() == row ||
        (column && *column != dim.getPosition()))
      return std::nullopt;
    column = dim.getPosition();
  }
  if (!column ||
      op.getIteratorTypesArray()[*column] != utils::IteratorType::parallel)
    return std::nullopt;
  return column;
}

/// True if `column` indexes the last dimension, and no other.
static bool isIndexedByColumn(AffineMap map, unsigned column) {
  for (auto [dim, result] : llvm::enumerate(map.getResults())) {
    bool last = dim + 1 == map.getNumResults();
    if (last ? result != getAffineDimExpr(column, map.getContext())
             : result.isFunctionOfDim(column))
      return false;
  }
  return map.getNumResults() > 0;
}

bool shareColumns(ArrayRef<Operation *> ops) {
  struct Use {
    Operation *op;
    Access access;
    bool byColumn;
  };
  SmallVector<Use> uses;
  for (Operation *op : ops) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    std::optional<unsigned> column =
        structured ? getColumnLoop(structured) : std::nullopt;
    if (!column || structured.hasIndexSemantics())
      return false;
    for (OpOperand &operand : op->getOpOperands())
      if (isMemref(operand.get()))
        uses.push_back(
            {op,
             {operand.get(), true, structured.isDpsInit(&operand)},
             isIndexedByColumn(structured.getMatchingIndexingMap(&operand),
                               *column)});
  }
  for (const Use &a : uses)
    for (const Use &b : uses)
      if (a.op != b.op && touchSame(a.access, b.access) &&
          !(a.access.view == b.access.view && a.byColumn && b.byColumn))
        return false;
  return true;
}

bool hasRows(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured ? getRowLoop(structured).has_value() : isa<ImageCallOp>(op);
}

OpFoldResult getRowCount(Operation *op, Extents &extents) {
  if (auto call = dyn_cast<ImageCallOp>(op))
    return extents.get(call.getOutput(), 0);
  auto structured = cast<linalg::LinalgOp>(op);
  return extents.getLoop(structured, *getRowLoop(structured));
}

static bool hasUnitInnerStride(Value memref) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(cast<MemRefType>(memref.getType())
                       .getStridesAndOffset(strides, offset)) &&
         strides.size() >= 2 && strides.back() == 1;
}

/// The last two dimensions are indexed by these loops, alone.
static bool hasLoops(AffineMap map, unsigned first, unsigned second) {
  ArrayRef<AffineExpr> last = map.getResults().take_back(2);
  return last.size() == 2 &&
         last[0] == getAffineDimExpr(first, map.getContext()) &&
         last[1] == getAffineDimExpr(second, map.getContext());
}

/// `leading` loops, one for each leading dimension of all operands, and then
/// the loops of a product.
static bool isProductOf(linalg::LinalgOp product, unsigned leading) {
  if (!isMemref(product->getOperand(0)))
    return false;
  Type element = getElementTypeOrSelf(product->getOperand(2).getType());
  if (!element.isF32() && !element.isF64())
    return false;
  unsigned m = leading, n = leading + 1, k = leading + 2;
  SmallVector<AffineMap> maps = product.getIndexingMapsArray();
  for (AffineMap map : maps) {
    if (map.getNumResults() != leading + 2)
      return false;
    for (unsigned loop = 0; loop < leading; ++loop)
      if (map.getResult(loop) != getAffineDimExpr(loop, map.getContext()))
        return false;
  }
  if (!hasLoops(maps[0], m, k) && !hasLoops(maps[0], k, m))
    return false;
  if (!hasLoops(maps[1], k, n) && !hasLoops(maps[1], n, k))
    return false;
  if (!hasLoops(maps[2], m, n))
    return false;
  // Rounded operands are a GPU's (see blocks-bf16).
  Type operands = getElementTypeOrSelf(product->getOperand(0).getType());
  if (operands != element && !(operands.isBF16() && element.isF32()))
    return false;
  return getElementTypeOrSelf(product->getOperand(1).getType()) == operands &&
         llvm::all_of(product->getOperands(), hasUnitInnerStride);
}

bool isProduct(Operation *op) {
  auto product = dyn_cast<linalg::MatmulOp>(op);
  return product && isProductOf(product, 0);
}

bool isSmallProduct(Operation *op) {
  if (!isProduct(op))
    return false;
  SmallVector<int64_t> ranges =
      cast<linalg::LinalgOp>(op).getStaticLoopRanges();
  return !ShapedType::isDynamic(ranges[1]) &&
         !ShapedType::isDynamic(ranges[2]) &&
         ranges[1] * ranges[2] <= kSmallProduct;
}

bool isBatchProduct(Operation *op) {
  auto product = dyn_cast<linalg::BatchMatmulOp>(op);
  return product && isProductOf(product, 1);
}

bool isDispatchable(Operation *op) {
  if (auto call = dyn_cast<ImageCallOp>(op))
    return isMemref(call.getOutput());
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && structured.hasPureBufferSemantics();
}

} // namespace blocks
