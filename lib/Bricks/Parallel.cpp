//===- Parallel.cpp - Parallel, Fork, Distribute, Merge -------------------===//
//
// Copies of a prototype side by side, one for each name: of several inputs, of
// several outputs, or of both. The children are `transform_<name>` (Parallel,
// Merge) or `fork_<name>` (Fork, Distribute), as in Blocks.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickLibrary.h"

using namespace mlir;

namespace blocks {
namespace {

/// A brick whose children are copies of `prototype` with dimensions.
class Copies : public BrickKind {
protected:
  /// What a copy is called, and its dimensions.
  struct Copy {
    std::string name;
    int64_t input, output;
  };

  /// The names of a setting.
  static FailureOr<SmallVector<std::string>> names(const BrickConfig &config,
                                                   StringRef key) {
    FailureOr<ArrayAttr> list = config.list(key);
    if (failed(list))
      return failure();
    SmallVector<std::string> names;
    for (Attribute element : *list) {
      auto name = dyn_cast<StringAttr>(element);
      if (!name || llvm::is_contained(names, name.getValue()))
        return config.wrong(key, "a list of different names");
      names.push_back(name.str());
    }
    if (names.empty())
      return config.wrong(key, "at least one name");
    return names;
  }

  /// One dimension for each name.
  static FailureOr<SmallVector<int64_t>> dimensions(const BrickConfig &config,
                                                    StringRef key,
                                                    StringRef namesKey,
                                                    size_t count) {
    FailureOr<SmallVector<int64_t>> dims = config.positives(key);
    if (failed(dims) || dims->size() == count)
      return dims;
    return config.error() << "has " << dims->size() << " " << key << " for the "
                          << count << " " << namesKey;
  }

  /// Declares the copies. Without a prototype it is a Linear, which has a bias
  /// if `useBias`.
  static LogicalResult declareCopies(BrickDeclaration &brick, StringRef prefix,
                                     bool useBias, ArrayRef<Copy> copies) {
    Builder &builder = brick.getBuilder();
    Attribute text = brick.config.get("prototype");
    bool isDefault = !text;
    if (isDefault)
      text = builder.getStringAttr("Linear");
    auto prototype = brick.childSpec("prototype", text);
    if (failed(prototype))
      return failure();
    for (const Copy &copy : copies) {
      NamedAttrList settings(prototype->settings);
      if (failed(brick.fix(settings, "prototype", "input_dim",
                           builder.getI64IntegerAttr(copy.input))) ||
          failed(brick.fix(settings, "prototype", "output_dim",
                           builder.getI64IntegerAttr(copy.output))))
        return failure();
      if (isDefault)
        settings.set("use_bias", builder.getBoolAttr(useBias));
      if (Attribute stated = brick.config.get("use_bias");
          stated && (isDefault || !settings.get("use_bias")))
        settings.set("use_bias", stated);
      if (failed(brick.child((prefix + "_" + copy.name).str(), prototype->kind,
                             settings.getDictionary(builder.getContext()))))
        return failure();
    }
    return success();
  }

  /// Names the arguments.
  static LogicalResult takes(ApplicationBuilder &builder,
                             ArrayRef<std::string> names) {
    return builder.takes(
        llvm::to_vector_of<StringRef>(llvm::ArrayRef<std::string>(names)));
  }

  static FailureOr<Value> applyCopy(ApplicationBuilder &builder,
                                    StringRef prefix, StringRef name,
                                    Value input) {
    return builder.applyChild((prefix + "_" + name).str(), input);
  }

  /// a + b; reports a type that does not fit.
  static FailureOr<Value> add(ApplicationBuilder &builder, Value a, Value b,
                              StringRef what) {
    if (a.getType() == b.getType())
      return Value(arith::AddFOp::create(builder.ops, builder.getLoc(), a, b));
    return builder.error() << "adds " << what << " of type " << b.getType()
                           << " to one of type " << a.getType()
                           << "; they must be equal";
  }
};

/// Each input through its own copy.
class Parallel : public Copies {
  StringRef getName() const override { return "Parallel"; }
  std::vector<StringRef> getSettings() const override {
    return {"input_names",  "input_dims", "output_dims", "prototype",
            "child_prefix", "use_bias",   weightsInit,   biasesInit};
  }

  static std::string prefix(const BrickConfig &config) {
    auto given = dyn_cast_or_null<StringAttr>(config.get("child_prefix"));
    return given ? given.str() : "transform";
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    auto inputs = names(brick.config, "input_names");
    if (failed(inputs))
      return failure();
    if (Attribute prefix = brick.config.get("child_prefix");
        prefix && !isa<StringAttr>(prefix))
      return brick.config.wrong("child_prefix", "a name");
    auto from =
        dimensions(brick.config, "input_dims", "input_names", inputs->size());
    auto to =
        dimensions(brick.config, "output_dims", "input_names", inputs->size());
    if (failed(from) || failed(to))
      return failure();
    SmallVector<Copy> copies;
    for (auto [name, input, output] : llvm::zip(*inputs, *from, *to))
      copies.push_back({name, input, output});
    return declareCopies(brick, prefix(brick.config), /*useBias=*/true, copies);
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    auto inputs = *names(builder.config, "input_names");
    if (failed(takes(builder, inputs)))
      return failure();
    for (auto [i, name] : llvm::enumerate(inputs)) {
      FailureOr<Value> output =
          applyCopy(builder, prefix(builder.config), name, builder.argument(i));
      if (failed(output))
        return failure();
      builder.result(*output, name);
    }
    return success();
  }
};

/// One input through all copies.
class Fork : public Copies {
  StringRef getName() const override { return "Fork"; }
  std::vector<StringRef> getSettings() const override {
    return {"output_names", "input_dim", "output_dims", "prototype",
            "use_bias",     weightsInit, biasesInit};
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    auto outputs = names(brick.config, "output_names");
    FailureOr<int64_t> input = brick.config.positive("input_dim");
    if (failed(outputs) || failed(input))
      return failure();
    auto dims = dimensions(brick.config, "output_dims", "output_names",
                           outputs->size());
    if (failed(dims))
      return failure();
    SmallVector<Copy> copies;
    for (auto [name, output] : llvm::zip(*outputs, *dims))
      copies.push_back({name, *input, output});
    return declareCopies(brick, "fork", /*useBias=*/true, copies);
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"input_"})))
      return failure();
    auto outputs = *names(builder.config, "output_names");
    for (const std::string &name : outputs) {
      FailureOr<Value> output =
          applyCopy(builder, "fork", name, builder.argument(0));
      if (failed(output))
        return failure();
      builder.result(*output, name);
    }
    return success();
  }
};

/// Adds to each target its copy of the source.
class Distribute : public Copies {
  StringRef getName() const override { return "Distribute"; }
  std::vector<StringRef> getSettings() const override {
    return {"target_names", "source_name", "target_dims", "source_dim",
            "prototype",    "use_bias",    weightsInit,   biasesInit};
  }

  static StringAttr sourceName(const BrickConfig &config) {
    return dyn_cast_or_null<StringAttr>(config.get("source_name"));
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    auto targets = names(brick.config, "target_names");
    FailureOr<int64_t> source = brick.config.positive("source_dim");
    if (failed(targets) || failed(source))
      return failure();
    StringAttr name = sourceName(brick.config);
    if (!name || llvm::is_contained(*targets, name.getValue()))
      return brick.config.error()
             << "needs the setting 'source_name', a name that is none of the "
                "target_names";
    auto dims = dimensions(brick.config, "target_dims", "target_names",
                           targets->size());
    if (failed(dims))
      return failure();
    SmallVector<Copy> copies;
    for (auto [target, dim] : llvm::zip(*targets, *dims))
      copies.push_back({target, *source, dim});
    return declareCopies(brick, "fork", /*useBias=*/false, copies);
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    auto targets = *names(builder.config, "target_names");
    SmallVector<std::string> arguments{sourceName(builder.config).str()};
    llvm::append_range(arguments, targets);
    if (failed(takes(builder, arguments)))
      return failure();
    for (auto [i, name] : llvm::enumerate(targets)) {
      FailureOr<Value> part =
          applyCopy(builder, "fork", name, builder.argument(0));
      if (failed(part))
        return failure();
      FailureOr<Value> sum =
          add(builder, builder.argument(i + 1), *part, "a source");
      if (failed(sum))
        return failure();
      builder.result(*sum, name);
    }
    return success();
  }
};

/// The sum of the copies of all inputs. An input without the leading axes of
/// the others (one row for each example, beside sequences) is repeated along
/// them, after its product.
class Merge : public Copies {
  StringRef getName() const override { return "Merge"; }
  std::vector<StringRef> getSettings() const override {
    return {"input_names", "input_dims", "output_dim", "prototype",
            "use_bias",    weightsInit,  biasesInit};
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    auto inputs = names(brick.config, "input_names");
    FailureOr<int64_t> output = brick.config.positive("output_dim");
    if (failed(inputs) || failed(output))
      return failure();
    auto dims =
        dimensions(brick.config, "input_dims", "input_names", inputs->size());
    if (failed(dims))
      return failure();
    SmallVector<Copy> copies;
    for (auto [name, dim] : llvm::zip(*inputs, *dims))
      copies.push_back({name, dim, *output});
    return declareCopies(brick, "transform", /*useBias=*/false, copies);
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    auto inputs = *names(builder.config, "input_names");
    if (failed(takes(builder, inputs)))
      return failure();
    SmallVector<Value> parts;
    for (auto [i, name] : llvm::enumerate(inputs)) {
      FailureOr<Value> part =
          applyCopy(builder, "transform", name, builder.argument(i));
      if (failed(part))
        return failure();
      parts.push_back(*part);
    }
    Value widest = *llvm::max_element(parts, [](Value a, Value b) {
      return typeOf(a).getRank() < typeOf(b).getRank();
    });
    Value total;
    for (Value part : parts) {
      Value wide = repeatedLike(builder, part, widest);
      if (!total) {
        total = wide;
        continue;
      }
      FailureOr<Value> sum = add(builder, total, wide, "an input");
      if (failed(sum))
        return failure();
      total = *sum;
    }
    builder.result(total, "output");
    return success();
  }

  static RankedTensorType typeOf(Value value) {
    return cast<RankedTensorType>(value.getType());
  }

  /// `value` along the leading axes of `like` that it lacks; as it is if its
  /// own do not fit.
  static Value repeatedLike(ApplicationBuilder &builder, Value value,
                            Value like) {
    RankedTensorType type = typeOf(value), wide = typeOf(like);
    int64_t lacking = wide.getRank() - type.getRank();
    if (lacking == 0 || wide.getShape().drop_front(lacking) != type.getShape())
      return value;
    return BroadcastOp::create(
        builder.ops, builder.getLoc(), value, like,
        llvm::to_vector(llvm::seq<int64_t>(lacking, wide.getRank())));
  }
};

} // namespace

void addParallelBricks(BrickLibrary &library) {
  library.add(std::make_unique<Parallel>());
  library.add(std::make_unique<Fork>());
  library.add(std::make_unique<Distribute>());
  library.add(std::make_unique<Merge>());
}

} // namespace blocks
