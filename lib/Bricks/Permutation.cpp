//===- Permutation.cpp - FixedPermutation ---------------------------------===//
#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/TensorHelpers.h"

#include <mlir/Dialect/Utils/IndexingUtils.h>

using namespace mlir;

namespace blocks {
namespace {

/// Puts the features (the last axis) into the constant order `order`: output j
/// is input order[j]. With `dot` by a product with the permutation's matrix,
/// otherwise by number.
class FixedPermutation : public BrickKind {
  StringRef getName() const override { return "FixedPermutation"; }
  std::vector<StringRef> getSettings() const override {
    return {"order", "dot"};
  }

  static FailureOr<SmallVector<int64_t>> orderOf(const BrickConfig &config) {
    FailureOr<ArrayAttr> list = config.list("order");
    if (failed(list))
      return failure();
    SmallVector<int64_t> order;
    for (Attribute element : *list)
      order.push_back(
          isa<IntegerAttr>(element) ? cast<IntegerAttr>(element).getInt() : -1);
    if (order.empty() || !isPermutationVector(order))
      return config.wrong("order", "a list with each feature's number once, "
                                   "counted from 0");
    return order;
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    return failure(failed(orderOf(brick.config)) ||
                   failed(brick.config.flag("dot", true)));
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"input_"})))
      return failure();
    SmallVector<int64_t> order = *orderOf(builder.config);
    RankedTensorType type = builder.floats(0, 1);
    if (!type || failed(builder.expectExtent(0, type.getRank() - 1,
                                             order.size(), "features")))
      return failure();
    bool dot = *builder.config.flag("dot", true);
    builder.result(dot ? byProduct(builder, order) : byNumber(builder, order),
                   "output_");
    return success();
  }

  static Value byProduct(ApplicationBuilder &builder, ArrayRef<int64_t> order) {
    Location loc = builder.getLoc();
    Value x = builder.argument(0);
    Type element = getElementTypeOrSelf(x.getType());
    int64_t n = order.size();
    int64_t rank = cast<RankedTensorType>(x.getType()).getRank();
    if (rank == 1)
      return byNumber(builder, order);
    SmallVector<Attribute> entries(n * n, builder.ops.getFloatAttr(element, 0));
    for (auto [column, row] : llvm::enumerate(order))
      entries[row * n + column] = builder.ops.getFloatAttr(element, 1);
    auto type = RankedTensorType::get({n, n}, element);
    Value matrix = arith::ConstantOp::create(
        builder.ops, loc, type, DenseElementsAttr::get(type, entries));
    Value rows = rank == 2 ? x : mergeAxes(builder.ops, loc, x, 0, rank - 2);
    Value y = MatmulOp::create(builder.ops, loc, rows, matrix);
    return rank == 2 ? y : splitRowsLike(builder.ops, loc, y, x);
  }

  /// The features as rows, taken in order, and back.
  static Value byNumber(ApplicationBuilder &builder, ArrayRef<int64_t> order) {
    Location loc = builder.getLoc();
    Value x = builder.argument(0);
    auto type = RankedTensorType::get({int64_t(order.size())},
                                      builder.ops.getI64Type());
    Value numbers = arith::ConstantOp::create(
        builder.ops, loc, type, DenseElementsAttr::get(type, order));
    int64_t rank = cast<RankedTensorType>(x.getType()).getRank();
    auto axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::rotate(axes.begin(), axes.end() - 1, axes.end());
    auto first = TransposeOp::create(builder.ops, loc, x, axes);
    Value taken = GatherOp::create(builder.ops, loc, first, numbers);
    return TransposeOp::create(builder.ops, loc, x.getType(), taken,
                               first.getInversePermutation());
  }
};

} // namespace

void addPermutationBricks(BrickLibrary &library) {
  library.add(std::make_unique<FixedPermutation>());
}

} // namespace blocks
