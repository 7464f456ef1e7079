//===- InlineKernels.cpp - Bodies take the place of calls -----------------===//
//
// Stands around the differentiation: what has no gradient of its own is
// inlined before, so that loops save and hoist what they save and hoist of
// other operations; gradients that are kernels appear there, and are inlined
// after. What a GPU runs as CUDA C++ stays a call.
//
//===----------------------------------------------------------------------===//
#include "dialects/Blocks/Blocks.h"
#include "lib/Frontend/Passes.h"

#include <mlir/IR/IRMapping.h>

using namespace mlir;

namespace blocks {

#define GEN_PASS_DEF_INLINEKERNELS
#include "lib/Frontend/Passes.h.inc"

/// `value` as a tensor of `type`: a static extent is a dynamic one, too.
static Value convert(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(builder, loc, type, value);
}

static void inlineCall(CallKernelOp call) {
  KernelOp kernel = call.getCallee();
  OpBuilder builder(call);
  Location loc = call.getLoc();
  IRMapping values;
  for (auto [argument, input] :
       llvm::zip(kernel.getArguments(), call.getInputs()))
    values.map(argument, convert(builder, loc, input, argument.getType()));
  Block &body = kernel.getBody().front();
  for (Operation &op : body.without_terminator())
    builder.clone(op, values);
  for (auto [result, value] :
       llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(
        convert(builder, loc, values.lookupOrDefault(value), result.getType()));
  call.erase();
}

namespace {

struct InlineKernels : impl::InlineKernelsBase<InlineKernels> {
  using InlineKernelsBase::InlineKernelsBase;

  void runOnOperation() override {
    SmallVector<CallKernelOp> calls;
    getOperation().walk([&](CallKernelOp call) { calls.push_back(call); });
    for (CallKernelOp call : calls)
      if (!isKept(call.getCallee()))
        inlineCall(call);
    if (!keepGradients)
      eraseUnused();
  }

private:
  bool isKept(KernelOp kernel) {
    return (keepSources && kernel.hasSource()) ||
           (keepGradients && kernel.getGradient());
  }

  void eraseUnused() {
    llvm::DenseSet<Operation *> used;
    getOperation().walk(
        [&](CallKernelOp call) { used.insert(call.getCallee()); });
    for (KernelOp kernel :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>()))
      if (!used.contains(kernel))
        kernel.erase();
  }
};

} // namespace

} // namespace blocks
