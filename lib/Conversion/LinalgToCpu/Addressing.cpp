// See Addressing.h.
#include "lib/Conversion/LinalgToCpu/Addressing.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Arith/Utils/Utils.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Interfaces/ViewLikeInterface.h>

using namespace mlir;

namespace blocks {

Type getStoredType(Type element) {
  if (element.isIndex())
    return IntegerType::get(element.getContext(), 64);
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  return element;
}

Value createElementPointer(OpBuilder &builder, Location loc, Type element,
                           Value pointer, Value offset) {
  Value word =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), offset);
  return LLVM::GEPOp::create(
      builder, loc, pointer.getType(), getStoredType(element), pointer,
      ArrayRef<LLVM::GEPArg>{word}, LLVM::GEPNoWrapFlags::inbounds);
}

Value createLoad(OpBuilder &builder, Location loc, Type element,
                 Value pointer) {
  Value value =
      LLVM::LoadOp::create(builder, loc, getStoredType(element), pointer);
  if (element.isInteger(1))
    return arith::TruncIOp::create(builder, loc, element, value);
  if (element.isIndex())
    return arith::IndexCastOp::create(builder, loc, element, value);
  return value;
}

void createStore(OpBuilder &builder, Location loc, Value value, Value pointer) {
  Type stored = getStoredType(value.getType());
  if (value.getType().isInteger(1))
    value = arith::ExtUIOp::create(builder, loc, stored, value);
  else if (value.getType().isIndex())
    value = arith::IndexCastOp::create(builder, loc, stored, value);
  LLVM::StoreOp::create(builder, loc, value, pointer);
}

Value Addressing::getPointer(Value memref) {
  if (Value known = pointers.lookup(memref))
    return known;
  Value pointer = createPointer(memref);
  pointers[memref] = pointer;
  return pointer;
}

Value Addressing::createPointer(Value memref) {
  Operation *definition = memref.getDefiningOp();
  Location loc = memref.getLoc();
  auto type = LLVM::LLVMPointerType::get(memref.getContext());
  if (auto view = dyn_cast_or_null<memref::ViewOp>(definition)) {
    Value arena =
        view.getSource().getDefiningOp<UnrealizedConversionCastOp>().getOperand(
            0);
    OpBuilder builder = buildAfter(memref);
    return createElementPointer(builder, loc, builder.getI8Type(), arena,
                                view.getByteShift());
  }
  if (auto view = dyn_cast_or_null<memref::SubViewOp>(definition)) {
    Value pointer = getPointer(view.getSource());
    Type element = view.getType().getElementType();
    SmallVector<OpFoldResult> offsets = view.getMixedOffsets();
    for (unsigned dim = 0; dim < offsets.size(); ++dim) {
      if (isZeroInteger(offsets[dim]))
        continue;
      OpFoldResult distance = extents.multiply(
          offsets[dim], extents.getStride(view.getSource(), dim));
      OpBuilder builder = buildAfter(memref);
      pointer = createElementPointer(
          builder, loc, element, pointer,
          getValueOrCreateConstantIndexOp(builder, loc, distance));
      // The next distance goes behind this pointer, not before it.
      memref = pointer;
    }
    return pointer;
  }
  if (definition && isa<ViewLikeOpInterface>(definition))
    return getPointer(cast<ViewLikeOpInterface>(definition).getViewSource());
  OpBuilder builder = buildAfter(memref);
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
  Value word =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  return LLVM::IntToPtrOp::create(builder, loc, type, word);
}

} // namespace blocks
