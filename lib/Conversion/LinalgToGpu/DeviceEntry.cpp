// See DeviceEntry.h.
#include "lib/Conversion/LinalgToGpu/DeviceEntry.h"
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToGpu/DeviceKernel.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

using namespace mlir;

namespace blocks {

/// Distance of scalars in the arena: each has a cache line of its own.
static constexpr int64_t kSlotBytes = 64;

DeviceEntry::DeviceEntry(func::FuncOp function, DeviceModule &module)
    : function(function), module(module), extents(function),
      addressing(extents) {
  findStableLoads();
  findArena();
  createParameterStorage();
}

// --- Scalars ---------------------------------------------------------------

/// The operation of the entry's own block around `op`.
static Operation *getOutermost(func::FuncOp function, Operation *op) {
  return function.getBody().front().findAncestorOpInBlock(*op);
}

/// An argument keeps its value until it is written; a buffer of the arena only
/// until its last use in the plan.
void DeviceEntry::findStableLoads() {
  llvm::DenseMap<Value, SmallVector<Operation *>> writers;
  for (Operation &op : function.getBody().front())
    for (const Access &access : getAccesses(&op))
      if (access.writes)
        writers[getBuffer(access.view)].push_back(&op);
  function.walk([&](memref::LoadOp load) {
    Value buffer = getBuffer(load.getMemRef());
    Operation *outer = getOutermost(function, load);
    if (isa<BlockArgument>(buffer) &&
        llvm::all_of(writers.lookup(buffer), [&](Operation *writer) {
          return writer != outer && writer->isBeforeInBlock(outer);
        }))
      stableLoads.insert(load);
  });
}

bool DeviceEntry::isFromMemory(Value value) {
  Operation *definition = value.getDefiningOp();
  if (!definition || isa<LLVM::LLVMPointerType>(value.getType()))
    return false;
  if (auto known = fromMemory.find(value); known != fromMemory.end())
    return known->second;
  bool found = isa<memref::LoadOp>(definition);
  if (!found && !isa<memref::DimOp>(definition))
    found = llvm::any_of(definition->getOperands(),
                         [&](Value operand) { return isFromMemory(operand); });
  fromMemory[value] = found;
  return found;
}

bool DeviceEntry::isReadableAt(memref::LoadOp load, Operation *site) {
  if (stableLoads.contains(load))
    return true;
  if (load->getBlock() != site->getBlock() || !load->isBeforeInBlock(site))
    return false;
  for (Operation *between = load->getNextNode(); between != site;
       between = between->getNextNode())
    if (!isMemoryEffectFree(between) && !isa<memref::LoadOp>(between))
      return false;
  return true;
}

Value DeviceEntry::getSlot(memref::LoadOp load) {
  Value &slot = slots[load];
  if (slot)
    return slot;
  Value place = reserve(kSlotBytes);
  slots[load] = place;
  OpBuilder builder(load->getContext());
  builder.setInsertionPointAfter(load);
  if (load->getBlock() == arenaEnd->getBlock() &&
      load->isBeforeInBlock(arenaEnd))
    builder.setInsertionPointAfter(arenaEnd);
  // The first thread of its kernel copies.
  DeviceKernel kernel(load, *this);
  Value number = kernel.getScalar(load.getResult());
  createStore(kernel.builder, kernel.loc, number, kernel.getScalar(place));
  launch(builder, kernel, {getConstant(builder, 1)});
  return place;
}

// --- The arena -------------------------------------------------------------

void DeviceEntry::findArena() {
  for (auto call : function.getBody().front().getOps<func::CallOp>())
    if (call.getCallee() == "blocks_rt_arena")
      arena = call;
  if (!arena) {
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    auto declared = module.declareOnHost(
        "blocks_rt_arena", {pointer, builder.getIndexType()}, pointer);
    Value none = getConstant(builder, 0);
    arena = func::CallOp::create(builder, function.getLoc(), declared,
                                 ValueRange{getContext(), none});
  }
  plannedBytes = arena.getOperand(1);
  arenaEnd = arena;
}

Value DeviceEntry::reserve(int64_t bytes) {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointAfter(arenaEnd);
  Location loc = function.getLoc();
  Value offset = arith::AddIOp::create(builder, loc, plannedBytes,
                                       getConstant(builder, reservedBytes));
  reservedBytes += (bytes + kSlotBytes - 1) / kSlotBytes * kSlotBytes;
  Value place = createElementPointer(builder, loc, builder.getI8Type(),
                                     arena.getResult(0), offset);
  arenaEnd = place.getDefiningOp();
  return place;
}

/// Where it begins is known at the end.
Value DeviceEntry::getScratch(int64_t bytes) {
  scratchBytes = std::max(scratchBytes, bytes);
  if (scratch)
    return scratch;
  OpBuilder builder(function.getContext());
  builder.setInsertionPointAfter(arenaEnd);
  Location loc = function.getLoc();
  scratchOffset = getConstant(builder, 0);
  Value offset =
      arith::AddIOp::create(builder, loc, plannedBytes, scratchOffset);
  scratch = createElementPointer(builder, loc, builder.getI8Type(),
                                 arena.getResult(0), offset);
  arenaEnd = scratch.getDefiningOp();
  return scratch;
}

// --- Launches --------------------------------------------------------------

Value DeviceEntry::getConstant(OpBuilder &builder, int64_t value) {
  return arith::ConstantIndexOp::create(builder, function.getLoc(), value);
}

Value DeviceEntry::divideUp(OpBuilder &builder, Value size, int64_t by) {
  if (by == 1)
    return size;
  Location loc = function.getLoc();
  Value sum = builder.createOrFold<arith::AddIOp>(loc, size,
                                                  getConstant(builder, by - 1));
  return builder.createOrFold<arith::DivUIOp>(loc, sum,
                                              getConstant(builder, by));
}

/// All launches of an entry pass their arguments in the same places, since a
/// launch copies them. How many there are is known at the end.
void DeviceEntry::createParameterStorage() {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  Location loc = function.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto allocate = [&](Type element) -> Value {
    Value count = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                           builder.getI64IntegerAttr(1));
    return LLVM::AllocaOp::create(builder, loc, pointer, element, count);
  };
  parameters = allocate(builder.getI64Type());
  parameterPointers = allocate(pointer);
}

Value DeviceEntry::getParameterPlace(OpBuilder &builder, int64_t number) {
  return LLVM::GEPOp::create(builder, function.getLoc(), parameters.getType(),
                             builder.getI64Type(), parameters,
                             ArrayRef<LLVM::GEPArg>{int32_t(number)});
}

Operation *DeviceEntry::createCall(OpBuilder &builder, int64_t number,
                                   const LaunchShape &shape) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext()),
       index = builder.getIndexType();
  func::FuncOp runtime =
      module.declareOnHost("blocks_rt_launch", {pointer, index, index, index,
                                                index, index, index, pointer});
  return func::CallOp::create(
      builder, function.getLoc(), runtime,
      ValueRange{getContext(), getConstant(builder, number), shape.blocks,
                 getConstant(builder, 1), getConstant(builder, shape.x),
                 getConstant(builder, shape.y),
                 getConstant(builder, shape.sharedBytes), parameterPointers});
}

void DeviceEntry::launch(OpBuilder &builder, DeviceKernel &kernel,
                         const LaunchShape &shape,
                         std::optional<SmallVector<Access>> accesses) {
  if (accesses)
    for (Value memref : kernel.getLoaded())
      accesses->push_back({memref, true, false});
  auto launch = std::make_unique<Launch>();
  launch->operands = llvm::to_vector(kernel.getOperands());
  launch->kernel = kernel.finish();
  launch->shape = shape;
  launch->accesses = std::move(accesses);
  launch->place = createCall(builder, 0, shape);
  launches.push_back(std::move(launch));
}

void DeviceEntry::launch(OpBuilder &builder, int64_t kernel,
                         ValueRange operands, const LaunchShape &shape) {
  auto launch = std::make_unique<Launch>();
  launch->operands = llvm::to_vector(operands);
  launch->userKernel = kernel;
  launch->shape = shape;
  launch->place = createCall(builder, kernel, shape);
  launches.push_back(std::move(launch));
}

/// The words of a table lie one behind the other, where arguments are.
void DeviceEntry::finishLaunch(Launch &launch) {
  OpBuilder builder(launch.place);
  for (auto [i, operand] : llvm::enumerate(launch.operands))
    createStore(builder, function.getLoc(), operand,
                getParameterPlace(builder, i));
  parameterCount = std::max(parameterCount, int64_t(launch.operands.size()));
  int64_t number = launch.userKernel ? *launch.userKernel
                                     : module.add(launch.kernel.release());
  createCall(builder, number, launch.shape);
  launch.place->erase();
}

void DeviceEntry::finish() {
  joinLaunches(function, launches);
  for (auto &launch : launches)
    finishLaunch(*launch);
  OpBuilder builder(function.getContext());
  Location loc = function.getLoc();
  for (Value storage : {parameters, parameterPointers})
    storage.getDefiningOp()->getOperand(0).getDefiningOp()->setAttr(
        "value",
        builder.getI64IntegerAttr(std::max<int64_t>(parameterCount, 1)));
  builder.setInsertionPointAfter(parameterPointers.getDefiningOp());
  for (int64_t i = 0; i < parameterCount; ++i) {
    Value place = LLVM::GEPOp::create(
        builder, loc, parameterPointers.getType(), parameterPointers.getType(),
        parameterPointers, ArrayRef<LLVM::GEPArg>{int32_t(i)});
    LLVM::StoreOp::create(builder, loc, getParameterPlace(builder, i), place);
  }
  builder.setInsertionPoint(arena);
  if (scratch) {
    constexpr int64_t kAligned = 256; // As cuBLAS likes it.
    reservedBytes = (reservedBytes + kAligned - 1) / kAligned * kAligned;
    scratchOffset.getDefiningOp()->setAttr("value",
                                           builder.getIndexAttr(reservedBytes));
    reservedBytes += scratchBytes;
  }
  if (reservedBytes)
    arena.setOperand(
        1, arith::AddIOp::create(builder, loc, plannedBytes,
                                 getConstant(builder, reservedBytes)));
}

} // namespace blocks
