// Sums of rows at places that stand in memory (the gradient of a gather). On
// the processor it is a loop over the rows; here each thread walks all rows in
// their order and adds those of its own: one column, and of the places those
// that are its own modulo a fixed number. So every sum has the order of the
// rows, and nothing is added twice.
#include "lib/Conversion/LinalgToCpu/Access.h"
#include "lib/Conversion/LinalgToCpu/Element.h"
#include "lib/Conversion/LinalgToCpu/Place.h"
#include "lib/Conversion/LinalgToGpu/DeviceKernel.h"
#include "lib/Conversion/LinalgToGpu/LaunchDispatch.h"
#include "lib/Conversion/LinalgToGpu/MemberNest.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Arith/Utils/Utils.h>

using namespace mlir;

namespace blocks {

/// Columns, and classes of places, in a block.
static constexpr int64_t kColumns = 32, kClasses = 8;

/// Views of the body that stand at a loaded place.
static SmallVector<memref::SubViewOp> getMovingViews(scf::ForOp loop,
                                                     DeviceEntry &entry) {
  SmallVector<memref::SubViewOp> views;
  for (auto view : loop.getBody()->getOps<memref::SubViewOp>())
    if (llvm::any_of(view.getOffsets(),
                     [&](Value offset) { return entry.isFromMemory(offset); }))
      views.push_back(view);
  return views;
}

bool isScatterLoop(scf::ForOp loop, DeviceEntry &entry) {
  return !getMovingViews(loop, entry).empty();
}

namespace {

class ScatterKernel {
public:
  ScatterKernel(scf::ForOp loop, DeviceEntry &entry)
      : loop(loop), entry(entry), kernel(loop, entry), builder(kernel.builder),
        loc(kernel.loc) {}

  LogicalResult launch() {
    for (Operation &op : loop.getBody()->without_terminator())
      if (auto structured = dyn_cast<linalg::LinalgOp>(op))
        sums.push_back(structured);
    if (sums.size() != 1 || sums.front().getNumReductionLoops() != 0 ||
        getMovingViews(loop, entry).size() != 1)
      return emitNoForm(loop)
             << "a loop over places in memory that does something else than "
                "add rows to one array has no form on a GPU"
             << noFormAdvice("run with --device cpu");
    target = getMovingViews(loop, entry).front();
    OpBuilder host(loop);
    emit();
    Value columns =
        getValueOrCreateConstantIndexOp(host, loop.getLoc(), getColumnCount());
    entry.launch(host, kernel,
                 {entry.divideUp(host, columns, kColumns), kColumns, kClasses});
    loop.erase();
    entry.forgetScalars();
    return success();
  }

private:
  OpFoldResult getColumnCount() {
    auto loops =
        llvm::to_vector(llvm::seq<unsigned>(0, sums.front().getNumLoops()));
    return getIterations(sums.front(), entry.extents, loops);
  }

  Value multiply(Value a, Value b) {
    return arith::MulIOp::create(builder, loc, a, b,
                                 arith::IntegerOverflowFlags::nsw);
  }

  void emit() {
    Value first = multiply(kernel.getBlock(), kernel.getConstant(kColumns));
    column = arith::AddIOp::create(builder, loc, first, kernel.getThreadX());
    Value ownClass = kernel.getThreadY();
    Value isThere =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, column,
                              kernel.getExtent(getColumnCount()));
    auto branch = scf::IfOp::create(builder, loc, isThere, false);
    builder.setInsertionPointToStart(branch.thenBlock());
    auto rows =
        scf::ForOp::create(builder, loc, kernel.getScalar(loop.getLowerBound()),
                           kernel.getScalar(loop.getUpperBound()),
                           kernel.getScalar(loop.getStep()));
    builder.setInsertionPointToStart(rows.getBody());
    kernel.bind(loop.getInductionVar(), rows.getInductionVar());
    emitRow(ownClass);
  }

  void emitRow(Value ownClass) {
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (auto view = dyn_cast<memref::SubViewOp>(op))
        bindView(view);
      else if (op.getNumResults() == 1 &&
               isa<MemRefType>(op.getResult(0).getType()))
        kernel.bind(op.getResult(0), kernel.getPointer(op.getOperand(0)));
      else if (!isa<linalg::LinalgOp>(op))
        kernel.cloneHere(&op);
    }
    Value place = getPlace();
    Value isOwn = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq,
        arith::RemUIOp::create(builder, loc, place,
                               kernel.getConstant(kClasses)),
        ownClass);
    auto branch = scf::IfOp::create(builder, loc, isOwn, false);
    builder.setInsertionPointToStart(branch.thenBlock());
    emitElement(sums.front(), kernel, column);
  }

  /// The place in memory of this row.
  Value getPlace() {
    for (Value offset : target.getOffsets())
      if (entry.isFromMemory(offset))
        return kernel.getScalar(offset);
    llvm_unreachable("the view was chosen for such an offset");
  }

  /// A view that moves with the loop.
  void bindView(memref::SubViewOp view) {
    Value source = view.getSource();
    Value pointer = kernel.getPointer(source);
    for (auto [dim, offset] : llvm::enumerate(view.getMixedOffsets())) {
      if (isZeroInteger(offset))
        continue;
      Value steps = isa<Attribute>(offset)
                        ? kernel.getConstant(*getConstantIntValue(offset))
                        : kernel.getScalar(cast<Value>(offset));
      pointer = createElementPointer(
          builder, loc, view.getType().getElementType(), pointer,
          multiply(steps,
                   kernel.getStride(entry.extents.getStride(source, dim))));
    }
    kernel.bind(view.getResult(), pointer);
  }

  scf::ForOp loop;
  DeviceEntry &entry;
  DeviceKernel kernel;
  OpBuilder &builder;
  Location loc;
  SmallVector<linalg::LinalgOp> sums;
  memref::SubViewOp target;
  Value column;
};

} // namespace

LogicalResult launchScatter(scf::ForOp loop, DeviceEntry &entry) {
  return ScatterKernel(loop, entry).launch();
}

} // namespace blocks
