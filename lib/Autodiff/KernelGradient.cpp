//===- KernelGradient.cpp - The gradient of a call of a user's kernel -----===//
#include "lib/Autodiff/KernelGradient.h"
#include "lib/Autodiff/Expressions.h"

#include <mlir/IR/IRMapping.h>

using namespace mlir;

namespace blocks {

namespace {

class KernelGradient {
public:
  KernelGradient(CallKernelOp call, ArrayRef<Value> results, ReverseMode &outer)
      : call(call), kernel(call.getCallee()), results(results), outer(outer),
        builder(outer.getBuilder()), loc(call.getLoc()) {}

  LogicalResult run() {
    if (auto name = kernel.getGradientAttr())
      return callGradient(name), success();
    return deriveFromBody();
  }

private:
  bool isActive(Value value) { return outer.getActivity().contains(value); }

  /// A result's gradient, zeros where nothing flows.
  Value gradientOf(unsigned i) {
    return results[i]
               ? results[i]
               : Expressions(builder, loc).constant(0.0, call.getResult(i));
  }

  /// The gradient kernel gives one result for each floating-point input.
  void callGradient(FlatSymbolRefAttr name) {
    SmallVector<Value> operands(call.getInputs());
    llvm::append_range(operands, call.getResults());
    for (unsigned i = 0; i < call.getNumResults(); ++i)
      if (isFloatTensor(call.getResult(i).getType()))
        operands.push_back(gradientOf(i));
    SmallVector<Value> inputs = llvm::filter_to_vector(
        call.getInputs(), [](Value v) { return isFloatTensor(v.getType()); });
    auto gradient = CallKernelOp::create(
        builder, loc, ValueRange(inputs).getTypes(), name, operands);
    for (auto [input, value] : llvm::zip(inputs, gradient.getResults()))
      if (isActive(input))
        outer.add(input, value);
  }

  /// Differentiates a copy of the kernel, and moves what it holds then here.
  LogicalResult deriveFromBody() {
    OwningOpRef<KernelOp> copy = kernel.clone();
    Block &body = copy->getBody().front();
    Operation *end = body.getTerminator();
    OpBuilder inside(end);
    Activity activity;
    for (auto [argument, input] :
         llvm::zip(body.getArguments(), call.getInputs()))
      if (isActive(input))
        activity.add(argument);
    activity.propagate(body);
    ReverseMode reverse(inside, activity);
    // Gradients of results come from outside: they become further arguments.
    SmallVector<Value> seeds;
    for (unsigned i = 0; i < results.size(); ++i)
      if (results[i] && activity.contains(end->getOperand(i))) {
        Type type = end->getOperand(i).getType();
        reverse.add(end->getOperand(i), body.addArgument(type, loc));
        seeds.push_back(results[i]);
      }
    if (failed(reverse.visit(body)))
      return failure();
    return moveHere(body, reverse, seeds);
  }

  /// `value` in the type of the kernel or of the call.
  Value convert(Value value, Type type) {
    return value.getType() == type
               ? value
               : tensor::CastOp::create(builder, loc, type, value).getResult();
  }

  LogicalResult moveHere(Block &body, ReverseMode &reverse,
                         ArrayRef<Value> seeds) {
    IRMapping values;
    SmallVector<Value> outside(call.getInputs());
    llvm::append_range(outside, seeds);
    for (auto [argument, value] : llvm::zip(body.getArguments(), outside))
      values.map(argument, convert(value, argument.getType()));
    for (Operation &op : body.without_terminator())
      builder.clone(op, values);
    for (auto [argument, input] :
         llvm::zip(body.getArguments(), call.getInputs()))
      if (Value gradient = reverse.gradient(argument);
          gradient && isActive(input))
        outer.add(input,
                  convert(values.lookupOrDefault(gradient), input.getType()));
    return success();
  }

  CallKernelOp call;
  KernelOp kernel;
  ArrayRef<Value> results;
  ReverseMode &outer;
  OpBuilder &builder;
  Location loc;
};

} // namespace

LogicalResult differentiateKernelCall(CallKernelOp call,
                                      ArrayRef<Value> results,
                                      ReverseMode &outer) {
  return KernelGradient(call, results, outer).run();
}

} // namespace blocks
