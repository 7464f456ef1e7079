// Loops for one structured operation, made for LLVM's loop vectorizer: the
// innermost loop is the contiguous one, reductions along it are carried in
// registers, and operations that touch whole contiguous rows run as one loop
// over all elements of their block.
#include "lib/Conversion/LinalgToCpu/LoopNest.h"
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/Element.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

using namespace mlir;

namespace blocks {

/// Points for a loop whose steps are neighbouring elements, minus points for
/// one whose steps are far apart: such loads need a gather.
static int scoreLoop(linalg::LinalgOp op, unsigned loop, Extents &extents) {
  constexpr int kNeighbours = 1, kFarApart = -3;
  int score = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, result] : llvm::enumerate(map.getResults()))
      if (result.isFunctionOfDim(loop))
        score += isOneInteger(extents.getStride(operand.get(), dim))
                     ? kNeighbours
                     : kFarApart;
  }
  return score;
}

unsigned getInnermostLoop(linalg::LinalgOp op, Extents &extents) {
  unsigned best = op.getNumLoops() - 1;
  int bestScore = scoreLoop(op, best, extents);
  for (unsigned loop = best; loop-- > 0;)
    if (int score = scoreLoop(op, loop, extents); score > bestScore) {
      best = loop;
      bestScore = score;
    }
  return best;
}

namespace {

constexpr auto kNoWrap = arith::IntegerOverflowFlags::nsw;

class LoopNest {
public:
  LoopNest(linalg::LinalgOp op, Kernel &kernel, const DispatchBlock &part)
      : op(op), kernel(kernel), extents(kernel.getExtents()), part(part),
        builder(kernel.builder), loc(kernel.loc), row(getRowLoop(op)),
        column(getColumnLoop(op)), element(op, kernel) {}

  void emit() {
    if (isContiguous())
      return emitFlat();
    orderLoops();
    emitOuter(0);
  }

private:
  // --- Bounds -----------------------------------------------------------

  /// The range of a loop that this block cuts.
  std::optional<Range> getCut(unsigned loop) const {
    return row == loop      ? part.rows
           : column == loop ? part.columns
                            : std::nullopt;
  }

  Value getLow(unsigned loop) {
    return getCut(loop) ? getCut(loop)->low : kernel.getConstant(0);
  }
  Value getHigh(unsigned loop) {
    return getCut(loop) ? getCut(loop)->high
                        : kernel.getExtent(extents.getLoop(op, loop));
  }

  // --- One loop over contiguous elements --------------------------------

  bool isContiguous() {
    return op.getNumLoops() >= 2 && !(part.rows && row != 0u) &&
           !part.columns && hasElementOrder(op);
  }

  void emitFlat() {
    Value low = getLow(0), high = getHigh(0);
    for (unsigned loop = 1; loop < op.getNumLoops(); ++loop) {
      Value extent = getHigh(loop);
      low = arith::MulIOp::create(builder, loc, low, extent, kNoWrap);
      high = arith::MulIOp::create(builder, loc, high, extent, kNoWrap);
    }
    auto loop =
        scf::ForOp::create(builder, loc, low, high, kernel.getConstant(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    element.flat = loop.getInductionVar();
    element.emitBody({}, {});
  }

  // --- A nest of loops --------------------------------------------------

  void orderLoops() {
    if (op.getNumLoops() == 0)
      return;
    unsigned inner = getInnermostLoop(op, extents);
    if (row && row != inner)
      order.push_back(*row);
    SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
    for (auto type :
         {utils::IteratorType::parallel, utils::IteratorType::reduction})
      for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
        if (types[loop] == type && loop != inner && row != loop)
          order.push_back(loop);
    order.push_back(inner);
    // The trailing reductions are carried in registers.
    firstCarried = order.size();
    while (firstCarried > 0 &&
           types[order[firstCarried - 1]] == utils::IteratorType::reduction)
      --firstCarried;
  }

  /// True if a result does not change along the trailing reductions.
  bool isCarried(OpOperand *init) {
    AffineMap map = op.getMatchingIndexingMap(init);
    for (unsigned depth = firstCarried; depth < order.size(); ++depth)
      if (map.isFunctionOfDim(order[depth]))
        return false;
    return firstCarried < order.size();
  }

  SmallVector<OpOperand *> getCarried() {
    SmallVector<OpOperand *> carried;
    for (OpOperand &init : op.getDpsInitsMutable())
      if (isCarried(&init))
        carried.push_back(&init);
    return carried;
  }

  void emitOuter(unsigned depth) {
    if (depth == firstCarried)
      return emitCarried();
    auto loop = createLoop(depth, {});
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    emitOuter(depth + 1);
  }

  void emitCarried() {
    SmallVector<Value> values;
    SmallVector<OpOperand *> carried = getCarried();
    for (OpOperand *init : carried)
      values.push_back(element.load(init));
    values = emitInner(firstCarried, values);
    for (auto [init, value] : llvm::zip_equal(carried, values))
      createStore(builder, loc, value, element.getPointer(init));
  }

  SmallVector<Value> emitInner(unsigned depth, ValueRange carried) {
    if (depth == order.size())
      return element.emitBody(getCarried(), carried);
    auto loop = createLoop(depth, carried);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> next = emitInner(depth + 1, loop.getRegionIterArgs());
    if (!carried.empty())
      scf::YieldOp::create(builder, loc, next);
    return llvm::to_vector(ValueRange(loop.getResults()));
  }

  scf::ForOp createLoop(unsigned depth, ValueRange carried) {
    unsigned dim = order[depth];
    auto loop = scf::ForOp::create(builder, loc, getLow(dim), getHigh(dim),
                                   kernel.getConstant(1), carried);
    element.indices[dim] = loop.getInductionVar();
    return loop;
  }

  linalg::LinalgOp op;
  Kernel &kernel;
  Extents &extents;
  const DispatchBlock &part;
  OpBuilder &builder;
  Location loc;
  std::optional<unsigned> row, column;
  SmallVector<unsigned> order;
  unsigned firstCarried = 0;
  Element element;
};

} // namespace

void emitLoopNest(linalg::LinalgOp op, Kernel &kernel,
                  const DispatchBlock &block) {
  LoopNest(op, kernel, block).emit();
}

} // namespace blocks
