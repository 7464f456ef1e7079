//===- Normalization.cpp - Batch and layer normalization ------------------===//
//
// A batch-normalizing application computes with the population's statistics, as
// in evaluation. It also computes those of the batch, under tags with role
// BATCH_NORM_MINIBATCH_ESTIMATE, and gives them as the shape (`like`) of the
// population's: so they are in every graph, cost nothing where they are not
// used, and blocks-batch-normalization (lib/Regularize) puts them into the
// training graph's place (docs/decisions/0010-batch-normalization.md).
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/TensorHelpers.h"

using namespace mlir;

namespace blocks {
namespace {

/// The settings that batch-normalizing bricks share.
constexpr StringLiteral meanOnly = "mean_only", learnScale = "learn_scale",
                        learnShift = "learn_shift";

/// The shape of what is normalized, and along which axes parameters differ.
struct Layout {
  SmallVector<int64_t> dims;
  SmallVector<int64_t> kept; ///< Axes with parameters of their own, from 0.

  /// Of the parameters: 1 along the other axes.
  SmallVector<int64_t> parameterShape() const {
    SmallVector<int64_t> shape(dims.size(), 1);
    for (int64_t axis : kept)
      shape[axis] = dims[axis];
    return shape;
  }
};

class BatchNormalization : public BrickKind {
protected:
  StringRef getName() const override { return "BatchNormalization"; }
  std::vector<StringRef> getSettings() const override {
    return {"input_dim",  "broadcastable", "conserve_memory", "epsilon",
            "scale_init", "shift_init",    meanOnly,          learnScale,
            learnShift,   "update_rate"};
  }

  virtual FailureOr<Layout> layoutOf(const BrickConfig &config) const {
    FailureOr<SmallVector<int64_t>> dims = dimensions(config);
    if (failed(dims))
      return failure();
    Layout layout{*dims, {}};
    Attribute text = config.get("broadcastable");
    auto flags = dyn_cast_or_null<ArrayAttr>(text);
    if (text && (!flags || flags.size() != dims->size() ||
                 !llvm::all_of(flags, llvm::IsaPred<BoolAttr>)))
      return config.wrong("broadcastable",
                          "true or false for each of the input's dimensions");
    for (size_t axis = 0; axis < dims->size(); ++axis)
      if (!flags || !cast<BoolAttr>(flags[axis]).getValue())
        layout.kept.push_back(axis);
    return layout;
  }

  /// A number, or a list.
  static FailureOr<SmallVector<int64_t>> dimensions(const BrickConfig &config) {
    if (isa_and_nonnull<ArrayAttr>(config.get("input_dim")))
      return config.positives("input_dim");
    FailureOr<int64_t> dim = config.positive("input_dim");
    if (failed(dim))
      return failure();
    return SmallVector<int64_t>{*dim};
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<Layout> layout = layoutOf(brick.config);
    FailureOr<double> epsilon = brick.config.number("epsilon", 1e-4);
    FailureOr<double> rate = brick.config.number("update_rate", 0.1);
    if (failed(layout) || failed(epsilon) || failed(rate))
      return failure();
    for (StringRef flag : {StringRef(meanOnly), StringRef(learnScale),
                           StringRef(learnShift), StringRef("conserve_memory")})
      if (failed(brick.config.flag(flag, true)))
        return failure();
    if (!(*epsilon > 0))
      return brick.config.wrong("epsilon", "a positive number");
    if (!(*rate > 0 && *rate <= 1))
      return brick.config.wrong("update_rate", "a number above 0, at most 1");
    return declareParameters(brick, layout->parameterShape());
  }

  static bool hasScale(const BrickConfig &config) {
    return !*config.flag(meanOnly, false) && *config.flag(learnScale, true);
  }
  static bool hasShift(const BrickConfig &config) {
    return *config.flag(learnShift, true);
  }

  static LogicalResult declareParameters(BrickDeclaration &brick,
                                         ArrayRef<int64_t> shape) {
    auto one = cast<InitializerAttrInterface>(ConstantInitAttr::get(
        brick.getBuilder().getContext(), llvm::APFloat(1.0)));
    const BrickConfig &config = brick.config;
    if (hasShift(config) &&
        failed(brick.parameter("batch_norm_shift", shape,
                               Role::BatchNormShiftParameter, "shift_init")))
      return failure();
    if (hasScale(config) &&
        failed(brick.parameter("batch_norm_scale", shape,
                               Role::BatchNormScaleParameter, "scale_init",
                               one)))
      return failure();
    if (failed(brick.parameter("population_mean", shape,
                               Role::BatchNormPopulationMean, "")))
      return failure();
    if (*config.flag(meanOnly, false))
      return success();
    return brick.parameter("population_stdev", shape,
                           Role::BatchNormPopulationStdev, "", one);
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"input_"})))
      return failure();
    Layout layout = *layoutOf(builder.config);
    RankedTensorType type = builder.floats(0, layout.dims.size() + 1);
    if (!type || failed(checkShape(builder, layout, type)))
      return failure();
    builder.result(Body(builder, layout).build(), "output");
    return success();
  }

  static LogicalResult checkShape(ApplicationBuilder &builder,
                                  const Layout &layout, RankedTensorType type) {
    if (type.getRank() != int64_t(layout.dims.size()) + 1)
      return builder.error()
             << "takes an input of " << layout.dims.size() + 1
             << " axes, the batch first, found" << builder.originText()
             << " shape " << shapeText(type);
    for (auto [axis, extent] : llvm::enumerate(layout.dims))
      if (failed(builder.expectExtent(0, axis + 1, extent, "features")))
        return failure();
    return success();
  }

  /// Builds one application.
  class Body {
  public:
    Body(ApplicationBuilder &builder, const Layout &layout)
        : builder(builder), ops(builder.ops), loc(builder.getLoc()),
          layout(layout), x(builder.argument(0)) {
      for (int64_t axis : layout.kept)
        wide.push_back(axis + 1);
      for (int64_t axis = 0; axis <= int64_t(layout.dims.size()); ++axis)
        if (!llvm::is_contained(wide, axis))
          reduced.push_back(axis);
    }

    /// (x - m)/s·scale + shift.
    Value build() {
      Value mean = meanOver(ops, loc, x, reduced);
      Value estimated = arith::SubFOp::create(ops, loc, x, spread(mean));
      Value y = arith::SubFOp::create(
          ops, loc, x,
          spread(population("population_mean", mean, "mean", "offset",
                            Role::BatchNormOffset)));
      if (!*builder.config.flag(meanOnly, false))
        y = arith::DivFOp::create(
            ops, loc, y,
            spread(population("population_stdev", deviation(estimated), "stdev",
                              "divisor", Role::BatchNormDivisor)));
      if (hasScale(builder.config))
        y = arith::MulFOp::create(ops, loc, y,
                                  spread(parameter("batch_norm_scale")));
      if (hasShift(builder.config))
        y = arith::AddFOp::create(ops, loc, y,
                                  spread(parameter("batch_norm_shift")));
      return y;
    }

  private:
    /// √(mean of squares + epsilon).
    Value deviation(Value difference) {
      Value square = arith::MulFOp::create(ops, loc, difference, difference);
      Value variance = meanOver(ops, loc, square, reduced);
      double epsilon = *builder.config.number("epsilon", 1e-4);
      Value positive = arith::AddFOp::create(
          ops, loc, variance, splatLike(ops, loc, epsilon, variance));
      return math::SqrtOp::create(ops, loc, positive);
    }

    /// The statistic `state` of the population, beside the batch's `estimate`.
    Value population(StringRef state, Value estimate, StringRef estimateName,
                     StringRef name, Role role) {
      estimate = builder.auxiliary(estimate, estimateName,
                                   Role::BatchNormMinibatchEstimate);
      SmallVector<int64_t> all =
          llvm::to_vector(llvm::seq<int64_t>(0, layout.kept.size()));
      Value value =
          BroadcastOp::create(ops, loc, parameter(state), estimate, all);
      return builder.auxiliary(value, name, role);
    }

    /// A parameter without the axes along which it is 1.
    Value parameter(StringRef name) {
      Value value = builder.parameter(name);
      if (layout.kept.size() == layout.dims.size())
        return value;
      return tensor::CollapseShapeOp::create(ops, loc, value, groups());
    }

    /// Axes of extent 1 join the kept one before them, or the first.
    SmallVector<ReassociationIndices> groups() {
      SmallVector<ReassociationIndices> groups(layout.kept.size());
      unsigned group = 0;
      for (int64_t axis = 0; axis < int64_t(layout.dims.size()); ++axis) {
        if (groups.empty())
          break;
        while (group + 1 < groups.size() && layout.kept[group + 1] <= axis)
          ++group;
        groups[group].push_back(axis);
      }
      return groups;
    }

    Value spread(Value value) {
      return BroadcastOp::create(ops, loc, value, x, wide);
    }

    ApplicationBuilder &builder;
    OpBuilder &ops;
    Location loc;
    const Layout &layout;
    Value x;
    SmallVector<int64_t> wide, reduced; ///< Axes of x.
  };
};

/// Statistics for each channel: (channels, …) with the other axes broadcast.
class SpatialBatchNormalization : public BatchNormalization {
  StringRef getName() const override { return "SpatialBatchNormalization"; }
  std::vector<StringRef> getSettings() const override {
    std::vector<StringRef> settings = BatchNormalization::getSettings();
    llvm::erase(settings, StringRef("broadcastable"));
    return settings;
  }
  FailureOr<Layout> layoutOf(const BrickConfig &config) const override {
    FailureOr<SmallVector<int64_t>> dims = dimensions(config);
    if (failed(dims))
      return failure();
    if (dims->size() < 2)
      return config.wrong("input_dim", "a list of at least two: channels, and "
                                       "the extents of an image");
    return Layout{*dims, {0}};
  }
};

/// (x - mean)/√(variance + epsilon)·scale + shift, of each row by itself.
class LayerNormalization : public BrickKind {
  StringRef getName() const override { return "LayerNormalization"; }
  std::vector<StringRef> getSettings() const override {
    return {"dim", "epsilon", "scale_init", "shift_init"};
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<int64_t> dim = brick.config.positive("dim");
    FailureOr<double> epsilon = brick.config.number("epsilon", 1e-5);
    if (failed(dim) || failed(epsilon))
      return failure();
    if (!(*epsilon > 0))
      return brick.config.wrong("epsilon", "a positive number");
    auto one = cast<InitializerAttrInterface>(ConstantInitAttr::get(
        brick.getBuilder().getContext(), llvm::APFloat(1.0)));
    if (failed(brick.parameter("scale", {*dim}, Role::Parameter, "scale_init",
                               one)))
      return failure();
    return brick.parameter("shift", {*dim}, Role::Bias, "shift_init");
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"input_"})))
      return failure();
    RankedTensorType type = builder.floats(0, 1);
    int64_t dim = *builder.config.positive("dim");
    if (!type ||
        failed(builder.expectExtent(0, type.getRank() - 1, dim, "features")))
      return failure();
    builder.result(normalized(builder), "output");
    return success();
  }

  static Value normalized(ApplicationBuilder &builder) {
    OpBuilder &ops = builder.ops;
    Location loc = builder.getLoc();
    Value x = builder.argument(0);
    int64_t last = cast<RankedTensorType>(x.getType()).getRank() - 1;
    auto rows = llvm::to_vector(llvm::seq<int64_t>(0, last));
    auto spread = [&](Value value, ArrayRef<int64_t> axes) -> Value {
      return BroadcastOp::create(ops, loc, value, x, axes);
    };
    Value mean = meanOver(ops, loc, x, last);
    Value centred = arith::SubFOp::create(ops, loc, x, spread(mean, rows));
    Value square = arith::MulFOp::create(ops, loc, centred, centred);
    Value variance = meanOver(ops, loc, square, last);
    double epsilon = *builder.config.number("epsilon", 1e-5);
    Value positive = arith::AddFOp::create(
        ops, loc, variance, splatLike(ops, loc, epsilon, variance));
    Value stdev = math::SqrtOp::create(ops, loc, positive);
    Value y = arith::DivFOp::create(ops, loc, centred, spread(stdev, rows));
    y = arith::MulFOp::create(ops, loc, y,
                              spread(builder.parameter("scale"), last));
    return arith::AddFOp::create(ops, loc, y,
                                 spread(builder.parameter("shift"), last));
  }
};

} // namespace

void addNormalizationBricks(BrickLibrary &library) {
  library.add(std::make_unique<BatchNormalization>());
  library.add(std::make_unique<SpatialBatchNormalization>());
  library.add(std::make_unique<LayerNormalization>());
}

} // namespace blocks
