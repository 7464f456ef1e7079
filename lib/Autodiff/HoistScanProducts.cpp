//===- HoistScanProducts.cpp - One product for all steps ------------------===//
//
// x_t·W needs no state: all steps' products are one product of (time·batch)
// rows before the loop, which reads its slices. If the factor is not a slice
// but computed from slices (a dropped-out input), a first loop computes it.
//
//===----------------------------------------------------------------------===//
#include "lib/Autodiff/Passes.h"
#include "lib/Autodiff/ScanInvariants.h"
#include "lib/Autodiff/ScanPruning.h"

#include <llvm/ADT/SetVector.h>

namespace blocks {
#define GEN_PASS_DEF_HOISTSCANPRODUCTS
#include "lib/Autodiff/Passes.h.inc"
} // namespace blocks

using namespace mlir;

namespace blocks {
namespace {

RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Works on one scan, which grows by sequences and never loses one.
class ProductHoister {
public:
  explicit ProductHoister(ScanOp scan)
      : scan(scan), body(scan.getBody().front()), builder(scan) {}

  void run();

private:
  bool isInside(Value value) {
    return scan.getBody().isAncestor(value.getParentRegion());
  }
  bool isSlice(Value value) {
    return llvm::is_contained(scan.getSliceArguments(), value);
  }
  Value sequenceOf(Value slice);
  void replaceBySlice(Value value, Value stacked);
  void liftTag(TagOp tag);
  void liftFactor(Value factor);
  void liftProduct(MatmulOp product);
  void hoist(MatmulOp product);
  /// The operations of the body that `value` needs, in order; nothing if it
  /// needs a state.
  std::optional<SmallVector<Operation *>> producers(Value value);

  ScanOp scan;
  Block &body;
  OpBuilder builder; // before the scan
};

Value ProductHoister::sequenceOf(Value slice) {
  return scan.getSequences()[cast<BlockArgument>(slice).getArgNumber() - 1];
}

/// Makes `stacked` a sequence and uses its slice in the place of `value`.
void ProductHoister::replaceBySlice(Value value, Value stacked) {
  scan.getSequencesMutable().append(stacked);
  Value slice = body.insertArgument(scan.getSequences().size(), value.getType(),
                                    value.getLoc());
  value.replaceAllUsesWith(slice);
}

/// An annotated slice is a slice of the annotated sequence.
void ProductHoister::liftTag(TagOp tag) {
  Value tagged = TagOp::create(builder, tag.getLoc(),
                               sequenceOf(tag.getInput()), tag.getAnnotation());
  replaceBySlice(tag, tagged);
  tag.erase();
}

std::optional<SmallVector<Operation *>> ProductHoister::producers(Value value) {
  llvm::SetVector<Value> needed;
  needed.insert(value);
  llvm::SmallPtrSet<Operation *, 8> operations;
  for (size_t i = 0; i < needed.size(); ++i) {
    if (llvm::is_contained(scan.getStateArguments(), needed[i]))
      return std::nullopt;
    Operation *op = needed[i].getDefiningOp();
    if (!op)
      continue;
    if (!isPure(op) || op->getNumRegions() != 0)
      return std::nullopt;
    operations.insert(op);
    for (Value operand : op->getOperands())
      if (isInside(operand))
        needed.insert(operand);
  }
  SmallVector<Operation *> ordered;
  for (Operation &op : body)
    if (operations.contains(&op))
      ordered.push_back(&op);
  return ordered;
}

/// Computes a factor for all steps in a loop without states. Annotations move
/// along if the value is needed only there.
void ProductHoister::liftFactor(Value factor) {
  SmallVector<Operation *> operations = *producers(factor);
  auto stacked = RankedTensorType::get(
      llvm::to_vector(llvm::concat<const int64_t>(
          ArrayRef<int64_t>{scan.getStepCount()}, typeOf(factor).getShape())),
      typeOf(factor).getElementType());
  auto first = ScanOp::create(builder, scan.getLoc(), TypeRange{stacked},
                              scan.getSequences(), ValueRange(),
                              scan.getSteps(), scan.getReverse());
  Block &firstBody = first.getBody().emplaceBlock();
  IRMapping mapping;
  for (BlockArgument argument :
       body.getArguments().take_front(1 + scan.getSequences().size()))
    mapping.map(argument,
                firstBody.addArgument(argument.getType(), argument.getLoc()));
  OpBuilder inner = OpBuilder::atBlockEnd(&firstBody);
  for (Operation *op : operations)
    inner.clone(*op, mapping);
  YieldOp::create(inner, scan.getLoc(), ValueRange(), mapping.lookup(factor));
  replaceBySlice(factor, first.getResult(0));
  for (Operation *op : llvm::reverse(operations))
    if (isOpTriviallyDead(op))
      op->erase();
    else if (isa<TagOp>(op))
      for (Value result : op->getResults()) {
        auto copy = mapping.lookup(result).getDefiningOp<TagOp>();
        copy.getResult().replaceAllUsesWith(copy.getInput());
        copy.erase();
      }
}

/// The product of the merged rows of time and batch.
void ProductHoister::liftProduct(MatmulOp product) {
  Location loc = product.getLoc();
  Value sequence = sequenceOf(product.getLhs()), matrix = product.getRhs();
  SmallVector<ReassociationIndices> groups{{0, 1}, {2}};
  Value rows = tensor::CollapseShapeOp::create(builder, loc, sequence, groups);
  Value all = MatmulOp::create(builder, loc, rows, matrix, false,
                               product.getTransposeRhs());
  int64_t time = typeOf(sequence).getDimSize(0);
  ArrayRef<int64_t> step = typeOf(product.getResult()).getShape();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, sequence);
  sizes[2] = tensor::getMixedSize(builder, loc, all, 1);
  auto type = RankedTensorType::get({time, step[0], step[1]},
                                    typeOf(all).getElementType());
  Value stacked =
      tensor::ExpandShapeOp::create(builder, loc, type, all, groups, sizes);
  replaceBySlice(product.getResult(), stacked);
  product.erase();
}

void ProductHoister::hoist(MatmulOp product) {
  Value factor = product.getLhs();
  if (product.getTransposeLhs() || !isInside(factor) ||
      isInside(product.getRhs()) || !producers(factor))
    return;
  while (auto tag = factor.getDefiningOp<TagOp>()) {
    if (!isSlice(tag.getInput()))
      break;
    liftTag(tag);
    factor = product.getLhs();
  }
  if (!isSlice(factor))
    liftFactor(factor);
  liftProduct(product);
}

void ProductHoister::run() {
  for (MatmulOp product : llvm::make_early_inc_range(body.getOps<MatmulOp>()))
    hoist(product);
  pruneScan(scan); // sequences that only the products read
}

struct HoistScanProducts : impl::HoistScanProductsBase<HoistScanProducts> {
  void runOnOperation() override {
    hoistScanInvariants(getOperation());
    SmallVector<ScanOp> scans;
    getOperation().walk([&](ScanOp scan) { scans.push_back(scan); });
    for (ScanOp scan : scans)
      ProductHoister(scan).run();
  }
};

} // namespace
} // namespace blocks
