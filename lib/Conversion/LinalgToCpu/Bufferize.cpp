// blocks-bufferize: tensors become memrefs. Stands between to-linalg (or fuse)
// and group-dispatches. Relies on one-shot bufferization; its own part is the
// order of the steps, the values that it keeps by explicit copies, and what it
// does at the end: sizes become the extents that they are, and no copy of a
// state argument may be left.
//
// No CSE may run before the analysis: it merges equal initial tensors, and the
// analysis then copies each of them.
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/Extents.h"
#include "lib/Conversion/LinalgToCpu/ImageCall.h"
#include "lib/Conversion/LinalgToCpu/KeepValues.h"
#include "lib/Conversion/LinalgToCpu/Passes.h"

#include <mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h>
#include <mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h>
#include <mlir/Dialect/Arith/Utils/Utils.h>
#include <mlir/Dialect/Bufferization/IR/Bufferization.h>
#include <mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h>
#include <mlir/Dialect/Bufferization/Transforms/Passes.h>
#include <mlir/Dialect/ControlFlow/IR/ControlFlow.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h>
#include <mlir/Dialect/Linalg/Transforms/SubsetInsertionOpInterfaceImpl.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/MemRef/IR/ValueBoundsOpInterfaceImpl.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/SCF/IR/ValueBoundsOpInterfaceImpl.h>
#include <mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h>
#include <mlir/Dialect/Tensor/IR/Tensor.h>
#include <mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h>
#include <mlir/Dialect/Tensor/IR/ValueBoundsOpInterfaceImpl.h>
#include <mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h>
#include <mlir/Dialect/Tensor/Transforms/SubsetInsertionOpInterfaceImpl.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>
#include <mlir/Interfaces/ValueBoundsOpInterface.h>
#include <mlir/Pass/PassManager.h>
#include <mlir/Transforms/Passes.h>

using namespace mlir;

namespace blocks {
#define GEN_PASS_DEF_BUFFERIZE
#include "lib/Conversion/LinalgToCpu/Passes.h.inc"

void registerLinalgToCpuDialects(DialectRegistry &registry) {
  registry
      .insert<arith::ArithDialect, bufferization::BufferizationDialect,
              cf::ControlFlowDialect, func::FuncDialect, linalg::LinalgDialect,
              LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
              scf::SCFDialect, tensor::TensorDialect, vector::VectorDialect>();
  registerImageCallBufferization(registry);
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerSubsetOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerInferTypeOpInterfaceExternalModels(registry);
  tensor::registerSubsetOpInterfaceExternalModels(registry);
  arith::registerValueBoundsOpInterfaceExternalModels(registry);
  memref::registerValueBoundsOpInterfaceExternalModels(registry);
  scf::registerValueBoundsOpInterfaceExternalModels(registry);
  tensor::registerValueBoundsOpInterfaceExternalModels(registry);
}

namespace {

/// Copies from a view of a buffer onto the same view are left by
/// materialize_in_destination of a value computed in place.
void eraseIdentityCopies(ModuleOp module) {
  SmallVector<memref::CopyOp> identities;
  module.walk([&](memref::CopyOp copy) {
    if (copy.getSource() == copy.getTarget())
      identities.push_back(copy);
  });
  for (memref::CopyOp copy : identities)
    copy.erase();
}

/// A copy made by the analysis asks its source for its size; the plan of memory
/// needs the extents from which that one was made.
void resolveSizes(func::FuncOp function) {
  Extents extents(function);
  SmallVector<memref::DimOp> sizes;
  function.walk([&](memref::DimOp size) { sizes.push_back(size); });
  for (memref::DimOp size : sizes) {
    std::optional<int64_t> dim = size.getConstantIndex();
    if (!dim || isa<BlockArgument>(size.getSource()))
      continue;
    OpFoldResult extent = extents.get(size.getSource(), *dim);
    OpBuilder builder(size);
    size.replaceAllUsesWith(
        getValueOrCreateConstantIndexOp(builder, size.getLoc(), extent));
    size.erase();
  }
}

/// The attribute `name` of the entry's argument that `memref` is or views.
StringAttr getArgumentAttr(Value memref, StringRef name) {
  auto argument = dyn_cast<BlockArgument>(getBuffer(memref));
  if (!argument)
    return {};
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (!function || !argument.getOwner()->isEntryBlock())
    return {};
  return function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), name);
}

/// A parameter or buffer is updated in place; a copy of one would cost its
/// whole size in every step. Only an output that is a state's value is a copy,
/// and a part of a state may be copied into another tensor.
LogicalResult checkNoCopyOfState(ModuleOp module) {
  WalkResult result = module.walk([](memref::CopyOp copy) -> WalkResult {
    if (getArgumentAttr(copy.getTarget(), "blocks.output"))
      return WalkResult::advance();
    bool isPart = copy.getTarget().getDefiningOp<memref::SubViewOp>() ||
                  copy.getSource().getDefiningOp<memref::SubViewOp>();
    for (Value side :
         {isPart ? copy.getTarget() : copy.getSource(), copy.getTarget()})
      if (StringAttr path = getArgumentAttr(side, "blocks.state"))
        return copy.emitOpError("internal error: bufferization copies the "
                                "state '")
               << path.getValue()
               << "' instead of updating it in place; its old value is read "
                  "after its update, or its update is not computed into it";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

class Bufferize : public impl::BufferizeBase<Bufferize> {
public:
  LogicalResult initialize(MLIRContext *context) override {
    pipeline = OpPassManager(ModuleOp::getOperationName());
    pipeline.addPass(bufferization::createEmptyTensorEliminationPass());
    bufferization::OneShotBufferizePassOptions options;
    pipeline.addPass(bufferization::createOneShotBufferizePass(options));
    // Two rounds: self copies become visible only after CSE has merged the
    // views of their two sides.
    pipeline.addPass(createCanonicalizerPass());
    pipeline.addPass(createCSEPass());
    pipeline.addPass(createCanonicalizerPass());
    return success();
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    BufferizeBase::getDependentDialects(registry);
    pipeline.getDependentDialects(registry);
  }

  void runOnOperation() override {
    auto functions = getOperation().getOps<func::FuncOp>();
    for (func::FuncOp function : functions)
      keepNeededValues(function);
    if (failed(runPipeline(pipeline, getOperation())))
      return signalPassFailure();
    eraseIdentityCopies(getOperation());
    for (func::FuncOp function : functions)
      if (!function.isExternal())
        resolveSizes(function);
    if (failed(checkNoCopyOfState(getOperation())))
      signalPassFailure();
  }

private:
  OpPassManager pipeline;
};

} // namespace
} // namespace blocks
