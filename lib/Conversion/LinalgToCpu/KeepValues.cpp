// Explicit copies of what would be overwritten while it is still needed. The
// first step of blocks-bufferize: one-shot bufferization sees only uses of
// tensors, but eliminating empty tensors puts values into outputs and states,
// which are memory, and what is written there later is no use of a tensor.
//
// - What an insertion changes is copied first, unless it was computed for this
//   insertion alone: an output may live where the insertion's result goes.
// - A state's new value that is not computed element by element over the old
//   one (it reads the old one transposed, or elsewhere) gets memory of its own,
//   and is copied into the state when it is complete.
#include "lib/Conversion/LinalgToCpu/KeepValues.h"

#include <mlir/Dialect/Bufferization/IR/Bufferization.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/Tensor/IR/Tensor.h>

using namespace mlir;

namespace blocks {
namespace {

using Materialize = bufferization::MaterializeInDestinationOp;

Value copyInto(OpBuilder &builder, Location loc, Value source, Value target) {
  unsigned rank = cast<RankedTensorType>(source.getType()).getRank();
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, target.getType(), source, target, maps, loops,
             [](OpBuilder &inner, Location at, ValueRange values) {
               linalg::YieldOp::create(inner, at, values[0]);
             })
      .getResult(0);
}

/// True if `tensor` was computed in this block for its one use.
bool isMadeForItsUse(Value tensor, Block *block) {
  while (tensor.hasOneUse()) {
    Operation *op = tensor.getDefiningOp();
    if (!op || op->getBlock() != block)
      return false;
    if (isa<DestinationStyleOpInterface, tensor::EmptyOp>(op))
      return true;
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
             tensor::ExtractSliceOp>(op))
      return false;
    tensor = op->getOperand(0);
  }
  return false;
}

void keepInsertedInto(tensor::InsertSliceOp insert) {
  Value whole = insert.getDest();
  if (isMadeForItsUse(whole, insert->getBlock()))
    return;
  OpBuilder builder(insert);
  Location loc = insert.getLoc();
  Value room = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, whole),
      getElementTypeOrSelf(whole.getType()));
  insert.getDestMutable().assign(copyInto(builder, loc, whole, room));
}

/// True if `tensor` shows the old value of the state in `memref`, all of it.
bool isOldValue(Value tensor, Value memref) {
  auto read = tensor.getDefiningOp<bufferization::ToTensorOp>();
  return read && read.getBuffer() == memref;
}

/// True if the new value is computed over the old one.
bool isInPlace(Materialize update) {
  auto result = dyn_cast<OpResult>(update.getSource());
  auto op = result ? dyn_cast<linalg::LinalgOp>(result.getOwner())
                   : linalg::LinalgOp();
  return op && isOldValue(op.getDpsInitOperand(result.getResultNumber())->get(),
                          update.getDest());
}

bool updatesState(Materialize update) {
  auto argument = dyn_cast<BlockArgument>(update.getDest());
  auto function =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
               : func::FuncOp();
  return function &&
         function.getArgAttr(argument.getArgNumber(), "blocks.state");
}

void keepOldState(Materialize update) {
  if (isInPlace(update))
    return;
  Value memref = update.getDest(), old;
  OpBuilder builder(update);
  for (Operation *user : memref.getUsers())
    if (auto read = dyn_cast<bufferization::ToTensorOp>(user))
      old = read;
  if (!old)
    old = bufferization::ToTensorOp::create(
        builder, update.getLoc(), update.getSource().getType(), memref,
        /*restrict=*/true, /*writable=*/true);
  update.getSourceMutable().assign(
      copyInto(builder, update.getLoc(), update.getSource(), old));
}

} // namespace

void keepNeededValues(func::FuncOp function) {
  SmallVector<tensor::InsertSliceOp> insertions;
  SmallVector<Materialize> updates;
  function.walk([&](Operation *op) {
    if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op))
      insertions.push_back(insertion);
    else if (auto update = dyn_cast<Materialize>(op);
             update && updatesState(update))
      updates.push_back(update);
  });
  for (tensor::InsertSliceOp insertion : insertions)
    keepInsertedInto(insertion);
  for (Materialize update : updates)
    keepOldState(update);
}

} // namespace blocks
