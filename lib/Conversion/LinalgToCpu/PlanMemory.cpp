// blocks-plan-memory: one arena for an entry. Stands between group-dispatches,
// whose dispatches are its units of time, and form-dispatches. Sizes are
// symbolic; two buffers share a slot when the dynamic parts of their sizes are
// the same values and they are never live together.
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/Passes.h"

#include <mlir/Analysis/SliceAnalysis.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Interfaces/ViewLikeInterface.h>

using namespace mlir;

namespace blocks {
#define GEN_PASS_DEF_PLANMEMORY
#include "lib/Conversion/LinalgToCpu/Passes.h.inc"

namespace {

constexpr int64_t kAlignment = 64;

int64_t align(int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// Bytes of an element in memory; a truth value takes one.
int64_t getBytes(Type element) {
  return element.isIndex() ? 8
                           : std::max(1u, element.getIntOrFloatBitWidth() / 8);
}

/// Program points of the operations of an entry. All of one dispatch share a
/// point; a loop spans the points of its body.
class Timeline {
public:
  explicit Timeline(func::FuncOp function) { number(function.getBody()); }

  /// Extends the lifetime of an allocation by a use of it.
  void extend(memref::AllocOp alloc, Operation *user,
              std::pair<int64_t, int64_t> &life) const {
    Block *home = alloc->getBlock();
    Operation *visible = user;
    // A use in a loop that the buffer outlives counts for the whole loop.
    for (Operation *op = user; op && op->getBlock() != home;
         op = op->getParentOp())
      visible = op->getParentOp();
    auto [begin, end] = points.lookup(visible);
    life.first = std::min(life.first, begin);
    life.second = std::max(life.second, end);
  }

private:
  void number(Region &region) {
    for (Block &block : region) {
      Attribute last;
      for (Operation &op : block) {
        Attribute dispatch = op.getAttr(kDispatchAttr);
        if (!dispatch || dispatch != last)
          ++now;
        last = dispatch;
        int64_t begin = now;
        if (!isDispatchable(&op))
          for (Region &nested : op.getRegions())
            number(nested);
        points[&op] = {begin, now};
      }
      ++now;
    }
  }

  llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> points;
  int64_t now = 0;
};

struct Slot {
  SmallVector<Value> factors;
  int64_t bytes;
  int64_t busyUntil;
  Value offset;
};

struct Buffer {
  memref::AllocOp alloc;
  std::pair<int64_t, int64_t> life{INT64_MAX, -1};
  SmallVector<Value> factors;
  int64_t bytes;
  unsigned number = 0;
  unsigned slot = 0;
};

/// All uses of a buffer, those of its views included.
void collectUses(Value buffer, SmallVectorImpl<Operation *> &uses) {
  for (Operation *user : buffer.getUsers()) {
    uses.push_back(user);
    if (isa<ViewLikeOpInterface>(user))
      collectUses(user->getResult(0), uses);
  }
}

class Plan {
public:
  explicit Plan(func::FuncOp function)
      : function(function), builder(function.getContext()) {}

  LogicalResult run() {
    collectBuffers();
    if (buffers.empty())
      return success();
    if (failed(hoistSizes()))
      return failure();
    assignSlots();
    createViews(createArena());
    return success();
  }

private:
  void collectBuffers() {
    Timeline timeline(function);
    function.walk([&](memref::AllocOp alloc) {
      Buffer buffer{alloc};
      SmallVector<Operation *> uses;
      collectUses(alloc, uses);
      for (Operation *user : uses)
        timeline.extend(alloc, user, buffer.life);
      MemRefType type = alloc.getType();
      buffer.bytes = getBytes(type.getElementType());
      for (int64_t size : type.getShape())
        if (!ShapedType::isDynamic(size))
          buffer.bytes *= size;
      buffer.factors = llvm::to_vector(alloc.getDynamicSizes());
      llvm::sort(buffer.factors, [](Value a, Value b) {
        return a.getAsOpaquePointer() < b.getAsOpaquePointer();
      });
      if (!uses.empty())
        buffers.push_back(buffer);
      else
        unused.push_back(alloc);
    });
    for (memref::AllocOp alloc : unused)
      alloc.erase();
    // Equal starts keep the order of the program.
    for (auto [i, buffer] : llvm::enumerate(buffers))
      buffer.number = i;
    llvm::sort(buffers, [](const Buffer &a, const Buffer &b) {
      return std::pair(a.life.first, a.number) <
             std::pair(b.life.first, b.number);
    });
  }

  /// Moves what computes the sizes to the start of the entry: what divides by
  /// an extent, too, since it stands there in the first place.
  LogicalResult hoistSizes() {
    Block &entry = function.getBody().front();
    llvm::SetVector<Operation *> needed;
    for (Buffer &buffer : buffers)
      for (Value size : buffer.factors)
        if (failed(collectSize(size, buffer.alloc, needed)))
          return failure();
    for (Operation *op : llvm::reverse(needed.getArrayRef()))
      op->moveBefore(&entry, entry.begin());
    // All that was moved now leads the block; build behind it.
    Block::iterator point = entry.begin();
    for (Buffer &buffer : buffers)
      for (Value size : buffer.factors)
        if (Operation *definition = size.getDefiningOp())
          if (point == entry.begin() ||
              std::prev(point)->isBeforeInBlock(definition))
            point = std::next(definition->getIterator());
    builder.setInsertionPoint(&entry, point);
    return success();
  }

  /// Collects in an order in which definitions come before uses.
  LogicalResult collectSize(Value size, memref::AllocOp alloc,
                            llvm::SetVector<Operation *> &needed) {
    Operation *op = size.getDefiningOp();
    if (!op) {
      if (size.getParentBlock() == &function.getBody().front())
        return success();
    } else if (isMemoryEffectFree(op) && op->getNumRegions() == 0) {
      if (needed.contains(op))
        return success();
      for (Value operand : op->getOperands())
        if (failed(collectSize(operand, alloc, needed)))
          return failure();
      needed.insert(op);
      return success();
    }
    return alloc.emitOpError(
        "internal error: the size of this buffer is not known at the start of "
        "the entry, so it cannot have a place in the arena");
  }

  void assignSlots() {
    for (Buffer &buffer : buffers) {
      buffer.slot = findSlot(buffer);
      if (buffer.slot == slots.size())
        slots.push_back({buffer.factors, 0, 0, {}});
      Slot &slot = slots[buffer.slot];
      slot.bytes = std::max(slot.bytes, buffer.bytes);
      slot.busyUntil = buffer.life.second;
    }
  }

  /// The free slot that wastes or grows least, or a new one.
  unsigned findSlot(const Buffer &buffer) const {
    unsigned best = slots.size();
    for (auto [i, slot] : llvm::enumerate(slots)) {
      if (slot.factors != buffer.factors || slot.busyUntil >= buffer.life.first)
        continue;
      if (best == slots.size() ||
          std::abs(slot.bytes - buffer.bytes) <
              std::abs(slots[best].bytes - buffer.bytes))
        best = i;
    }
    return best;
  }

  Value createConstant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, function.getLoc(), value);
  }

  /// The aligned size of a slot, as a constant part and a dynamic one.
  Value createSize(const Slot &slot) {
    Location loc = function.getLoc();
    Value size = createConstant(slot.bytes);
    for (Value factor : slot.factors)
      size = arith::MulIOp::create(builder, loc, size, factor);
    if (slot.bytes % kAlignment == 0)
      return size;
    size = arith::AddIOp::create(builder, loc, size,
                                 createConstant(kAlignment - 1));
    return arith::AndIOp::create(builder, loc, size,
                                 createConstant(-kAlignment));
  }

  Value createArena() {
    Location loc = function.getLoc();
    int64_t fixed = 0;
    // Slots of fixed size first: their offsets are constants.
    for (Slot &slot : slots)
      if (slot.factors.empty()) {
        slot.offset = createConstant(fixed);
        fixed += align(slot.bytes);
      }
    Value total = createConstant(fixed);
    for (Slot &slot : slots)
      if (!slot.factors.empty()) {
        slot.offset = total;
        total = arith::AddIOp::create(builder, loc, total, createSize(slot));
      }
    func::FuncOp arena = declareArena();
    Value context = function.getArgument(0);
    Value pointer =
        func::CallOp::create(builder, loc, arena, ValueRange{context, total})
            .getResult(0);
    auto bytes = MemRefType::get({ShapedType::kDynamic}, builder.getI8Type());
    return UnrealizedConversionCastOp::create(builder, loc, bytes, pointer)
        .getResult(0);
  }

  func::FuncOp declareArena() {
    auto module = function->getParentOfType<ModuleOp>();
    constexpr StringRef name = "blocks_rt_arena";
    if (auto known = module.lookupSymbol<func::FuncOp>(name))
      return known;
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    auto pointer = LLVM::LLVMPointerType::get(top.getContext());
    auto type = top.getFunctionType({pointer, top.getIndexType()}, pointer);
    auto declared = func::FuncOp::create(top, function.getLoc(), name, type);
    declared.setPrivate();
    return declared;
  }

  void createViews(Value arena) {
    for (Buffer &buffer : buffers) {
      memref::AllocOp alloc = buffer.alloc;
      Value view = memref::ViewOp::create(
          builder, alloc.getLoc(), alloc.getType(), arena,
          slots[buffer.slot].offset, alloc.getDynamicSizes());
      alloc.replaceAllUsesWith(view);
    }
    // The builder may stand at one of them until all views exist.
    for (Buffer &buffer : buffers)
      buffer.alloc.erase();
  }

  func::FuncOp function;
  OpBuilder builder;
  std::vector<Buffer> buffers;
  std::vector<Slot> slots;
  SmallVector<memref::AllocOp> unused;
};

class PlanMemory : public impl::PlanMemoryBase<PlanMemory> {
public:
  void runOnOperation() override {
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!function.isExternal() && failed(Plan(function).run()))
        return signalPassFailure();
  }
};

} // namespace
} // namespace blocks
