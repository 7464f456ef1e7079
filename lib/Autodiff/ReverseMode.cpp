//===- ReverseMode.cpp - Gradients of a block's values --------------------===//
#include "lib/Autodiff/ReverseMode.h"

#include "lib/Autodiff/DisjointInserts.h"
#include "lib/Autodiff/KernelGradient.h"
#include "lib/Autodiff/LastState.h"
#include "lib/Autodiff/ScanGradient.h"

using namespace mlir;

namespace blocks {

void ReverseMode::add(Value value, Value gradient) {
  if (gradient)
    addTo(gradients[value], value, gradient);
}

void ReverseMode::addTo(Value &sum, Value value, Value gradient) {
  if (!sum)
    sum = gradient;
  else if (Value joined = addDisjointInserts(builder, sum, gradient))
    sum = joined;
  else
    sum = arith::AddFOp::create(builder, value.getLoc(), sum, gradient);
}

LogicalResult ReverseMode::visit(Block &block) {
  // Rules may append to the very block, so the operations are listed first.
  SmallVector<Operation *> operations;
  for (Operation &op : block)
    operations.push_back(&op);
  for (Operation *op : llvm::reverse(operations))
    if (failed(visit(op)))
      return failure();
  return success();
}

/// The brick that the operation most likely came from: that of the nearest
/// annotation after it, or else before it.
static StringRef brickOf(Operation *op) {
  SmallVector<Operation *> near(op->user_begin(), op->user_end());
  for (unsigned i = 0; i < near.size() && i < 64; ++i) {
    if (auto tag = dyn_cast<TagOp>(near[i]))
      return tag.getAnnotation().getBrick().getValue();
    near.append(near[i]->user_begin(), near[i]->user_end());
  }
  near.assign(1, op);
  for (unsigned i = 0; i < near.size() && i < 64; ++i) {
    if (auto tag = dyn_cast<TagOp>(near[i]))
      return tag.getAnnotation().getBrick().getValue();
    for (Value operand : near[i]->getOperands())
      if (Operation *definition = operand.getDefiningOp())
        near.push_back(definition);
  }
  return {};
}

static LogicalResult reportNotDifferentiable(Operation *op, StringRef why) {
  InFlightDiagnostic error =
      op->emitError() << "'" << op->getName() << "' has no gradient" << why
                      << ", but the cost depends on a parameter through it";
  StringRef brick = brickOf(op);
  if (!brick.empty())
    error << " (near brick " << brick << ")";
  return error << "; write the operation by others, or keep parameters out of "
                  "its operands";
}

LogicalResult ReverseMode::visit(Operation *op) {
  SmallVector<Value> results;
  for (Value result : op->getResults())
    results.push_back(activity.contains(result) ? gradient(result) : Value());
  auto hasLastGradient = [&](Value v) { return bool(lastGradient(v)); };
  if (llvm::none_of(results, [](Value v) { return bool(v); }) &&
      llvm::none_of(op->getResults(), hasLastGradient))
    return success();
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    if (OpResult stacked = stackOfLastState(slice)) {
      if (activity.contains(stacked))
        addTo(lastGradients[stacked], stacked, results[0]);
      return success();
    }
  if (auto scan = dyn_cast<ScanOp>(op))
    return differentiateScan(scan, *this);
  if (llvm::none_of(op->getOperands(),
                    [&](Value v) { return activity.contains(v); }))
    return success(); // a parameter itself
  if (auto call = dyn_cast<CallKernelOp>(op))
    return differentiateKernelCall(call, results, *this);
  auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
  if (!differentiable)
    return reportNotDifferentiable(op, "");
  if (!differentiable.hasGradient())
    return reportNotDifferentiable(op, " in this form");
  SmallVector<Value> operands;
  differentiable.buildGradients(builder, results, operands);
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    if (!activity.contains(operand) || !operands[i])
      continue;
    if (!hook || !hook(op, i, results[0]))
      add(operand, operands[i]);
  }
  return success();
}

} // namespace blocks
