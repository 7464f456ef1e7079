// blocks-group-dispatches: which operations run together, and in which order.
// Stands between bufferize and plan-memory. Each block's operations become a
// list of items: a dispatch of operations over the same rows, a section of
// operations without rows, or one other operation (a loop, a branch, a load).
// An operation joins the latest item that it fits, if it conflicts with
// nothing in between; so a weight's update joins the product that computes its
// gradient, and all that a step of a loop does to each example of the batch is
// one dispatch, small products included.
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/Extents.h"
#include "lib/Conversion/LinalgToCpu/Passes.h"
#include "lib/Conversion/LinalgToCpu/Prepare.h"

#include <mlir/Dialect/MemRef/IR/MemRef.h>

using namespace mlir;

namespace blocks {
#define GEN_PASS_DEF_GROUPDISPATCHES
#include "lib/Conversion/LinalgToCpu/Passes.h.inc"

namespace {

struct Item {
  enum class Kind { Rows, Serial, Other } kind;
  OpFoldResult rows;
  SmallVector<Operation *> ops;
  SmallVector<Access> accesses;
};

class Grouping {
public:
  explicit Grouping(func::FuncOp function)
      : extents(function), builder(function.getContext()) {}

  void run(Block &block) {
    for (Operation &op : block.without_terminator())
      for (Region &region : op.getRegions())
        if (!isDispatchable(&op))
          for (Block &nested : region)
            run(nested);
    Schedule schedule = plan(block);
    reorder(block, schedule);
  }

private:
  struct Schedule {
    std::vector<Item> items;
    /// Operations without effects, to be placed behind item i - 1.
    std::vector<SmallVector<Operation *>> pure{1};
    /// Values of item i - 1 exist from level i on.
    llvm::DenseMap<Operation *, unsigned> levels;
  };

  /// The first item (from 0) at which all operands of an operation exist.
  static unsigned getLevel(const Schedule &schedule, Operation *op) {
    unsigned level = 0;
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (Operation *definition = operand.getDefiningOp())
          if (auto known = schedule.levels.find(definition);
              known != schedule.levels.end())
            level = std::max(level, known->second);
    });
    return level;
  }

  Item makeItem(Operation *op) {
    Item item{Item::Kind::Other, {}, {op}, getAccesses(op)};
    if (!isDispatchable(op))
      return item;
    item.kind = hasRows(op) ? Item::Kind::Rows : Item::Kind::Serial;
    if (hasRows(op))
      item.rows = getRowCount(op, extents);
    return item;
  }

  static bool fits(const Item &item, const Item &next) {
    if (item.kind != next.kind || item.kind == Item::Kind::Other)
      return false;
    if (item.kind == Item::Kind::Serial)
      return true;
    if (item.rows != next.rows || isLargeProduct(next.ops.front()))
      return false;
    return isLargeProduct(item.ops.front())
               ? fitsLargeProduct(item, next)
               : shareRows(item.accesses, next.accesses, /*inOneView=*/false);
  }

  static bool isLargeProduct(Operation *op) {
    return isProduct(op) && !isSmallProduct(op);
  }

  static bool hasMoreThanColumns(Operation *op) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    return structured && structured.getNumLoops() > 2;
  }

  /// A large product is cut as its own shape wants, so it only comes first.
  /// What has nothing to do with it, a product behind it, and what takes its
  /// columns for something else (gates side by side) would forbid to cut it by
  /// columns; what works on more than rows and columns wants another cut.
  static bool fitsLargeProduct(const Item &item, const Item &next) {
    return !isProduct(next.ops.front()) &&
           !hasMoreThanColumns(next.ops.front()) &&
           conflict(item.accesses, next.accesses) &&
           shareRows(item.accesses, next.accesses, /*inOneView=*/true);
  }

  /// The latest item that `next` can join, or the number of items.
  static unsigned findItem(const Schedule &schedule, const Item &next,
                           unsigned level) {
    for (unsigned i = schedule.items.size(); i-- > level;) {
      if (fits(schedule.items[i], next))
        return i;
      if (conflict(schedule.items[i].accesses, next.accesses))
        break;
    }
    return schedule.items.size();
  }

  /// Builds the products of extents that stand for rows. They stand in this
  /// block, too, so that all must be there before it is put into order.
  void makeRows(Block &block) {
    for (Operation &op : block.without_terminator())
      makeItem(&op);
  }

  Schedule plan(Block &block) {
    makeRows(block);
    Schedule schedule;
    for (Operation &op : block.without_terminator()) {
      unsigned level = getLevel(schedule, &op);
      if (isPure(&op) || isa<memref::AllocOp>(op)) {
        schedule.pure[level].push_back(&op);
        schedule.levels[&op] = level;
        continue;
      }
      Item next = makeItem(&op);
      unsigned target = findItem(schedule, next, level);
      if (target == schedule.items.size()) {
        schedule.items.push_back(next);
        schedule.pure.emplace_back();
      } else {
        Item &item = schedule.items[target];
        item.ops.push_back(&op);
        llvm::append_range(item.accesses, next.accesses);
      }
      schedule.levels[&op] = target + 1;
    }
    return schedule;
  }

  void reorder(Block &block, Schedule &schedule) {
    Operation *end = block.getTerminator();
    for (unsigned i = 0; i <= schedule.items.size(); ++i) {
      for (Operation *op : schedule.pure[i])
        op->moveBefore(end);
      if (i == schedule.items.size())
        break;
      Item &item = schedule.items[i];
      for (Operation *op : item.ops) {
        op->moveBefore(end);
        if (item.kind != Item::Kind::Other)
          op->setAttr(kDispatchAttr, builder.getI64IntegerAttr(next));
      }
      next += item.kind != Item::Kind::Other;
    }
  }

  Extents extents;
  Builder builder;
  int64_t next = 0;
};

class GroupDispatches : public impl::GroupDispatchesBase<GroupDispatches> {
public:
  using GroupDispatchesBase::GroupDispatchesBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      prepareForDispatch(function, packs);
      Grouping(function).run(function.getBody().front());
    }
  }
};

} // namespace
} // namespace blocks
