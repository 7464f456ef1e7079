// See KernelArguments.h.
#include "lib/Conversion/LinalgToCpu/KernelArguments.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Arith/Utils/Utils.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>

using namespace mlir;

namespace blocks {

/// Extents below this are worth their own kernel: unrolled, without a tail.
static constexpr int64_t kSmallExtent = 64;
/// Extents that are multiples of this are passed as how many times: so LLVM
/// sees that no vector along them is partial, and needs no masks.
static constexpr int64_t kLanes = 16;

Kernel::Kernel(Operation *site, Extents &extents, Addressing &addressing,
               unsigned leading)
    : builder(site->getContext()), loc(builder.getUnknownLoc()),
      extents(extents), addressing(addressing), outside(site),
      leading(leading) {
  function =
      func::FuncOp::create(loc, "kernel", builder.getFunctionType({}, {}));
  body = function.addEntryBlock();
  body->addArgument(LLVM::LLVMPointerType::get(builder.getContext()), loc);
  for (unsigned i = 0; i < leading; ++i)
    body->addArgument(builder.getIndexType(), loc);
  builder.setInsertionPointToStart(body);
}

Value Kernel::addArgument(Value operand) {
  operands.push_back(operand);
  return body->addArgument(operand.getType(), loc);
}

Value Kernel::getPointer(Value memref) {
  Value pointer = addressing.getPointer(memref);
  Value &argument = known[{'p', pointer.getAsOpaquePointer()}];
  if (!argument)
    argument = addArgument(pointer);
  return argument;
}

Value Kernel::getIndex(OpFoldResult index, char kind) {
  std::optional<int64_t> constant = getConstantIntValue(index);
  if (constant && *constant < kSmallExtent)
    return getConstant(*constant);
  if (constant)
    index = builder.getIndexAttr(*constant);
  Value &argument = known[{kind, index.getOpaqueValue()}];
  if (!argument)
    argument =
        addArgument(getValueOrCreateConstantIndexOp(outside, loc, index));
  return argument;
}

Value Kernel::getExtent(OpFoldResult extent) {
  std::optional<int64_t> constant = getConstantIntValue(extent);
  if (!constant || *constant < kSmallExtent || *constant % kLanes != 0)
    return getIndex(extent, 'e');
  Attribute key = builder.getIndexAttr(*constant);
  Value &whole = known[{'w', const_cast<void *>(key.getAsOpaquePointer())}];
  if (!whole) {
    Value count = addArgument(
        arith::ConstantIndexOp::create(outside, loc, *constant / kLanes));
    OpBuilder start = OpBuilder::atBlockBegin(body);
    whole = arith::MulIOp::create(
        start, loc, count, arith::ConstantIndexOp::create(start, loc, kLanes),
        arith::IntegerOverflowFlags::nsw);
  }
  return whole;
}
Value Kernel::getStride(OpFoldResult stride) { return getIndex(stride, 's'); }

Value Kernel::getOwn(OpFoldResult size) {
  std::optional<int64_t> constant = getConstantIntValue(size);
  if (constant && *constant < kSmallExtent)
    return getConstant(*constant);
  return addArgument(getValueOrCreateConstantIndexOp(outside, loc, size));
}

Value Kernel::getScalar(Value value) {
  Operation *definition = value.getDefiningOp();
  Value &mapped = known[{'v', value.getAsOpaquePointer()}];
  if (mapped)
    return mapped;
  if (definition && definition->hasTrait<OpTrait::ConstantLike>()) {
    OpBuilder start = OpBuilder::atBlockBegin(body);
    Operation *copy = start.clone(*definition);
    copy->setLoc(loc);
    mapped = copy->getResult(0);
  } else {
    mapped = addArgument(value);
  }
  return mapped;
}

Value Kernel::getConstant(int64_t value) {
  Value &constant =
      known[{'c', reinterpret_cast<void *>(static_cast<intptr_t>(value))}];
  if (!constant) {
    OpBuilder start = OpBuilder::atBlockBegin(body);
    constant = arith::ConstantIndexOp::create(start, loc, value);
  }
  return constant;
}

func::FuncOp Kernel::finish(ArrayRef<Value> aliased) {
  builder.setInsertionPointToEnd(body);
  func::ReturnOp::create(builder, loc);
  function.setType(
      builder.getFunctionType(body->getArgumentTypes(), TypeRange{}));
  function.setPrivate();
  llvm::SmallPtrSet<Value, 4> shared;
  for (Value memref : aliased)
    shared.insert(addressing.getPointer(memref));
  for (auto [i, operand] : llvm::enumerate(operands))
    if (isa<LLVM::LLVMPointerType>(operand.getType()) &&
        !shared.contains(operand))
      function.setArgAttr(1 + leading + i, "llvm.noalias",
                          builder.getUnitAttr());
  // Inlined kernels would be optimized once per call again.
  function->setAttr("passthrough",
                    builder.getStrArrayAttr({"noinline", "nounwind"}));
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
  return function;
}

} // namespace blocks
