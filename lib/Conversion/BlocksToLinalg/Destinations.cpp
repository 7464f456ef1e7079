//===- Destinations.cpp - Where elementwise operations write --------------===//
//
// One-shot bufferization decides in-place by the `outs` operand. A generic that
// computes a state's new value gets the state itself there; one whose input is
// a computed tensor that nobody else reads gets that input, so that bias and
// activation work on the buffer of their product, also inside a loop, where the
// product then writes directly into the stacked state.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Destinations.h"
#include "lib/Conversion/BlocksToLinalg/Overwrites.h"

#include "dialects/Blocks/Blocks.h"

#include <mlir/Dialect/Bufferization/IR/Bufferization.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/Tensor/IR/Tensor.h>
#include <mlir/IR/PatternMatch.h>

using namespace mlir;

namespace blocks {

/// The old tensor of the state that `result` is materialized into, or null. A
/// loop reads it in each step anew.
static Value stateOf(OpResult result) {
  Operation *op = result.getOwner();
  for (Operation *user : result.getUsers()) {
    auto update = dyn_cast<bufferization::MaterializeInDestinationOp>(user);
    if (!update)
      continue;
    for (Operation *reader : update.getDest().getUsers())
      if (auto tensor = dyn_cast<bufferization::ToTensorOp>(reader))
        if (tensor.getWritable() && tensor.getType() == result.getType() &&
            tensor->getBlock() == op->getBlock() && tensor->isBeforeInBlock(op))
          return tensor.getResult();
  }
  return {};
}

/// An input that holds `tensor`, or null.
static OpOperand *inputOf(linalg::GenericOp op, Value tensor) {
  for (OpOperand *input : op.getDpsInputOperands())
    if (input->get() == tensor)
      return input;
  return nullptr;
}

static bool isIdentity(linalg::GenericOp op, OpOperand *operand) {
  return op.getMatchingIndexingMap(operand).isIdentity();
}

/// True if the body reads `tensor` at computed places.
static bool gathersFrom(linalg::GenericOp op, Value tensor) {
  WalkResult found = op.getBody()->walk([&](tensor::ExtractOp read) {
    return behindViews(read.getTensor()) == tensor ? WalkResult::interrupt()
                                                   : WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// Every read of `tensor` by `op` is of the element being written; a read of a
/// view of it may be of any.
static bool readsOnlyOwnElement(linalg::GenericOp op, Value tensor) {
  if (gathersFrom(op, tensor))
    return false;
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    return input->get() == tensor ? isIdentity(op, input)
                                  : behindViews(input->get()) != tensor;
  });
}

/// An input that is computed here and used by nobody else; a product's result
/// if there is one.
static Value deadInput(linalg::GenericOp op, Type type) {
  Value found;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value tensor = input->get();
    Operation *producer = tensor.getDefiningOp();
    if (tensor.getType() != type || !tensor.hasOneUse() ||
        !isa_and_nonnull<linalg::LinalgOp, ImageCallOp>(producer) ||
        producer->getBlock() != op->getBlock() || !isIdentity(op, input))
      continue;
    if (!found || isa<linalg::MatmulOp, ImageCallOp>(producer))
      found = tensor;
  }
  return found;
}

/// `op` without input `dead`, whose uses in the body become those of the
/// element of `init`.
static void dropInput(RewriterBase &rewriter, linalg::GenericOp op,
                      OpOperand *dead, OpOperand *init) {
  Block *body = op.getBody();
  unsigned index = dead->getOperandNumber();
  rewriter.replaceAllUsesWith(body->getArgument(index),
                              body->getArgument(init->getOperandNumber()));
  SmallVector<Attribute> maps(op.getIndexingMaps().getValue());
  maps.erase(maps.begin() + index);
  rewriter.modifyOpInPlace(op, [&] {
    body->eraseArgument(index);
    op.getInputsMutable().erase(index);
    op.setIndexingMapsAttr(rewriter.getArrayAttr(maps));
  });
}

static void chooseDestination(RewriterBase &rewriter, linalg::GenericOp op,
                              unsigned resultNumber) {
  OpResult result = op->getResult(resultNumber);
  OpOperand *init = op.getDpsInitOperand(resultNumber);
  if (!init->get().getDefiningOp<tensor::EmptyOp>() || !isIdentity(op, init))
    return;
  Value target = stateOf(result);
  if (!target)
    target = deadInput(op, result.getType());
  if (!target || !readsOnlyOwnElement(op, target) ||
      llvm::is_contained(op.getOutputs(), target))
    return;
  rewriter.modifyOpInPlace(op, [&] { init->set(target); });
  while (OpOperand *input = inputOf(op, target))
    dropInput(rewriter, op, input, op.getDpsInitOperand(resultNumber));
}

static void eraseUnusedInits(RewriterBase &rewriter, func::FuncOp function) {
  function.walk([&](tensor::EmptyOp init) {
    if (init->use_empty())
      rewriter.eraseOp(init);
  });
}

void chooseDestinations(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  function.walk([&](linalg::GenericOp op) {
    if (op.getNumParallelLoops() != op.getNumLoops())
      return;
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      chooseDestination(rewriter, op, i);
  });
  eraseUnusedInits(rewriter, function);
}

} // namespace blocks
