//===- Activations.cpp - Elementwise bricks without parameters ------------===//
//
// Identity, Tanh, Logistic, Softplus, Softsign, Rectifier, LeakyRectifier. Each
// is a function from a value to a value.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/TensorHelpers.h"

using namespace mlir;

namespace blocks {
namespace {

class Activation : public BrickKind {
public:
  using Function = Value (*)(OpBuilder &, Location, Value);
  Activation(StringRef name, Function function)
      : name(name), function(function) {}

  StringRef getName() const override { return name; }
  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"input_"})) || !builder.floats(0, 0))
      return failure();
    builder.result(function(builder.ops, builder.getLoc(), builder.argument(0)),
                   "output");
    return success();
  }

private:
  StringRef name;
  Function function;
};

Value identity(OpBuilder &, Location, Value x) { return x; }
Value tanhOf(OpBuilder &ops, Location loc, Value x) {
  return math::TanhOp::create(ops, loc, x);
}
Value logistic(OpBuilder &ops, Location loc, Value x) {
  return LogisticOp::create(ops, loc, x.getType(), x);
}
Value rectifier(OpBuilder &ops, Location loc, Value x) {
  return RectifierOp::create(ops, loc, x, llvm::APFloat(0.0));
}

/// x / (1 + |x|).
Value softsign(OpBuilder &ops, Location loc, Value x) {
  Value magnitude = math::AbsFOp::create(ops, loc, x);
  Value divisor =
      arith::AddFOp::create(ops, loc, splatLike(ops, loc, 1.0, x), magnitude);
  return arith::DivFOp::create(ops, loc, x, divisor);
}

/// log(1 + e^x). Above 40 it is x to the last bit, even in f64; the exponential
/// is kept from overflowing there, since 0·inf would spoil the gradient.
Value softplus(OpBuilder &ops, Location loc, Value x) {
  Value large = arith::CmpFOp::create(ops, loc, arith::CmpFPredicate::OGT, x,
                                      splatLike(ops, loc, 40.0, x));
  Value small =
      arith::SelectOp::create(ops, loc, large, splatLike(ops, loc, 0.0, x), x);
  Value exponential = math::ExpOp::create(ops, loc, small);
  Value curved = math::Log1pOp::create(ops, loc, exponential);
  return arith::SelectOp::create(ops, loc, large, x, curved);
}

/// max(x, 0) + leak·min(x, 0).
class LeakyRectifier : public BrickKind {
  StringRef getName() const override { return "LeakyRectifier"; }
  std::vector<StringRef> getSettings() const override { return {"leak"}; }
  LogicalResult declare(BrickDeclaration &brick) const override {
    return failure(failed(brick.config.number("leak", 0.01)));
  }
  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"input_"})) || !builder.floats(0, 0))
      return failure();
    double leak = *builder.config.number("leak", 0.01);
    builder.result(RectifierOp::create(builder.ops, builder.getLoc(),
                                       builder.argument(0),
                                       llvm::APFloat(leak)),
                   "output");
    return success();
  }
};

} // namespace

void addActivationBricks(BrickLibrary &library) {
  const std::pair<StringRef, Activation::Function> activations[] = {
      {"Identity", identity}, {"Tanh", tanhOf},       {"Logistic", logistic},
      {"Softplus", softplus}, {"Softsign", softsign}, {"Rectifier", rectifier}};
  for (auto [name, function] : activations)
    library.add(std::make_unique<Activation>(name, function));
  library.add(std::make_unique<LeakyRectifier>());
}

} // namespace blocks
