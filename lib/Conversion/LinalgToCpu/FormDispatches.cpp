// blocks-form-dispatches: an entry becomes calls of kernels. Stands between
// plan-memory and the conversion to the llvm dialect. Loops over time and
// branches stay in the entry; afterwards no memref is left in it but its
// arguments.
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/Dispatch.h"
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
    SmallVector<SmallVector<Operation *>> dispatches;
    collect(function.getBody(), dispatches);
    for (SmallVector<Operation *> &ops : dispatches)
      outlineDispatch(ops, table, extents, addressing);
    lowerScalarAccesses(function, extents, addressing);
    lowerDims(function, extents);
    eraseDead(function);
    return checkNoMemrefs(function);
  }

  /// Neighbours with the same number are one dispatch.
  void collect(Region &region,
               SmallVectorImpl<SmallVector<Operation *>> &dispatches) {
    for (Block &block : region) {
      Attribute last;
      for (Operation &op : block) {
        if (!isDispatchable(&op)) {
          for (Region &nested : op.getRegions())
            collect(nested, dispatches);
          last = isPure(&op) ? last : Attribute();
          continue;
        }
        Attribute number = op.getAttr(kDispatchAttr);
        if (!number || number != last)
          dispatches.emplace_back();
        dispatches.back().push_back(&op);
        last = number;
      }
    }
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

  /// Sizes of views are values that the entry has already.
  void lowerDims(func::FuncOp function, Extents &extents) {
    SmallVector<memref::DimOp> dims;
    function.walk([&](memref::DimOp dim) {
      if (!isa<BlockArgument>(dim.getSource()) && dim.getConstantIndex())
        dims.push_back(dim);
    });
    for (memref::DimOp dim : dims) {
      OpBuilder builder(dim);
      dim.replaceAllUsesWith(getValueOrCreateConstantIndexOp(
          builder, dim.getLoc(),
          extents.get(dim.getSource(), *dim.getConstantIndex())));
      dim.erase();
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

  static void eraseDead(func::FuncOp function) {
    SmallVector<Operation *> ops;
    function.walk<WalkOrder::PostOrder>(
        [&](Operation *op) { ops.push_back(op); });
    for (Operation *op : llvm::reverse(ops))
      if (isOpTriviallyDead(op))
        op->erase();
  }

  /// What is left would reach LLVM as a descriptor, or not at all. Arguments
  /// and constants do so, as the place their pointer is taken from.
  static LogicalResult checkNoMemrefs(func::FuncOp function) {
    WalkResult result = function.walk([&](Operation *op) -> WalkResult {
      if (isa<func::FuncOp, memref::DimOp, memref::GetGlobalOp,
              memref::ExtractAlignedPointerAsIndexOp>(op))
        return WalkResult::advance();
      auto isMemref = [](Type type) { return isa<MemRefType>(type); };
      if (llvm::any_of(op->getOperandTypes(), isMemref) ||
          llvm::any_of(op->getResultTypes(), isMemref))
        return op->emitOpError("internal error: no kernel can be made of this "
                               "operation on buffers");
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// The names of the functions that were declared before use.
  SmallVector<std::string> products;
};

} // namespace
} // namespace blocks
