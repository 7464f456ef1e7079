// One member of a dispatch, as a thread sees it. Loops of results are dealt out
// to the threads of a group; a reduction is dealt out, too, if nothing else is
// there to deal out, and its partial results are combined.
#include "lib/Conversion/LinalgToGpu/MemberNest.h"
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/LoopNest.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

using namespace mlir;

namespace blocks {

static constexpr auto kNoWrap = arith::IntegerOverflowFlags::nsw;

OpFoldResult getIterations(linalg::LinalgOp op, Extents &extents,
                           ArrayRef<unsigned> loops) {
  OpFoldResult product = Builder(op->getContext()).getIndexAttr(1);
  for (unsigned loop : loops)
    product = extents.multiply(product, extents.getLoop(op, loop));
  return product;
}

namespace {

class MemberNest {
public:
  MemberNest(linalg::LinalgOp op, DeviceKernel &kernel)
      : op(op), kernel(kernel), builder(kernel.builder), loc(kernel.loc),
        element(op, kernel) {}

  void emit(ThreadGroup &threads) {
    group = &threads;
    sortLoops();
    if (reductions.empty())
      return emitParallel([&] { element.emitBody({}, {}); });
    if (!parallels.empty())
      return emitParallel([&] { emitSerialReduction(); });
    auto found = findReductions(op, getCarried());
    if (found && !getDealt().empty())
      return emitSharedReduction(*found);
    group->emitForFirst([&] { emitSerialReduction(); });
  }

  void emitAt(Value number) {
    if (hasElementOrder(op)) {
      element.flat = number;
    } else {
      for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
        parallels.push_back(loop);
      setIndices(parallels, number);
    }
    element.emitBody({}, {});
  }

private:
  /// The loop along which operands are contiguous comes last: neighbouring
  /// threads take neighbouring iterations.
  void sortLoops() {
    std::optional<unsigned> row;
    if (group->getRow()) {
      row = getRowLoop(op);
      element.indices[*row] = group->getRow();
    }
    unsigned inner =
        op.getNumLoops() ? getInnermostLoop(op, kernel.getExtents()) : 0;
    SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
    for (unsigned i = 0; i <= op.getNumLoops(); ++i) {
      bool isLast = i == op.getNumLoops();
      unsigned loop = isLast ? inner : i;
      if (op.getNumLoops() == 0 || loop == row || (!isLast && loop == inner))
        continue;
      (types[loop] == utils::IteratorType::parallel ? parallels : reductions)
          .push_back(loop);
    }
  }

  Value getExtent(unsigned loop) {
    return kernel.getExtent(kernel.getExtents().getLoop(op, loop));
  }

  Value getProduct(ArrayRef<unsigned> loops) {
    Value product;
    for (unsigned loop : loops)
      product = product ? Value(arith::MulIOp::create(builder, loc, product,
                                                      getExtent(loop), kNoWrap))
                        : getExtent(loop);
    return product;
  }

  /// Takes a number apart into the indices of these loops.
  void setIndices(ArrayRef<unsigned> loops, Value number) {
    for (unsigned loop : llvm::reverse(loops)) {
      if (loop == loops.front()) {
        element.indices[loop] = number;
        return;
      }
      Value extent = getExtent(loop);
      element.indices[loop] =
          arith::RemUIOp::create(builder, loc, number, extent);
      number = arith::DivUIOp::create(builder, loc, number, extent);
    }
  }

  // --- Loops ----------------------------------------------------------------

  /// Deals iterations out to the group's threads in turn.
  SmallVector<Value>
  emitDealt(ArrayRef<unsigned> loops, ValueRange carried,
            function_ref<SmallVector<Value>(ValueRange)> work) {
    Value count = group->limit(getProduct(loops));
    auto loop =
        scf::ForOp::create(builder, loc, group->getLane(), count,
                           kernel.getConstant(group->getLanes()), carried);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    setIndices(loops, loop.getInductionVar());
    SmallVector<Value> next = work(loop.getRegionIterArgs());
    if (!carried.empty())
      scf::YieldOp::create(builder, loc, next);
    return llvm::to_vector(ValueRange(loop.getResults()));
  }

  void emitParallel(function_ref<void()> work) {
    if (parallels.empty())
      return group->emitForFirst(work);
    emitDealt(parallels, {}, [&](ValueRange) {
      work();
      return SmallVector<Value>();
    });
  }

  /// Results that do not change along the reductions.
  SmallVector<OpOperand *> getCarried() {
    SmallVector<OpOperand *> carried;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      AffineMap map = op.getMatchingIndexingMap(&init);
      if (llvm::none_of(reductions, [&](unsigned loop) {
            return map.isFunctionOfDim(loop);
          }))
        carried.push_back(&init);
    }
    return carried;
  }

  /// Results that change along some of the reductions, but not along all.
  SmallVector<OpOperand *> getPartlyCarried() {
    SmallVector<OpOperand *> carried;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      AffineMap map = op.getMatchingIndexingMap(&init);
      auto changes = [&](unsigned loop) { return map.isFunctionOfDim(loop); };
      if (llvm::any_of(reductions, changes) &&
          !llvm::all_of(reductions, changes))
        carried.push_back(&init);
    }
    return carried;
  }

  /// The reductions whose iterations may go to different threads: no two of
  /// them add to one element of a result that only some threads may add to.
  SmallVector<unsigned> getDealt() {
    SmallVector<unsigned> dealt;
    for (unsigned loop : reductions)
      if (llvm::all_of(getPartlyCarried(), [&](OpOperand *init) {
            return op.getMatchingIndexingMap(init).isFunctionOfDim(loop);
          }))
        dealt.push_back(loop);
    return dealt;
  }

  SmallVector<Value> emitSerialLoops(ArrayRef<unsigned> loops,
                                     ArrayRef<OpOperand *> carriers,
                                     ValueRange carried) {
    if (loops.empty())
      return element.emitBody(carriers, carried);
    auto loop = scf::ForOp::create(builder, loc, kernel.getConstant(0),
                                   getExtent(loops.front()),
                                   kernel.getConstant(1), carried);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    element.indices[loops.front()] = loop.getInductionVar();
    SmallVector<Value> next =
        emitSerialLoops(loops.drop_front(), carriers, loop.getRegionIterArgs());
    if (!carried.empty())
      scf::YieldOp::create(builder, loc, next);
    return llvm::to_vector(ValueRange(loop.getResults()));
  }

  /// One thread does it all.
  void emitSerialReduction() {
    SmallVector<OpOperand *> carriers = getCarried();
    SmallVector<Value> values;
    for (OpOperand *carrier : carriers)
      values.push_back(element.load(carrier));
    values = emitSerialLoops(reductions, carriers, values);
    for (auto [carrier, value] : llvm::zip_equal(carriers, values))
      createStore(builder, loc, value, element.getPointer(carrier));
  }

  void emitSharedReduction(ArrayRef<Reduction> found) {
    SmallVector<OpOperand *> carriers = getCarried();
    SmallVector<unsigned> dealt = getDealt(), serial;
    for (unsigned loop : reductions)
      if (!llvm::is_contained(dealt, loop))
        serial.push_back(loop);
    SmallVector<Value> partial;
    for (const Reduction &reduction : found)
      for (TypedAttr neutral : reduction.neutral)
        partial.push_back(arith::ConstantOp::create(builder, loc, neutral));
    partial = emitDealt(dealt, partial, [&](ValueRange carried) {
      return emitSerialLoops(serial, carriers, carried);
    });
    SmallVector<SmallVector<Value>> totals;
    unsigned next = 0;
    for (const Reduction &reduction : found) {
      unsigned count = reduction.results.size();
      totals.push_back(
          group->combine(reduction, ValueRange(partial).slice(next, count)));
      next += count;
    }
    group->emitForFirst([&] {
      for (auto [reduction, total] : llvm::zip_equal(found, totals))
        addToOld(reduction, total);
    });
  }

  void addToOld(const Reduction &reduction, ValueRange total) {
    SmallVector<Value> old;
    for (OpOperand *result : reduction.results)
      old.push_back(element.load(result));
    SmallVector<Value> sum = reduction.combine(builder, loc, old, total);
    for (auto [result, value] : llvm::zip_equal(reduction.results, sum))
      createStore(builder, loc, value, element.getPointer(result));
  }

  linalg::LinalgOp op;
  DeviceKernel &kernel;
  OpBuilder &builder;
  Location loc;
  Element element;
  ThreadGroup *group = nullptr;
  SmallVector<unsigned> parallels, reductions;
};

} // namespace

void emitMember(linalg::LinalgOp op, DeviceKernel &kernel, ThreadGroup &group) {
  MemberNest(op, kernel).emit(group);
}

void emitElement(linalg::LinalgOp op, DeviceKernel &kernel, Value number) {
  MemberNest(op, kernel).emitAt(number);
}

} // namespace blocks
