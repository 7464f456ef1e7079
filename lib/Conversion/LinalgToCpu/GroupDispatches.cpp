// blocks-group-dispatches: which operations run together, and in which order.
// Stands between bufferize and plan-memory. Each block's operations become a
// list of items: a dispatch of operations over the same rows, a section of
// operations without rows, or one other operation (a loop, a branch, a load).
// An operation joins the latest item that it fits, if it conflicts with
// nothing in between; so a weight's update joins the product that computes its
// gradient, and all that a step of a loop does to each example of the batch is
// one dispatch, small products included. A GPU prefers updates that stand
// together, which become one launch, to gradients that are still in a cache.
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
  Grouping(func::FuncOp function, bool updatesLast)
      : extents(function), builder(function.getContext()),
        updatesLast(updatesLast) {}

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

  /// A sum over the rows of a result that no cache of a core holds. It would
  /// forbid to cut the product by columns, and then every block of rows packs
  /// the right operand again; to read the result once more takes less.
  static bool sumsLargeResult(Operation *product, Operation *next) {
    constexpr int64_t largeResult = 1 << 18;
    auto structured = dyn_cast<linalg::LinalgOp>(next);
    auto result = cast<MemRefType>(product->getOperand(2).getType());
    return structured && structured.getNumReductionLoops() > 0 &&
           result.hasStaticShape() && result.getNumElements() >= largeResult;
  }

  /// A large product is cut as its own shape wants, so it only comes first.
  /// What has nothing to do with it, a product behind it, and what takes its
  /// columns for something else (gates side by side) would forbid to cut it by
  /// columns; what works on more than rows and columns wants another cut.
  static bool fitsLargeProduct(const Item &item, const Item &next) {
    return !isProduct(next.ops.front()) &&
           !hasMoreThanColumns(next.ops.front()) &&
           !sumsLargeResult(item.ops.front(), next.ops.front()) &&
           conflict(item.accesses, next.accesses) &&
           shareRows(item.accesses, next.accesses, /*inOneView=*/true);
  }

  // --- Updates ---------------------------------------------------------------

  /// True for what works on parameters, their gradients and numbers alone.
  static bool hasStaticShapes(Operation *op) {
    return isa<linalg::LinalgOp>(op) && isDispatchable(op) && !isProduct(op) &&
           !isBatchProduct(op) &&
           llvm::all_of(op->getOperandTypes(), [](Type type) {
             auto memref = dyn_cast<MemRefType>(type);
             return !memref || memref.hasStaticShape();
           });
  }

  static bool touchesArrays(Operation *op) {
    return llvm::any_of(op->getOperandTypes(), [](Type type) {
      auto memref = dyn_cast<MemRefType>(type);
      return memref && memref.getRank() > 0;
    });
  }

  /// The operations that can run behind all others of their block.
  static SmallVector<Operation *> findPossiblyLast(Block &block) {
    SmallVector<Operation *> last;
    SmallVector<Access> behind; // Of what comes later, but not last.
    for (Operation &op : llvm::reverse(block.without_terminator())) {
      SmallVector<Access> accesses = getAccesses(&op);
      if (hasStaticShapes(&op) && !conflict(accesses, behind))
        last.push_back(&op);
      else
        llvm::append_range(behind, accesses);
    }
    std::reverse(last.begin(), last.end());
    return last;
  }

  /// True for the gradient of a bias, with which its update can run: the result
  /// of a reduction.
  static bool isReduced(Operation *op, Value view) {
    for (Operation *writer = op->getPrevNode(); writer;
         writer = writer->getPrevNode()) {
      SmallVector<Access> read{{view, true, false}};
      if (!conflict(getAccesses(writer), read))
        continue;
      auto structured = dyn_cast<linalg::LinalgOp>(writer);
      return structured && structured.getNumReductionLoops() > 0 &&
             !isProduct(writer) && !isBatchProduct(writer);
    }
    return false;
  }

  /// True if a launch of its own cannot be avoided.
  static bool standsAlone(Operation *op) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    return touchesArrays(op) &&
           llvm::none_of(structured.getDpsInputs(), [&](Value input) {
             return isa<MemRefType>(input.getType()) &&
                    cast<MemRefType>(input.getType()).getRank() > 0 &&
                    isReduced(op, input);
           });
  }

  /// The updates: what can run last, without numbers that no update needs, if
  /// some of it would be a launch of its own anyway. What waits for nothing
  /// comes first, then what waits for that, and so on, so that equal steps of
  /// all parameters stand together.
  SmallVector<Operation *> findLast(Block &block) {
    struct Step {
      Operation *op;
      SmallVector<Access> accesses;
      unsigned depth = 0;
      size_t order = 0;
    };
    std::vector<Step> steps;
    if (!updatesLast || !isa<func::FuncOp>(block.getParentOp()))
      return {};
    bool pays = false;
    for (Operation *op : findPossiblyLast(block)) {
      Step next{op, getAccesses(op)};
      bool waits = false;
      for (const Step &step : steps)
        if (conflict(step.accesses, next.accesses)) {
          next.depth = std::max(next.depth, step.depth + 1);
          waits = true;
        }
      if (!touchesArrays(op) && !waits)
        continue;
      pays |= standsAlone(op);
      next.order = steps.size();
      steps.push_back(std::move(next));
    }
    if (!pays)
      return {};
    auto getKey = [](const Step &step) {
      return std::tuple(step.depth, !hasRows(step.op), step.order);
    };
    llvm::sort(steps, [&](const Step &a, const Step &b) {
      return getKey(a) < getKey(b);
    });
    return llvm::map_to_vector(steps, [](const Step &step) { return step.op; });
  }

  // --- The schedule ----------------------------------------------------------

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

  /// Adds an operation to an item from `level` on, or behind all of them.
  void place(Schedule &schedule, Operation *op, unsigned level) {
    Item next = makeItem(op);
    unsigned target = findItem(schedule, next, level);
    if (target == schedule.items.size()) {
      schedule.items.push_back(next);
      schedule.pure.emplace_back();
    } else {
      Item &item = schedule.items[target];
      item.ops.push_back(op);
      llvm::append_range(item.accesses, next.accesses);
    }
    schedule.levels[op] = target + 1;
  }

  Schedule plan(Block &block) {
    makeRows(block);
    SmallVector<Operation *> updates = findLast(block);
    llvm::SmallPtrSet<Operation *, 16> last(updates.begin(), updates.end());
    Schedule schedule;
    for (Operation &op : block.without_terminator()) {
      unsigned level = getLevel(schedule, &op);
      if (isPure(&op) || isa<memref::AllocOp>(op)) {
        schedule.pure[level].push_back(&op);
        schedule.levels[&op] = level;
      } else if (!last.contains(&op)) {
        place(schedule, &op, level);
      }
    }
    unsigned first = schedule.items.size();
    for (Operation *op : updates)
      place(schedule, op, first);
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
  bool updatesLast;
  int64_t next = 0;
};

class GroupDispatches : public impl::GroupDispatchesBase<GroupDispatches> {
public:
  using GroupDispatchesBase::GroupDispatchesBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      prepareForDispatch(function, packs, foldsSums);
      Grouping(function, updatesLast).run(function.getBody().front());
    }
  }
};

} // namespace
} // namespace blocks
