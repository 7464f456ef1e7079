//===- ToLinalg.cpp - The pass blocks-to-linalg ---------------------------===//
//
// Lowers each entry of a module (Signature.cpp). The operations' lowerings are
// in the family files; Lowering.h has the overview.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Lowering.h"
#include "lib/Conversion/BlocksToLinalg/Passes.h"

using namespace mlir;

namespace blocks {

#define GEN_PASS_DEF_TOLINALG
#include "lib/Conversion/BlocksToLinalg/Passes.h.inc"

namespace {

struct ToLinalg : impl::ToLinalgBase<ToLinalg> {
  using ToLinalgBase::ToLinalgBase;

  void runOnOperation() override {
    LabelSites sites(getOperation());
    CudaKernels kernels(getOperation());
    SmallVector<func::FuncOp> entries;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr("blocks.entry"))
        entries.push_back(function);
    for (func::FuncOp entry : entries)
      if (failed(lowerEntry(entry, sites, kernels, storesRounded)))
        return signalPassFailure();
    sites.write();
    kernels.write();
    // State is arguments now; what declared it is no longer needed.
    for (BrickOp brick :
         llvm::make_early_inc_range(getOperation().getOps<BrickOp>()))
      brick.erase();
    for (KernelOp kernel :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>()))
      kernel.erase();
  }
};

} // namespace

} // namespace blocks
