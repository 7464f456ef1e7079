// See FinishEntry.h.
#include "lib/Conversion/LinalgToCpu/FinishEntry.h"
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/Place.h"

#include <mlir/Dialect/Arith/Utils/Utils.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>

using namespace mlir;

namespace blocks {

static void collect(Region &region,
                    SmallVectorImpl<SmallVector<Operation *>> &dispatches) {
  for (Block &block : region) {
    Attribute last;
    for (Operation &op : block) {
      if (!isDispatchable(&op)) {
        for (Region &nested : op.getRegions())
          collect(nested, dispatches);
        last = isPure(&op) ? last : Attribute();
        continue;
      }
      Attribute number = op.getAttr(kDispatchAttr);
      if (!number || number != last)
        dispatches.emplace_back();
      dispatches.back().push_back(&op);
      last = number;
    }
  }
}

SmallVector<SmallVector<Operation *>> collectDispatches(func::FuncOp function) {
  SmallVector<SmallVector<Operation *>> dispatches;
  collect(function.getBody(), dispatches);
  return dispatches;
}

/// Sizes of views are values that the entry has already.
static void lowerDims(func::FuncOp function, Extents &extents) {
  SmallVector<memref::DimOp> dims;
  function.walk([&](memref::DimOp dim) {
    if (!isa<BlockArgument>(dim.getSource()) && dim.getConstantIndex())
      dims.push_back(dim);
  });
  for (memref::DimOp dim : dims) {
    OpBuilder builder(dim);
    dim.replaceAllUsesWith(getValueOrCreateConstantIndexOp(
        builder, dim.getLoc(),
        extents.get(dim.getSource(), *dim.getConstantIndex())));
    dim.erase();
  }
}

static void eraseDead(func::FuncOp function) {
  SmallVector<Operation *> ops;
  function.walk<WalkOrder::PostOrder>(
      [&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}

/// What is left would reach LLVM as a descriptor, or not at all. Arguments and
/// constants do so, as the place their pointer is taken from.
static LogicalResult checkNoMemrefs(func::FuncOp function) {
  WalkResult result = function.walk([&](Operation *op) -> WalkResult {
    if (isa<func::FuncOp, memref::DimOp, memref::GetGlobalOp,
            memref::ExtractAlignedPointerAsIndexOp>(op))
      return WalkResult::advance();
    auto isMemref = [](Type type) { return isa<MemRefType>(type); };
    if (llvm::any_of(op->getOperandTypes(), isMemref) ||
        llvm::any_of(op->getResultTypes(), isMemref))
      return emitNoForm(op)
             << "no kernel can be made of this operation on buffers"
             << noFormAdvice("write this part of the model by other operations "
                             "(docs/status.md lists them)");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult finishEntry(func::FuncOp function, Extents &extents) {
  lowerDims(function, extents);
  eraseDead(function);
  return checkNoMemrefs(function);
}

} // namespace blocks
