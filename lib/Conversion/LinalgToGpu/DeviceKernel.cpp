// See DeviceKernel.h.
#include "lib/Conversion/LinalgToGpu/DeviceKernel.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Arith/Utils/Utils.h>
#include <mlir/Dialect/LLVMIR/NVVMDialect.h>
#include <mlir/IR/IRMapping.h>

using namespace mlir;

namespace blocks {

/// A special register as an index.
template <typename Op>
static Value readRegister(OpBuilder &builder, Location loc) {
  Value number = Op::create(builder, loc, builder.getI32Type());
  return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                      number);
}

DeviceKernel::DeviceKernel(Operation *site, DeviceEntry &entry)
    : Kernel(site, entry.extents, entry.addressing), entry(entry), site(site) {
  threadX = readRegister<NVVM::ThreadIdXOp>(builder, loc);
  prologueEnd = threadX.getDefiningOp();
}

Value DeviceKernel::getThreadY() {
  return readRegister<NVVM::ThreadIdYOp>(builder, loc);
}

Value DeviceKernel::getBlock() {
  return readRegister<NVVM::BlockIdXOp>(builder, loc);
}

void DeviceKernel::emitBarrier() { NVVM::Barrier0Op::create(builder, loc); }

Value DeviceKernel::getShared(Value word) {
  entry.module.declareShared();
  Type pointer = LLVM::LLVMPointerType::get(
      builder.getContext(), unsigned(NVVM::NVVMMemorySpace::Shared));
  Value base = LLVM::AddressOfOp::create(builder, loc, pointer, kSharedMemory);
  return createElementPointer(builder, loc, builder.getI64Type(), base, word);
}

// --- Scalars ---------------------------------------------------------------

void DeviceKernel::bind(Value value, Value inKernel) {
  bound[value] = inKernel;
}

Value DeviceKernel::getPointer(Value memref) {
  if (Value known = bound.lookup(memref))
    return known;
  return Kernel::getPointer(memref);
}

Value DeviceKernel::getScalar(Value value) {
  if (Value known = bound.lookup(value))
    return known;
  Operation *definition = value.getDefiningOp();
  if (definition && definition->hasTrait<OpTrait::ConstantLike>())
    return Kernel::getScalar(value);
  Value result =
      entry.isFromMemory(value) ? emitScalar(value) : addScalarArgument(value);
  bound[value] = result;
  return result;
}

/// Truth values travel as bytes.
Value DeviceKernel::addScalarArgument(Value value) {
  if (!value.getType().isInteger(1))
    return Kernel::getScalar(value);
  Value byte = arith::ExtUIOp::create(outside, loc, builder.getI8Type(), value);
  OpBuilder at(prologueEnd);
  return arith::TruncIOp::create(at, loc, value.getType(),
                                 Kernel::getScalar(byte));
}

/// Loads and computes again what the entry computes from the GPU's memory.
Value DeviceKernel::emitScalar(Value value) {
  Operation *definition = value.getDefiningOp();
  auto lookup = [&](Value operand) { return getScalar(operand); };
  if (auto load = dyn_cast<memref::LoadOp>(definition)) {
    bool isHere = load == site || entry.isReadableAt(load, site);
    Value slot = isHere ? Value() : lookup(entry.getSlot(load));
    OpBuilder at(prologueEnd);
    return isHere ? emitLoad(at, load, lookup)
                  : createLoad(at, loc, load.getType(), slot);
  }
  IRMapping mapping;
  for (Value operand : definition->getOperands())
    mapping.map(operand, lookup(operand));
  OpBuilder at(prologueEnd);
  Operation *copy = at.clone(*definition, mapping);
  copy->setLoc(loc);
  return copy->getResult(cast<OpResult>(value).getResultNumber());
}

Value DeviceKernel::emitLoad(OpBuilder &at, memref::LoadOp load,
                             function_ref<Value(Value)> lookup) {
  Value memref = load.getMemRef();
  loaded.push_back(memref);
  Value pointer = getPointer(memref);
  for (auto [dim, index] : llvm::enumerate(load.getIndices())) {
    Value distance = arith::MulIOp::create(
        at, loc, lookup(index), getStride(extents.getStride(memref, dim)));
    pointer = createElementPointer(
        at, loc, load.getMemRefType().getElementType(), pointer, distance);
  }
  return createLoad(at, loc, load.getType(), pointer);
}

Value DeviceKernel::getSize(OpFoldResult size) {
  return addArgument(getValueOrCreateConstantIndexOp(outside, loc, size));
}

void DeviceKernel::cloneHere(Operation *op) {
  auto lookup = [&](Value operand) { return getScalar(operand); };
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return bind(load.getResult(), emitLoad(builder, load, lookup));
  if (auto dim = dyn_cast<memref::DimOp>(op))
    return bind(
        dim.getResult(),
        getExtent(extents.get(dim.getSource(), *dim.getConstantIndex())));
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, lookup(operand));
  Operation *copy = builder.clone(*op, mapping);
  copy->setLoc(loc);
  for (auto [old, result] :
       llvm::zip_equal(op->getResults(), copy->getResults()))
    bind(old, result);
}

// --- The function ----------------------------------------------------------

void DeviceKernel::shareWrites(ArrayRef<Value> written) {
  for (Value memref : written)
    shared.insert(addressing.getPointer(memref));
}

func::FuncOp DeviceKernel::finish() {
  close();
  for (auto [i, operand] : llvm::enumerate(getOperands()))
    if (isa<LLVM::LLVMPointerType>(operand.getType()) &&
        !shared.contains(operand))
      function.setArgAttr(i, "llvm.noalias", builder.getUnitAttr());
  return function;
}

} // namespace blocks
