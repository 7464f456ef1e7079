// B := A·W, then B := B + X, of which X is not needed after, becomes
// X := X + A·W: the product adds in place, and the sum is no operation of its
// own. In a loop X is the step's slice of what was computed for all steps, such
// as the part of a recurrent layer's gates that its inputs make. Part of
// preparing for dispatches, for a GPU: there the sum would be a launch.
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/Prepare.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Interfaces/ViewLikeInterface.h>

using namespace mlir;

namespace blocks {
namespace {

class SumFolding {
public:
  explicit SumFolding(linalg::GenericOp sum) : sum(sum) {}

  void run() {
    if (!matchSum() || !findProduct() || !isLastUse() || !moveTermUp() ||
        !canReplaceViews())
      return;
    OpBuilder builder(product);
    for (memref::SubViewOp view : views) {
      view.replaceAllUsesWith(memref::SubViewOp::create(
                                  builder, view.getLoc(), term,
                                  view.getMixedOffsets(), view.getMixedSizes(),
                                  view.getMixedStrides())
                                  .getResult());
      view.erase();
    }
    product->removeAttr(kOverwriteAttr);
    sum.erase();
    result.getResult().replaceAllUsesWith(term);
    result.erase();
  }

private:
  /// result := result + term, for each element.
  bool matchSum() {
    if (sum.getNumLoops() != 2 || sum.getNumReductionLoops() != 0 ||
        sum.getNumDpsInputs() != 1 || sum.getNumDpsInits() != 1 ||
        !llvm::all_of(sum.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); }))
      return false;
    Block *body = sum.getBody();
    auto add =
        body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
    Value a = body->getArgument(0), b = body->getArgument(1);
    if (!add || !((add.getLhs() == a && add.getRhs() == b) ||
                  (add.getLhs() == b && add.getRhs() == a)))
      return false;
    term = sum.getDpsInputs()[0];
    result = sum.getDpsInits()[0].getDefiningOp<memref::AllocOp>();
    buffer = getBuffer(term).getDefiningOp<memref::AllocOp>();
    return result && buffer && buffer != result;
  }

  /// The product that writes the result, between which and the sum nothing
  /// touches either.
  bool findProduct() {
    SmallVector<Access> both{{result, true, true}, {term, true, true}};
    for (Operation *op = sum->getPrevNode(); op; op = op->getPrevNode()) {
      if (!conflict(getAccesses(op), both))
        continue;
      product = dyn_cast<linalg::MatmulOp>(op);
      break;
    }
    return product && isProduct(product) && product->hasAttr(kOverwriteAttr) &&
           product->getOperand(2) == result.getResult() &&
           llvm::none_of(product.getInputs(), [&](Value input) {
             return getBuffer(input) == result.getResult() ||
                    getBuffer(input) == buffer.getResult();
           });
  }

  // --- The term --------------------------------------------------------------

  /// True if `value` is another one in each step of the loop.
  static bool changes(Value value, scf::ForOp loop) {
    if (value == loop.getInductionVar())
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || !isa<arith::AddIOp, arith::SubIOp>(op))
      return false;
    Value a = op->getOperand(0), b = op->getOperand(1);
    return (changes(a, loop) && isFixed(b, loop)) ||
           (changes(b, loop) && isFixed(a, loop));
  }
  static bool isFixed(Value value, scf::ForOp loop) {
    Operation *op = value.getDefiningOp();
    return loop.isDefinedOutsideOfLoop(value) ||
           (op && op->hasTrait<OpTrait::ConstantLike>());
  }

  /// The term is the step's own slice of a larger array.
  bool isStepOf(scf::ForOp loop) {
    auto slice = term.getDefiningOp<memref::SubViewOp>();
    if (!slice || !loop.isDefinedOutsideOfLoop(slice.getSource()))
      return false;
    auto offset = dyn_cast<Value>(slice.getMixedOffsets()[0]);
    return offset && isOneInteger(slice.getMixedSizes()[0]) &&
           changes(offset, loop);
  }

  /// True if `op` is done before the product, or before the loop around it.
  bool isBefore(Operation *op) {
    Operation *here = buffer->getBlock()->findAncestorOpInBlock(*product);
    Operation *there = buffer->getBlock()->findAncestorOpInBlock(*op);
    return here && there && there->isBeforeInBlock(here);
  }

  bool isUsedBefore(Value view) {
    return llvm::all_of(view.getUsers(), [&](Operation *user) {
      if (user == sum)
        return true;
      if (isa<ViewLikeOpInterface>(user))
        return isUsedBefore(user->getResult(0));
      return isPure(user) || (isBefore(user) && isPart(user));
    });
  }
  /// Nothing but dispatches, and loops of them, touches the buffer.
  static bool isPart(Operation *user) {
    return isDispatchable(user) || isa<memref::LoadOp>(user);
  }

  /// Nobody reads the term, or another slice that this one overwrites, later.
  bool isLastUse() {
    Operation *parent = product->getParentOp();
    if (buffer->getBlock() != product->getBlock()) {
      auto loop = dyn_cast<scf::ForOp>(parent);
      if (!loop || loop->getBlock() != buffer->getBlock() || !isStepOf(loop))
        return false;
    }
    return isUsedBefore(buffer);
  }

  /// The view must be there when the product runs.
  bool moveTermUp() {
    Operation *view = term.getDefiningOp();
    if (view->getBlock() != product->getBlock() ||
        view->isBeforeInBlock(product))
      return true;
    for (Value operand : view->getOperands()) {
      Operation *op = operand.getDefiningOp();
      if (op && op->getBlock() == product->getBlock() &&
          !op->isBeforeInBlock(product))
        return false;
    }
    view->moveBefore(product);
    return true;
  }

  // --- The result ------------------------------------------------------------

  /// All other uses are operations, or parts at fixed places.
  bool canReplaceViews() {
    for (Operation *user : result->getUsers()) {
      if (isDispatchable(user))
        continue;
      auto view = dyn_cast<memref::SubViewOp>(user);
      if (!view || view->getNumOperands() != 1 ||
          !llvm::all_of(view->getUsers(), isDispatchable) ||
          llvm::any_of(view->getUsers(), [&](Operation *op) {
            return op->getBlock() != product->getBlock() ||
                   op->isBeforeInBlock(product);
          }))
        return false;
      views.push_back(view);
    }
    return true;
  }

  linalg::GenericOp sum;
  Value term;
  memref::AllocOp result, buffer;
  linalg::MatmulOp product;
  SmallVector<memref::SubViewOp> views;
};

} // namespace

void foldSum(linalg::GenericOp op) { SumFolding(op).run(); }

} // namespace blocks
