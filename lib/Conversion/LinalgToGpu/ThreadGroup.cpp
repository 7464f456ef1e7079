// See ThreadGroup.h.
#include "lib/Conversion/LinalgToGpu/ThreadGroup.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/LLVMIR/NVVMDialect.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

using namespace mlir;

namespace blocks {

ThreadGroup::ThreadGroup(DeviceKernel &kernel, const Arrangement &arrangement,
                         OpFoldResult rows)
    : kernel(kernel), arrangement(arrangement) {
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  Value x = kernel.getThreadX();
  Value y = arrangement.y > 1 ? kernel.getThreadY() : kernel.getConstant(0);
  lane = arrangement.isAlongRow ? x : y;
  other = arrangement.isAlongRow ? y : x;
  if (!rows)
    return;
  Value first = arith::MulIOp::create(builder, loc, kernel.getBlock(),
                                      kernel.getConstant(arrangement.rows()),
                                      arith::IntegerOverflowFlags::nsw);
  row = arith::AddIOp::create(builder, loc, first, other,
                              arith::IntegerOverflowFlags::nsw);
  if (arrangement.rows() > 1)
    isValid = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                    row, kernel.getExtent(rows));
}

Value ThreadGroup::limit(Value extent) {
  if (!isValid)
    return extent;
  return arith::SelectOp::create(kernel.builder, kernel.loc, isValid, extent,
                                 kernel.getConstant(0));
}

void ThreadGroup::emitForFirst(function_ref<void()> work) {
  OpBuilder &builder = kernel.builder;
  Value condition = isValid;
  if (getLanes() > 1) {
    Value isFirst =
        arith::CmpIOp::create(builder, kernel.loc, arith::CmpIPredicate::eq,
                              lane, kernel.getConstant(0));
    condition = isValid ? Value(arith::AndIOp::create(builder, kernel.loc,
                                                      isFirst, isValid))
                        : isFirst;
  }
  if (!condition)
    return work();
  auto branch = scf::IfOp::create(builder, kernel.loc, condition, false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  work();
}

// --- Within a warp -----------------------------------------------------------

Value ThreadGroup::getConstant32(int64_t value) {
  return arith::ConstantOp::create(kernel.builder, kernel.loc,
                                   kernel.builder.getI32IntegerAttr(value));
}

/// The value of the thread whose number differs in one bit.
Value ThreadGroup::shuffle(Value value, int64_t distance) {
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  Type type = value.getType(), word = builder.getI32Type();
  auto exchange = [&](Value part) -> Value {
    return NVVM::ShflOp::create(builder, loc, part.getType(), getConstant32(-1),
                                part, getConstant32(distance),
                                getConstant32(31), NVVM::ShflKind::bfly,
                                UnitAttr());
  };
  if (type.isF32() || type.isInteger(32))
    return exchange(value);
  if (type.isInteger() && type.getIntOrFloatBitWidth() < 32) {
    Value wide = arith::ExtUIOp::create(builder, loc, word, value);
    return arith::TruncIOp::create(builder, loc, type, exchange(wide));
  }
  // Eight bytes go in two halves.
  Type wide = builder.getI64Type();
  Value bits = type.isF64()
                   ? Value(arith::BitcastOp::create(builder, loc, wide, value))
                   : value;
  Value half =
      arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(32));
  Value low = arith::TruncIOp::create(builder, loc, word, bits);
  Value high = arith::TruncIOp::create(
      builder, loc, word, arith::ShRUIOp::create(builder, loc, bits, half));
  low = arith::ExtUIOp::create(builder, loc, wide, exchange(low));
  high = arith::ExtUIOp::create(builder, loc, wide, exchange(high));
  bits = arith::OrIOp::create(builder, loc, low,
                              arith::ShLIOp::create(builder, loc, high, half));
  return type.isF64()
             ? Value(arith::BitcastOp::create(builder, loc, type, bits))
             : bits;
}

SmallVector<Value> ThreadGroup::combineWarp(const Reduction &reduction,
                                            ValueRange partial) {
  SmallVector<Value> values = llvm::to_vector(partial);
  for (int64_t distance = kWarp / 2; distance > 0; distance /= 2) {
    SmallVector<Value> others;
    for (Value value : values)
      others.push_back(shuffle(value, distance));
    values = reduction.combine(kernel.builder, kernel.loc, values, others);
  }
  return values;
}

// --- Through shared memory ---------------------------------------------------

/// Writers leave their part at `place`; then every thread combines `count`
/// parts, from the one at `first` on, in their order.
SmallVector<Value> ThreadGroup::combineShared(const Reduction &reduction,
                                              ValueRange partial, Value place,
                                              Value first, int64_t stride,
                                              int64_t count, Value isWriter) {
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  int64_t words = arrangement.isAlongRow ? arrangement.x * arrangement.y / kWarp
                                         : arrangement.x * arrangement.y;
  auto getPart = [&](Value number, size_t result) {
    return kernel.getShared(arith::AddIOp::create(
        builder, loc, number, kernel.getConstant(int64_t(result) * words)));
  };
  auto write = [&] {
    for (auto [i, value] : llvm::enumerate(partial))
      createStore(builder, loc, value, getPart(place, i));
  };
  sharedBytes =
      std::max(sharedBytes, int64_t(partial.size()) * words * int64_t(8));
  if (isWriter) {
    auto branch = scf::IfOp::create(builder, loc, isWriter, false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    write();
  } else {
    write();
  }
  kernel.emitBarrier();
  SmallVector<Value> total;
  for (int64_t part = 0; part < count; ++part) {
    Value number = arith::AddIOp::create(builder, loc, first,
                                         kernel.getConstant(part * stride));
    SmallVector<Value> values;
    for (auto [i, value] : llvm::enumerate(partial))
      values.push_back(
          createLoad(builder, loc, value.getType(), getPart(number, i)));
    total = part == 0 ? values : reduction.combine(builder, loc, total, values);
  }
  // The next combination writes where slower threads still read.
  kernel.emitBarrier();
  return total;
}

SmallVector<Value> ThreadGroup::combine(const Reduction &reduction,
                                        ValueRange partial) {
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  if (getLanes() == 1)
    return llvm::to_vector(partial);
  if (!arrangement.isAlongRow) {
    Value mine = arith::MulIOp::create(builder, loc, lane,
                                       kernel.getConstant(arrangement.x));
    Value place = arith::AddIOp::create(builder, loc, mine, other);
    return combineShared(reduction, partial, place, other, arrangement.x,
                         arrangement.y, Value());
  }
  SmallVector<Value> values = combineWarp(reduction, partial);
  int64_t warps = arrangement.x / kWarp;
  if (warps == 1)
    return values;
  Value size = kernel.getConstant(kWarp);
  Value isWriter = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq,
      arith::RemUIOp::create(builder, loc, lane, size), kernel.getConstant(0));
  Value first =
      arith::MulIOp::create(builder, loc, other, kernel.getConstant(warps));
  Value place = arith::AddIOp::create(
      builder, loc, first, arith::DivUIOp::create(builder, loc, lane, size));
  return combineShared(reduction, values, place, first, 1, warps, isWriter);
}

} // namespace blocks
