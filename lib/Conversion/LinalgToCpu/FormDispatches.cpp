// blocks-form-dispatches: an entry becomes calls of kernels. Stands between
// plan-memory and the conversion to the llvm dialect. Loops over time and
// branches stay in the entry; afterwards no memref is left in it but its
// arguments.
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/Dispatch.h"
#include "lib/Conversion/LinalgToCpu/FinishEntry.h"
#include "lib/Conversion/LinalgToCpu/ImageCall.h"
#include "lib/Conversion/LinalgToCpu/Passes.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Arith/Utils/Utils.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Interfaces/ViewLikeInterface.h>

using namespace mlir;

namespace blocks {
#define GEN_PASS_DEF_FORMDISPATCHES
#include "lib/Conversion/LinalgToCpu/Passes.h.inc"

namespace {

class FormDispatches : public impl::FormDispatchesBase<FormDispatches> {
public:
  void runOnOperation() override {
    KernelTable table(getOperation());
    declareProducts(table);
    declareImageFunctions(table, getOperation());
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!function.isExternal() && failed(lowerEntry(function, table)))
        return signalPassFailure();
    eraseUnusedDeclarations();
  }

private:
  /// Kernels call these before they are part of the module.
  void declareProducts(KernelTable &table) {
    Builder builder(&getContext());
    Type p = LLVM::LLVMPointerType::get(&getContext());
    Type i = builder.getIndexType();
    products.clear();
    for (auto [suffix, f] :
         {std::pair<StringRef, Type>{"f32", builder.getF32Type()},
          {"f64", builder.getF64Type()}}) {
      auto declare = [&](StringRef name, TypeRange arguments) {
        table.declare((name + suffix).str(), arguments);
        products.push_back((name + suffix).str());
      };
      declare("blocks_rt_gemm_", {p, i, i, i, i, i, f, p, i, p, i, f, p, i});
      declare("blocks_rt_gemm_pack_", {p, i, i, i, i, i, p, i, p, i});
      declare("blocks_rt_gemm_packed_",
              {p, i, i, i, i, f, p, i, p, i, i, f, p, i});
    }
  }

  void eraseUnusedDeclarations() {
    for (StringRef name : products)
      if (auto function = getOperation().lookupSymbol<func::FuncOp>(name))
        if (SymbolTable::symbolKnownUseEmpty(function, getOperation()))
          function.erase();
  }

  LogicalResult lowerEntry(func::FuncOp function, KernelTable &table) {
    Extents extents(function);
    Addressing addressing(extents);
    for (SmallVector<Operation *> &ops : collectDispatches(function))
      outlineDispatch(ops, table, extents, addressing);
    lowerScalarAccesses(function, extents, addressing);
    return finishEntry(function, extents);
  }

  /// Loads of scalars between dispatches.
  void lowerScalarAccesses(func::FuncOp function, Extents &extents,
                           Addressing &addressing) {
    SmallVector<Operation *> accesses;
    function.walk([&](Operation *op) {
      if (isa<memref::LoadOp, memref::StoreOp>(op))
        accesses.push_back(op);
    });
    for (Operation *op : accesses) {
      OpBuilder builder(op);
      auto load = dyn_cast<memref::LoadOp>(op);
      auto store = dyn_cast<memref::StoreOp>(op);
      Value memref = load ? load.getMemRef() : store.getMemRef();
      Value place = getElement(builder, op->getLoc(), memref,
                               load ? load.getIndices() : store.getIndices(),
                               extents, addressing);
      if (load)
        load.replaceAllUsesWith(
            createLoad(builder, op->getLoc(), load.getType(), place));
      else
        createStore(builder, op->getLoc(), store.getValueToStore(), place);
      op->erase();
    }
  }

  static Value getElement(OpBuilder &builder, Location loc, Value memref,
                          ValueRange indices, Extents &extents,
                          Addressing &addressing) {
    Value pointer = addressing.getPointer(memref);
    for (auto [dim, index] : llvm::enumerate(indices)) {
      OpFoldResult distance =
          extents.multiply(index, extents.getStride(memref, dim));
      pointer = createElementPointer(
          builder, loc, getElementTypeOrSelf(memref.getType()), pointer,
          getValueOrCreateConstantIndexOp(builder, loc, distance));
    }
    return pointer;
  }

  /// The names of the functions that were declared before use.
  SmallVector<std::string> products;
};

} // namespace
} // namespace blocks
