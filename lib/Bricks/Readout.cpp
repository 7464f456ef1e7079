//===- Readout.cpp - From states and glimpses to outputs ------------------===//
//
// readouts = post_merge(Σ M_k·source_k). The sources are states, glimpses and
// contexts of the generator by name, and "feedback", what was generated before.
// The emitter and the feedback are children, reached through applications of
// the readout.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/Readout.h"

#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/NamedCall.h"

using namespace mlir;

namespace blocks {

SmallVector<std::string> readoutSources(const BrickConfig &config) {
  SmallVector<std::string> names;
  auto list = dyn_cast_or_null<ArrayAttr>(config.get("source_names"));
  for (Attribute name : list ? list.getValue() : ArrayRef<Attribute>())
    if (auto text = dyn_cast<StringAttr>(name))
      names.push_back(text.str());
  return names;
}

namespace {

class Readout : public BrickKind {
  StringRef getName() const override { return "Readout"; }
  std::vector<StringRef> getSettings() const override {
    return {"source_names",   "source_dims",     "readout_dim", "emitter",
            "feedback_brick", "merge_prototype", "post_merge",  "merged_dim",
            weightsInit,      biasesInit};
  }
  std::vector<StringRef> getApplications() const override {
    return {"readout", "emit", "cost", "costs", "initial_outputs", "feedback"};
  }
  std::vector<StringRef> getOptions(StringRef application) const override {
    if (application == "readout")
      return {"arguments"};
    return {};
  }

  //===--- Declaring ------------------------------------------------------===//

  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<int64_t> dim = brick.config.positive("readout_dim");
    FailureOr<ArrayAttr> sources = brick.config.list("source_names");
    FailureOr<SmallVector<int64_t>> dims =
        brick.config.positives("source_dims");
    FailureOr<int64_t> merged = brick.config.get("merged_dim")
                                    ? brick.config.positive("merged_dim")
                                    : dim;
    if (failed(dim) || failed(sources) || failed(dims) || failed(merged))
      return failure();
    return failure(failed(declareParts(brick, *dim)) ||
                   failed(declareMerge(brick, *sources, *merged)) ||
                   failed(declarePart(brick, "post_merge", "Bias", "apply",
                                      {{"dim", *dim}})));
  }

  /// Emitter and feedback. Each class needs a row of the feedback's table, and
  /// so does the output before the first one.
  static LogicalResult declareParts(BrickDeclaration &brick, int64_t dim) {
    if (failed(declarePart(brick, "emitter", "TrivialEmitter", "emit",
                           {{"readout_dim", dim}})) ||
        failed(declarePart(brick, "feedback_brick", "TrivialFeedback",
                           "feedback",
                           {{"output_dim", dim}, {"num_outputs", dim}})))
      return failure();
    auto parts = llvm::to_vector(brick.getBody().getOps<BrickOp>());
    BrickConfig emitter(parts[Emitter]), table(parts[Feedback]);
    Attribute own = emitter.get("readout_dim");
    if (own && own != brick.getBuilder().getI64IntegerAttr(dim))
      return brick.config.error()
             << "has readout_dim = " << dim << ", but its emitter " << own
             << "; leave out the second";
    auto rows = dyn_cast_or_null<IntegerAttr>(table.get("num_outputs"));
    if (!rows || *parts[Emitter].getKind() != "SoftmaxEmitter")
      return success();
    if (rows.getInt() < dim)
      return brick.config.error()
             << "has a feedback_brick for " << rows.getInt() << " outputs, but "
             << dim << " classes can be emitted";
    FailureOr<double> first = emitter.number("initial_output", 0);
    if (succeeded(first) && !(*first >= 0 && *first < double(rows.getInt())))
      return brick.config.error()
             << "has initial_output = " << int64_t(*first)
             << " in its emitter, expected the number of one of the "
             << rows.getInt() << " rows of its feedback_brick, from 0";
    return success();
  }

  /// A child for the setting `key`, whose kind must have the application; what
  /// `known` has is set where the kind takes it and nothing was said.
  static LogicalResult
  declarePart(BrickDeclaration &brick, StringRef key, StringRef otherwise,
              StringRef application,
              ArrayRef<std::pair<StringRef, int64_t>> known) {
    Builder &builder = brick.getBuilder();
    Attribute text = brick.config.get(key);
    auto spec =
        brick.childSpec(key, text ? text : builder.getStringAttr(otherwise));
    if (failed(spec))
      return failure();
    NamedAttrList settings(spec->settings);
    if (const BrickKind *kind = brick.findKind(spec->kind)) {
      if (!llvm::is_contained(kind->getApplications(), application))
        return brick.config.error()
               << "has a " << spec->kind << " as its " << key
               << ", which has no application '" << application
               << "'; take one such as \"" << otherwise << "\"";
      for (auto [name, value] : known)
        if (llvm::is_contained(kind->getSettings(), name) &&
            !settings.get(name))
          settings.set(name, builder.getI64IntegerAttr(value));
    }
    return brick.child(nameOf(*spec), spec->kind,
                       settings.getDictionary(builder.getContext()));
  }

  static LogicalResult declareMerge(BrickDeclaration &brick, ArrayAttr sources,
                                    int64_t merged) {
    NamedAttrList settings;
    settings.set("input_names", sources);
    settings.set("input_dims", brick.config.get("source_dims"));
    settings.set("output_dim", brick.getBuilder().getI64IntegerAttr(merged));
    if (Attribute prototype = brick.config.get("merge_prototype"))
      settings.set("prototype", prototype);
    return brick.child("merge", "Merge",
                       settings.getDictionary(sources.getContext()));
  }

  static std::string nameOf(const BrickDeclaration::ChildSpec &spec) {
    return spec.name.empty() ? defaultBrickName(spec.kind) : spec.name;
  }

  //===--- Applications ---------------------------------------------------===//

  // The children in the order in which they were declared.
  enum Part { Emitter, Feedback, MergeSources, PostMerge };
  static StringRef part(ApplicationBuilder &builder, Part which) {
    return builder.children()[which].getSymName();
  }

  LogicalResult build(StringRef application,
                      ApplicationBuilder &builder) const override {
    if (application == "readout")
      return buildReadout(builder);
    if (application == "cost") {
      if (failed(builder.takes({"readouts", "outputs"})))
        return failure();
      return relay(builder, Emitter, "cost", "cost");
    }
    StringRef argument = application == "feedback"          ? "outputs"
                         : application == "initial_outputs" ? "batch"
                                                            : "readouts";
    if (failed(builder.takes({argument})))
      return failure();
    return relay(builder, application == "feedback" ? Feedback : Emitter,
                 application, application == "emit" ? "outputs" : application);
  }

  static LogicalResult relay(ApplicationBuilder &builder, Part which,
                             StringRef application, StringRef result) {
    SmallVector<Value> inputs(builder.arguments());
    auto value = callOne(builder, part(builder, which), application, inputs);
    if (failed(value))
      return failure();
    builder.result(*value, result);
    return success();
  }

  LogicalResult buildReadout(ApplicationBuilder &builder) const {
    std::vector<ArgumentName> names;
    for (const std::string &source : readoutSources(builder.config))
      names.push_back({source});
    auto values = builder.bindArguments(names);
    if (failed(values))
      return failure();
    SmallVector<Value> sources;
    for (const ArgumentName &name : names)
      sources.push_back((*values)[name.name]);
    auto merged =
        callOne(builder, part(builder, MergeSources), "apply", sources);
    if (failed(merged))
      return failure();
    auto readouts = builder.applyChild(part(builder, PostMerge), *merged);
    if (failed(readouts))
      return failure();
    auto type = dyn_cast<RankedTensorType>(readouts->getType());
    int64_t dim = *builder.config.positive("readout_dim");
    if (!type || type.getRank() == 0 ||
        type.getDimSize(type.getRank() - 1) != dim)
      return builder.error()
             << "has readout_dim = " << dim << ", but its post_merge makes "
             << readouts->getType();
    builder.result(*readouts, "readouts");
    return success();
  }
};

} // namespace

void addReadout(BrickLibrary &library) {
  library.add(std::make_unique<Readout>());
}

} // namespace blocks
