//===- Draw.cpp - The parts of DRAW ---------------------------------------===//
//
// Readers look at the image and at what is missing in the canvas, writers add
// to the canvas, the sampler draws the code between encoder and decoder. The
// loop around them is the model's (docs/bricks.md). Children are named after
// their brick, as in the original.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/AttentionWindow.h"
#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/NamedCall.h"
#include "lib/Bricks/RecurrentLoop.h"
#include "lib/Bricks/TensorHelpers.h"

#include <mlir/Dialect/Math/IR/Math.h>

using namespace mlir;

namespace blocks {
namespace {

std::string childNamed(BrickOp brick, StringRef suffix) {
  return (brick.getSymName() + suffix).str();
}

/// A Linear of the brick, called after it.
LogicalResult declareLinear(BrickDeclaration &brick, StringRef suffix,
                            int64_t input, int64_t output) {
  Builder &builder = brick.getBuilder();
  return brick.child(
      childNamed(brick.getBrick(), suffix), "Linear",
      builder.getDictionaryAttr(
          {builder.getNamedAttr("input_dim", builder.getI64IntegerAttr(input)),
           builder.getNamedAttr("output_dim",
                                builder.getI64IntegerAttr(output))}));
}

/// The sizes of a window's settings; N of 1 would divide by zero.
FailureOr<WindowSizes> sizesOf(const BrickConfig &config) {
  WindowSizes sizes{};
  for (auto [key, value] : {std::pair{"channels", &sizes.channels},
                            {"height", &sizes.height},
                            {"width", &sizes.width},
                            {"N", &sizes.window}}) {
    FailureOr<int64_t> number = config.positive(key);
    if (failed(number))
      return failure();
    // Positions and centres become constants; products stay below 2⁶³.
    constexpr int64_t largest = 1 << 15;
    if (*number > largest)
      return config.wrong(key, "at most " + std::to_string(largest));
    *value = *number;
  }
  if (sizes.window < 2)
    return config.wrong("N", "at least 2 filters in each direction");
  return sizes;
}

/// Checks that argument `i` is (batch, features).
LogicalResult checkRows(ApplicationBuilder &builder, unsigned i,
                        int64_t features) {
  RankedTensorType type = builder.floats(i, 2);
  return failure(!type ||
                 failed(builder.expectExtent(i, 1, features, "features")));
}

//===--- Readers ----------------------------------------------------------===//

/// r = [x, x_hat].
class Reader : public BrickKind {
  StringRef getName() const override { return "Reader"; }
  std::vector<StringRef> getSettings() const override {
    return {"x_dim", "dec_dim"};
  }
  LogicalResult declare(BrickDeclaration &brick) const override {
    return failure(failed(brick.config.positive("x_dim")) ||
                   failed(brick.config.positive("dec_dim")));
  }
  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    int64_t dim = *builder.config.positive("x_dim");
    if (failed(builder.takes({"x", "x_hat", "h_dec"})) ||
        failed(checkRows(builder, 0, dim)) ||
        failed(checkRows(builder, 1, dim)))
      return failure();
    builder.result(joinFeatures(builder.ops, builder.getLoc(),
                                {builder.argument(0), builder.argument(1)}),
                   "r");
    return success();
  }
};

/// The window of both, where a transformation of h_dec puts it.
class AttentionReader : public BrickKind {
  StringRef getName() const override { return "AttentionReader"; }
  std::vector<StringRef> getSettings() const override {
    return {"x_dim", "dec_dim", "channels",  "height",
            "width", "N",       weightsInit, biasesInit};
  }
  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<WindowSizes> sizes = sizesOf(brick.config);
    FailureOr<int64_t> decoder = brick.config.positive("dec_dim");
    if (failed(sizes) || failed(decoder))
      return failure();
    Builder &builder = brick.getBuilder();
    Attribute features = builder.getI64IntegerAttr(sizes->image());
    if (Attribute given = brick.config.get("x_dim"); given && given != features)
      return brick.config.wrong(
          "x_dim", "channels times height times width, which is " +
                       std::to_string(sizes->image()) + "; or leave it out");
    return brick.child(
        "mlp", "MLP",
        builder.getDictionaryAttr(
            {builder.getNamedAttr("activations",
                                  builder.getStrArrayAttr({"Identity"})),
             builder.getNamedAttr("dims",
                                  builder.getI64ArrayAttr({*decoder, 5}))}));
  }
  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    WindowSizes sizes = *sizesOf(builder.config);
    if (failed(builder.takes({"x", "x_hat", "h_dec"})) ||
        failed(checkRows(builder, 0, sizes.image())) ||
        failed(checkRows(builder, 1, sizes.image())))
      return failure();
    FailureOr<Value> place = builder.applyChild("mlp", builder.argument(2));
    if (failed(place))
      return failure();
    AttentionWindow window(builder, sizes, *place);
    Value seen = window.read(builder.argument(0));
    Value missing = window.read(builder.argument(1));
    builder.result(joinFeatures(builder.ops, builder.getLoc(), {seen, missing}),
                   "r");
    return success();
  }
};

//===--- Writers ----------------------------------------------------------===//

class Writer : public BrickKind {
  StringRef getName() const override { return "Writer"; }
  std::vector<StringRef> getSettings() const override {
    return {"input_dim", "output_dim", weightsInit, biasesInit};
  }
  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<int64_t> input = brick.config.positive("input_dim");
    FailureOr<int64_t> output = brick.config.positive("output_dim");
    if (failed(input) || failed(output))
      return failure();
    return declareLinear(brick, "_transform", *input, *output);
  }
  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"h"})))
      return failure();
    auto update = builder.applyChild(
        childNamed(builder.getBrick(), "_transform"), builder.argument(0));
    if (failed(update))
      return failure();
    builder.result(*update, "c_update");
    return success();
  }
};

class AttentionWriter : public BrickKind {
  StringRef getName() const override { return "AttentionWriter"; }
  std::vector<StringRef> getSettings() const override {
    return {"input_dim", "channels",  "height",  "width",
            "N",         weightsInit, biasesInit};
  }
  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<WindowSizes> sizes = sizesOf(brick.config);
    FailureOr<int64_t> input = brick.config.positive("input_dim");
    if (failed(sizes) || failed(input))
      return failure();
    return failure(
        failed(declareLinear(brick, "_ztrafo", *input, 5)) ||
        failed(declareLinear(brick, "_wtrafo", *input, sizes->patch())));
  }
  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"h"})))
      return failure();
    auto place = builder.applyChild(childNamed(builder.getBrick(), "_ztrafo"),
                                    builder.argument(0));
    auto patch = builder.applyChild(childNamed(builder.getBrick(), "_wtrafo"),
                                    builder.argument(0));
    if (failed(place) || failed(patch))
      return failure();
    AttentionWindow window(builder, *sizesOf(builder.config), *place);
    builder.result(window.write(*patch), "c_update");
    return success();
  }
};

//===--- Sampler ----------------------------------------------------------===//

/// z = μ + e^{log σ}·u, and its divergence from a standard normal,
/// Σ(-log σ + (e^{2·log σ} + μ²)/2 - 1/2).
class Qsampler : public BrickKind {
  StringRef getName() const override { return "Qsampler"; }
  std::vector<StringRef> getSettings() const override {
    return {"input_dim", "output_dim", weightsInit, biasesInit};
  }
  std::vector<StringRef> getApplications() const override {
    return {"sample", "sample_from_prior"};
  }
  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<int64_t> input = brick.config.positive("input_dim");
    FailureOr<int64_t> output = brick.config.positive("output_dim");
    if (failed(input) || failed(output))
      return failure();
    return failure(failed(declareLinear(brick, "_mean", *input, *output)) ||
                   failed(declareLinear(brick, "_log_sigma", *input, *output)));
  }

  LogicalResult build(StringRef application,
                      ApplicationBuilder &builder) const override {
    int64_t dim = *builder.config.positive("output_dim");
    if (application == "sample_from_prior") {
      if (failed(builder.takes({"u"})) || failed(checkRows(builder, 0, dim)))
        return failure();
      builder.result(builder.argument(0), "z");
      return success();
    }
    if (failed(builder.takes({"x", "u"})) || failed(checkRows(builder, 1, dim)))
      return failure();
    BrickOp brick = builder.getBrick();
    auto mean =
        builder.applyChild(childNamed(brick, "_mean"), builder.argument(0));
    auto logSigma = builder.applyChild(childNamed(brick, "_log_sigma"),
                                       builder.argument(0));
    if (failed(mean) || failed(logSigma))
      return failure();
    buildSample(builder, *mean, *logSigma, builder.argument(1));
    return success();
  }

  static void buildSample(ApplicationBuilder &builder, Value mean,
                          Value logSigma, Value u) {
    OpBuilder &ops = builder.ops;
    Location loc = builder.getLoc();
    Value sigma = math::ExpOp::create(ops, loc, logSigma);
    Value noise = arith::MulFOp::create(ops, loc, sigma, u);
    builder.result(arith::AddFOp::create(ops, loc, mean, noise), "z");
    Value variance = arith::MulFOp::create(ops, loc, sigma, sigma);
    Value square = arith::MulFOp::create(ops, loc, mean, mean);
    Value sum = arith::AddFOp::create(ops, loc, variance, square);
    Value half = splatLike(ops, loc, 0.5, sum);
    Value halves = arith::SubFOp::create(
        ops, loc, arith::MulFOp::create(ops, loc, sum, half), half);
    Value terms = arith::SubFOp::create(ops, loc, halves, logSigma);
    builder.result(ReduceOp::create(ops, loc, ReduceKind::Sum, terms,
                                    ArrayRef<int64_t>{1}),
                   "kl");
  }
};

} // namespace

void addDrawBricks(BrickLibrary &library) {
  library.add(std::make_unique<Reader>());
  library.add(std::make_unique<AttentionReader>());
  library.add(std::make_unique<Writer>());
  library.add(std::make_unique<AttentionWriter>());
  library.add(std::make_unique<Qsampler>());
}

} // namespace blocks
