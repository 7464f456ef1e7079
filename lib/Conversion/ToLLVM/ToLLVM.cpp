// blocks-to-llvm: the last pass. Entries get their C interface, then MLIR's own
// conversions run. Everything is marked nounwind, so that the object needs no
// unwind tables.
#include "lib/Conversion/ToLLVM/EntryWrapper.h"
#include "lib/Conversion/ToLLVM/Passes.h"

#include <mlir/Conversion/ArithToLLVM/ArithToLLVM.h>
#include <mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h>
#include <mlir/Conversion/ConvertToLLVM/ToLLVMPass.h>
#include <mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h>
#include <mlir/Conversion/IndexToLLVM/IndexToLLVM.h>
#include <mlir/Conversion/MathToLLVM/MathToLLVM.h>
#include <mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h>
#include <mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h>
#include <mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h>
#include <mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/LLVMIR/NVVMDialect.h>
#include <mlir/Pass/PassManager.h>

using namespace mlir;

namespace blocks {
#define GEN_PASS_DEF_TOLLVM
#include "lib/Conversion/ToLLVM/Passes.h.inc"

void registerToLLVMDialects(DialectRegistry &registry) {
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
  registerConvertToLLVMDependentDialectLoading(registry);
}

namespace {

class ToLLVM : public impl::ToLLVMBase<ToLLVM> {
public:
  LogicalResult initialize(MLIRContext *context) override {
    pipeline = OpPassManager(ModuleOp::getOperationName());
    pipeline.addPass(createSCFToControlFlowPass());
    pipeline.addPass(createConvertToLLVMPass());
    pipeline.addPass(createReconcileUnrealizedCastsPass());
    return success();
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    ToLLVMBase::getDependentDialects(registry);
    pipeline.getDependentDialects(registry);
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr("blocks.entry") && failed(wrapEntry(function)))
        return signalPassFailure();
    if (failed(runPipeline(pipeline, getOperation())))
      return signalPassFailure();
    getOperation().walk([](LLVM::LLVMFuncOp function) {
      function.setNoUnwind(true);
      markKernel(function);
    });
  }

private:
  /// A kernel for a GPU: only a function of the llvm dialect can say so.
  static void markKernel(LLVM::LLVMFuncOp function) {
    if (function->removeAttr("blocks.kernel"))
      function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                        UnitAttr::get(function.getContext()));
  }

  OpPassManager pipeline;
};

} // namespace
} // namespace blocks
