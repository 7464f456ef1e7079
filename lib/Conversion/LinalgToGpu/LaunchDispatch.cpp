// Cuts a dispatch into launches. A product is a call, together with an
// operation behind it that is marked as its epilogue; a routine over images has
// its own kernel; what stands between runs in one kernel: element by element
// where every element is computed from its own alone, else row by row, a group
// of threads on each, with barriers where one thread reads what another wrote.
// The numbers of threads depend on the operations and the shapes alone, so that
// results repeat bit for bit on every GPU.
#include "lib/Conversion/LinalgToGpu/LaunchDispatch.h"
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/LoopNest.h"
#include "lib/Conversion/LinalgToGpu/DeviceProduct.h"
#include "lib/Conversion/LinalgToGpu/MemberNest.h"
#include "lib/Conversion/LinalgToGpu/Transposition.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Arith/Utils/Utils.h>

using namespace mlir;

namespace blocks {

/// Threads of a block of elements.
static constexpr int64_t kElementThreads = 256;
/// Rows longer than this get all threads of a block, shorter ones a warp.
static constexpr int64_t kLongRow = 512;
static constexpr int64_t kRowThreads = 128;
/// Parts of a reduction whose results lie in neighbouring threads.
static constexpr int64_t kParts = 8;
/// Of operations without rows: larger ones get a kernel of many blocks.
static constexpr int64_t kSmallWork = 1024;

namespace {

using Members = SmallVector<linalg::LinalgOp>;

/// What the operations of a kernel have in common: where their rows lie.
enum class Layout { Any, AlongRow, AcrossRows };

// --- Which kernel ------------------------------------------------------------

bool isElementwise(linalg::LinalgOp op) {
  return op.getNumLoops() > 0 && op.getNumReductionLoops() == 0;
}

/// How an operation touches a buffer, as far as threads are concerned.
struct Touch {
  Access access;
  linalg::LinalgOp op;
  AffineMap map; ///< Null for reads at computed places.
};

SmallVector<Touch> getTouches(linalg::LinalgOp op) {
  SmallVector<Touch> touches;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<MemRefType>(operand.get().getType()))
      touches.push_back({{operand.get(), true, op.isDpsInit(&operand)},
                         op,
                         op.getMatchingIndexingMap(&operand)});
  op.getBlock()->walk([&](memref::LoadOp load) {
    touches.push_back({{load.getMemRef(), true, false}, op, AffineMap()});
  });
  return touches;
}

bool meet(const Touch &a, const Touch &b) {
  return conflict({a.access}, {b.access});
}

class DispatchLaunches {
public:
  DispatchLaunches(ArrayRef<Operation *> ops, DeviceEntry &entry)
      : ops(ops), entry(entry), extents(entry.extents) {}

  LogicalResult run() {
    Members pending;
    for (auto [i, op] : llvm::enumerate(ops)) {
      if (isProduct(op) || isBatchProduct(op)) {
        launchMembers(pending);
        callProduct(cast<linalg::LinalgOp>(op),
                    i + 1 < ops.size() ? getEpilogueOf(ops[i + 1]) : nullptr,
                    entry);
      } else if (getEpilogueOf(op)) {
        continue; // The product did it.
      } else if (auto call = dyn_cast<ImageCallOp>(op)) {
        launchMembers(pending);
        if (failed(launchImageCall(call, entry)))
          return failure();
      } else {
        auto member = cast<linalg::LinalgOp>(op);
        if (!pending.empty() && !fits(pending, member))
          launchMembers(pending);
        pending.push_back(member);
      }
    }
    launchMembers(pending);
    for (Operation *op : ops)
      op->erase();
    return success();
  }

private:
  /// The operation, if the product before it does it; else null.
  static linalg::GenericOp getEpilogueOf(Operation *op) {
    return op->hasAttr(kEpilogueAttr) ? cast<linalg::GenericOp>(op) : nullptr;
  }

  // --- Cutting --------------------------------------------------------------

  Layout getLayout(linalg::LinalgOp op) {
    if (!hasRows(op) || op.getNumLoops() < 2)
      return Layout::Any;
    return getInnermostLoop(op, extents) == *getRowLoop(op) ? Layout::AcrossRows
                                                            : Layout::AlongRow;
  }

  Layout getLayout(ArrayRef<linalg::LinalgOp> members) {
    for (linalg::LinalgOp op : members)
      if (Layout layout = getLayout(op); layout != Layout::Any)
        return layout;
    return Layout::Any;
  }

  /// Too much for one block of threads.
  bool isLarge(linalg::LinalgOp op) {
    auto loops = llvm::to_vector(llvm::seq<unsigned>(0, op.getNumLoops()));
    std::optional<int64_t> size =
        getConstantIntValue(getIterations(op, extents, loops));
    return !size || *size > kSmallWork;
  }

  bool fits(ArrayRef<linalg::LinalgOp> pending, linalg::LinalgOp next) {
    if (!hasRows(next)) {
      auto standsAlone = [&](linalg::LinalgOp op) {
        return isElementwise(op) && isLarge(op);
      };
      return !standsAlone(next) && !standsAlone(pending.back());
    }
    Layout layout = getLayout(next), before = getLayout(pending);
    return layout == before || layout == Layout::Any || before == Layout::Any;
  }

  void launchMembers(Members &members) {
    if (members.empty())
      return;
    SmallVector<Members> parts = getIndependent(members);
    if (llvm::all_of(parts,
                     [&](Members &part) { return canRunByElement(part); }))
      llvm::for_each(parts, [&](Members &part) { launchByElement(part); });
    else
      launchByRow(members);
    members.clear();
  }

  /// Parts of the members that have no array in common, such as the updates of
  /// parameters. As launches of their own they have the form that others have
  /// elsewhere, and are joined with them; see JoinLaunches.
  static SmallVector<Members>
  getIndependent(ArrayRef<linalg::LinalgOp> members) {
    llvm::EquivalenceClasses<void *> classes;
    for (linalg::LinalgOp op : members) {
      classes.insert(op.getOperation());
      for (const Touch &touch : getTouches(op))
        if (cast<MemRefType>(touch.access.view.getType()).getRank() > 0)
          classes.unionSets(op.getOperation(),
                            getBuffer(touch.access.view).getAsOpaquePointer());
    }
    llvm::MapVector<void *, Members> parts;
    for (linalg::LinalgOp op : members)
      parts[classes.getLeaderValue(op.getOperation())].push_back(op);
    return llvm::to_vector(llvm::make_second_range(parts));
  }

  // --- Element by element ----------------------------------------------------

  bool haveEqualLoops(linalg::LinalgOp a, linalg::LinalgOp b) {
    if (a.getNumLoops() != b.getNumLoops())
      return false;
    for (unsigned loop = 0; loop < a.getNumLoops(); ++loop)
      if (!isEqualConstantIntOrValue(extents.getLoop(a, loop),
                                     extents.getLoop(b, loop)))
        return false;
    return true;
  }

  /// True if the two operations touch the buffer at the same element, which no
  /// other iteration touches.
  static bool atSameElement(const Touch &a, const Touch &b) {
    return a.map && b.map && a.access.view == b.access.view && a.map == b.map &&
           a.map.isPermutation();
  }

  bool canRunByElement(ArrayRef<linalg::LinalgOp> members) {
    for (linalg::LinalgOp op : members)
      if (!isElementwise(op) || !haveEqualLoops(op, members.front()))
        return false;
    SmallVector<Touch> before;
    for (linalg::LinalgOp op : members) {
      SmallVector<Touch> touches = getTouches(op);
      for (const Touch &a : before)
        for (const Touch &b : touches)
          if (meet(a, b) && !atSameElement(a, b))
            return false;
      llvm::append_range(before, touches);
    }
    return true;
  }

  static SmallVector<Access> collectAccesses(ArrayRef<linalg::LinalgOp> ops) {
    SmallVector<Access> accesses;
    for (linalg::LinalgOp op : ops)
      llvm::append_range(accesses, getAccesses(op));
    return accesses;
  }

  void launchByElement(ArrayRef<linalg::LinalgOp> members) {
    linalg::LinalgOp first = members.front();
    auto transposition = findTransposition(first, extents);
    if (transposition && members.size() == 1)
      return launchTransposition(first, *transposition, entry);
    DeviceKernel kernel(first, entry);
    OpBuilder &builder = kernel.builder;
    Location loc = kernel.loc;
    auto loops = llvm::to_vector(llvm::seq<unsigned>(0, first.getNumLoops()));
    OpFoldResult count = getIterations(first, extents, loops);
    Value start = arith::MulIOp::create(builder, loc, kernel.getBlock(),
                                        kernel.getConstant(kElementThreads),
                                        arith::IntegerOverflowFlags::nsw);
    Value number =
        arith::AddIOp::create(builder, loc, start, kernel.getThreadX(),
                              arith::IntegerOverflowFlags::nsw);
    bool isByNumber = llvm::all_of(members, hasElementOrder);
    Value isThere = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, number,
        isByNumber ? kernel.getSize(count) : kernel.getExtent(count));
    auto branch = scf::IfOp::create(builder, loc, isThere, false);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      for (linalg::LinalgOp op : members)
        emitElement(op, kernel, number);
    }
    kernel.shareWrites(getAliased(members));
    OpBuilder host(first);
    Value size = getValueOrCreateConstantIndexOp(host, first->getLoc(), count);
    entry.launch(
        host, kernel,
        {entry.divideUp(host, size, kElementThreads), kElementThreads, 1},
        collectAccesses(members));
  }

  // --- Row by row
  // -------------------------------------------------------------

  /// The most iterations of a member for one row, as far as they are known.
  int64_t getRowLength(ArrayRef<linalg::LinalgOp> members) {
    int64_t longest = 0;
    for (linalg::LinalgOp op : members) {
      std::optional<unsigned> row = hasRows(op) ? getRowLoop(op) : std::nullopt;
      SmallVector<unsigned> inner;
      for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
        if (loop != row)
          inner.push_back(loop);
      longest = std::max(
          longest,
          getConstantIntValue(getIterations(op, extents, inner)).value_or(0));
    }
    return longest;
  }

  Arrangement arrange(ArrayRef<linalg::LinalgOp> members) {
    bool reduces = llvm::any_of(members, [](linalg::LinalgOp op) {
      return op.getNumReductionLoops() > 0;
    });
    bool loops = llvm::any_of(
        members, [](linalg::LinalgOp op) { return op.getNumLoops() > 0; });
    if (!hasRows(members.front()))
      return {loops ? kElementThreads : 1, 1, true};
    if (getLayout(members) == Layout::AlongRow)
      return getRowLength(members) > kLongRow
                 ? Arrangement{kElementThreads, 1, true}
                 : Arrangement{kWarp, kRowThreads / kWarp, true};
    return reduces ? Arrangement{kWarp, kParts, false}
                   : Arrangement{kRowThreads, 1, false};
  }

  /// The loops of an operation but that over rows.
  static SmallVector<unsigned> getInnerLoops(linalg::LinalgOp op,
                                             utils::IteratorType type) {
    std::optional<unsigned> row = hasRows(op) ? getRowLoop(op) : std::nullopt;
    SmallVector<unsigned> loops;
    for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
      if (iterator == type && row != loop)
        loops.push_back(loop);
    return loops;
  }

  /// True if only the first thread of a group touches the operand: a result of
  /// the row as a whole.
  static bool isByFirst(const Touch &touch) {
    linalg::LinalgOp op = touch.op;
    if (!touch.access.writes || !touch.map ||
        !getInnerLoops(op, utils::IteratorType::parallel).empty())
      return false;
    return llvm::none_of(
        getInnerLoops(op, utils::IteratorType::reduction),
        [&](unsigned loop) { return touch.map.isFunctionOfDim(loop); });
  }

  /// True if the same thread touches the same elements for both.
  bool isBySameThread(const Touch &a, const Touch &b) {
    if (isByFirst(a) && isByFirst(b))
      return true;
    linalg::LinalgOp opA = a.op, opB = b.op;
    return atSameElement(a, b) && isElementwise(opA) && isElementwise(opB) &&
           haveEqualLoops(opA, opB) &&
           getInnermostLoop(opA, extents) == getInnermostLoop(opB, extents);
  }

  bool needsBarrier(ArrayRef<Touch> before, ArrayRef<Touch> touches) {
    for (const Touch &a : before)
      for (const Touch &b : touches)
        if (meet(a, b) && !isBySameThread(a, b))
          return true;
    return false;
  }

  void launchByRow(ArrayRef<linalg::LinalgOp> members) {
    linalg::LinalgOp first = members.front();
    OpFoldResult rows =
        hasRows(first) ? getRowCount(first, extents) : OpFoldResult();
    Arrangement arrangement = arrange(members);
    DeviceKernel kernel(first, entry);
    ThreadGroup group(kernel, arrangement, rows);
    SmallVector<Touch> before;
    SmallVector<Value> written = getAliased(members);
    for (linalg::LinalgOp op : members) {
      SmallVector<Touch> touches = getTouches(op);
      if (arrangement.lanes() > 1 && needsBarrier(before, touches)) {
        kernel.emitBarrier();
        before.clear();
      }
      emitMember(op, kernel, group);
      llvm::append_range(before, touches);
      for (const Touch &touch : touches)
        if (touch.access.writes && members.size() > 1)
          written.push_back(touch.access.view);
    }
    kernel.shareWrites(written);
    OpBuilder host(first);
    Value blocks = rows ? entry.divideUp(host,
                                         getValueOrCreateConstantIndexOp(
                                             host, first->getLoc(), rows),
                                         arrangement.rows())
                        : entry.getConstant(host, 1);
    entry.launch(host, kernel,
                 {blocks, arrangement.x, arrangement.y, group.getSharedBytes()},
                 collectAccesses(members));
  }

  /// Memrefs that overlap another one while one is written.
  static SmallVector<Value> getAliased(ArrayRef<linalg::LinalgOp> members) {
    SmallVector<Touch> touches;
    for (linalg::LinalgOp op : members)
      llvm::append_range(touches, getTouches(op));
    SmallVector<Value> aliased;
    for (const Touch &a : touches)
      for (const Touch &b : touches)
        if (a.access.view != b.access.view && meet(a, b))
          aliased.push_back(a.access.view);
    return aliased;
  }

  ArrayRef<Operation *> ops;
  DeviceEntry &entry;
  Extents &extents;
};

} // namespace

LogicalResult launchDispatch(ArrayRef<Operation *> ops, DeviceEntry &entry) {
  return DispatchLaunches(ops, entry).run();
}

} // namespace blocks
