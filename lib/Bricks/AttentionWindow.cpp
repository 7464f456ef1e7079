//===- AttentionWindow.cpp - A grid of Gaussian filters over an image -----===//
#include "lib/Bricks/AttentionWindow.h"

#include "lib/Bricks/RecurrentLoop.h"
#include "lib/Bricks/TensorHelpers.h"

#include <mlir/Dialect/Math/IR/Math.h>

using namespace mlir;

namespace blocks {

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

AttentionWindow::AttentionWindow(ApplicationBuilder &builder, WindowSizes sizes,
                                 Value parameters)
    : builder(builder), sizes(sizes) {
  OpBuilder &ops = builder.ops;
  Location loc = builder.getLoc();
  // Of an argument, which loops have at hand in both directions.
  batch = tensor::getMixedSize(ops, loc, builder.argument(0), 0);
  double farthest = double(std::max(sizes.height, sizes.width) - 1);
  distance = scaled(math::ExpOp::create(ops, loc, column(parameters, 2)),
                    farthest / double(sizes.window - 1));
  variance = math::ExpOp::create(ops, loc, column(parameters, 3));
  intensity = math::ExpOp::create(ops, loc, column(parameters, 4));
  auto centre = [&](int64_t index, int64_t size) {
    return scaled(column(parameters, index), double(size) / 2,
                  double(size) / 2);
  };
  vertical = filters(centre(0, sizes.height), sizes.height);
  horizontal = filters(centre(1, sizes.width), sizes.width);
}

//===--- Numbers ----------------------------------------------------------===//

/// (batch, 5) → (batch).
Value AttentionWindow::column(Value parameters, int64_t index) {
  Value one = columns(builder.ops, builder.getLoc(), parameters, index, 1);
  return mergeAxes(builder.ops, builder.getLoc(), one, 0, 1);
}

Value AttentionWindow::scaled(Value value, double factor, double shift) {
  OpBuilder &ops = builder.ops;
  Location loc = builder.getLoc();
  Value product = arith::MulFOp::create(ops, loc, value,
                                        splatLike(ops, loc, factor, value));
  if (shift == 0)
    return product;
  return arith::AddFOp::create(ops, loc, product,
                               splatLike(ops, loc, shift, value));
}

Value AttentionWindow::numbers(ArrayRef<double> values) {
  Type element = *builder.config.elementType();
  SmallVector<Attribute> attributes;
  for (double value : values)
    attributes.push_back(builder.ops.getFloatAttr(element, value));
  return arith::ConstantOp::create(
      builder.ops, builder.getLoc(),
      DenseElementsAttr::get(
          RankedTensorType::get({int64_t(values.size())}, element),
          attributes));
}

/// F[i, a] = exp(-(a - μ_i)²/(2σ²)) with μ_i = g + δ·(i - N/2 + 0.5), each row
/// divided by its sum plus 1e-4.
Value AttentionWindow::filters(Value centre, int64_t size) {
  OpBuilder &ops = builder.ops;
  Location loc = builder.getLoc();
  Type element = *builder.config.elementType();
  SmallVector<double> offsets, positions;
  for (int64_t i = 0; i < sizes.window; ++i)
    offsets.push_back(double(i) - double(sizes.window) / 2 + 0.5);
  for (int64_t a = 0; a < size; ++a)
    positions.push_back(double(a));
  Value like = tensor::EmptyOp::create(
      ops, loc,
      SmallVector<OpFoldResult>{batch, ops.getIndexAttr(sizes.window),
                                ops.getIndexAttr(size)},
      element);
  auto spread = [&](Value value, ArrayRef<int64_t> axes) -> Value {
    return BroadcastOp::create(ops, loc, value, like, axes);
  };
  Value shift = arith::MulFOp::create(ops, loc, spread(distance, {0}),
                                      spread(numbers(offsets), {1}));
  Value mean = arith::AddFOp::create(ops, loc, spread(centre, {0}), shift);
  Value apart =
      arith::SubFOp::create(ops, loc, spread(numbers(positions), {2}), mean);
  Value square = arith::MulFOp::create(ops, loc, apart, apart);
  Value exponent = arith::DivFOp::create(ops, loc, square,
                                         spread(scaled(variance, -2), {0}));
  Value raw = math::ExpOp::create(ops, loc, exponent);
  Value sums =
      ReduceOp::create(ops, loc, ReduceKind::Sum, raw, ArrayRef<int64_t>{2});
  Value divisors =
      arith::AddFOp::create(ops, loc, sums, splatLike(ops, loc, 1e-4, sums));
  return arith::DivFOp::create(ops, loc, raw, spread(divisors, {0, 1}));
}

//===--- Shapes -----------------------------------------------------------===//

/// (batch, n) → (batch, extents…).
Value AttentionWindow::split(Value value, ArrayRef<int64_t> extents) {
  OpBuilder &ops = builder.ops;
  Location loc = builder.getLoc();
  SmallVector<int64_t> shape{typeOf(value).getDimSize(0)};
  SmallVector<OpFoldResult> all{batch};
  ReassociationIndices rest;
  for (auto [i, extent] : llvm::enumerate(extents)) {
    shape.push_back(extent);
    all.push_back(ops.getIndexAttr(extent));
    rest.push_back(int64_t(i) + 1);
  }
  SmallVector<ReassociationIndices> groups{{0}, rest};
  return tensor::ExpandShapeOp::create(
      ops, loc, RankedTensorType::get(shape, typeOf(value).getElementType()),
      value, groups, all);
}

Value AttentionWindow::flat(Value value) {
  return mergeAxes(builder.ops, builder.getLoc(), value, 1,
                   typeOf(value).getRank() - 1);
}

/// (batch, outer·inner, last) → (batch, inner, outer·last).
Value AttentionWindow::swapMiddle(Value value, int64_t outer, int64_t inner,
                                  int64_t last) {
  if (outer == 1)
    return split(flat(value), {inner, last});
  Value apart = split(flat(value), {outer, inner, last});
  Value swapped = TransposeOp::create(builder.ops, builder.getLoc(), apart,
                                      ArrayRef<int64_t>{0, 2, 1, 3});
  return split(flat(swapped), {inner, outer * last});
}

//===--- Products ---------------------------------------------------------===//

Value AttentionWindow::product(Value a, Value b, bool ta, bool tb) {
  return BatchMatmulOp::create(builder.ops, builder.getLoc(), a, b, ta, tb);
}

Value AttentionWindow::times(Value value, Value factor) {
  Value spread = BroadcastOp::create(builder.ops, builder.getLoc(), factor,
                                     value, ArrayRef<int64_t>{0});
  return arith::MulFOp::create(builder.ops, builder.getLoc(), value, spread);
}

Value AttentionWindow::read(Value image) {
  auto [channels, height, width, window] = sizes;
  Value rows = split(image, {channels * height, width});
  Value narrow = product(rows, horizontal, false, true);        // (…, C·H, N)
  Value stacked = swapMiddle(narrow, channels, height, window); // (…, H, C·N)
  Value seen = product(vertical, stacked, false, false);        // (…, N, C·N)
  if (channels > 1) {
    Value apart = split(flat(seen), {window, channels, window});
    seen = TransposeOp::create(builder.ops, builder.getLoc(), apart,
                               ArrayRef<int64_t>{0, 2, 1, 3});
  }
  return times(flat(seen), intensity);
}

Value AttentionWindow::write(Value patch) {
  auto [channels, height, width, window] = sizes;
  Value rows = split(patch, {channels * window, window});
  Value wide = product(rows, horizontal, false, false);      // (…, C·N, W)
  Value stacked = swapMiddle(wide, channels, window, width); // (…, N, C·W)
  Value image = product(vertical, stacked, true, false);     // (…, H, C·W)
  if (channels > 1) {
    Value apart = split(flat(image), {height, channels, width});
    image = TransposeOp::create(builder.ops, builder.getLoc(), apart,
                                ArrayRef<int64_t>{0, 2, 1, 3});
  }
  Value drawn = flat(image);
  Value spread = BroadcastOp::create(builder.ops, builder.getLoc(), intensity,
                                     drawn, ArrayRef<int64_t>{0});
  return arith::DivFOp::create(builder.ops, builder.getLoc(), drawn, spread);
}

} // namespace blocks
