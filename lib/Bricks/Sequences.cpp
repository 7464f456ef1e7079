//===- Sequences.cpp - Sequence, FeedforwardSequence, MLP -----------------===//
//
// Bricks that feed each other. Sequence's parts are children, or references to
// bricks elsewhere (which stay theirs: parameters are shared); MLP makes its
// own children linear_0, rectifier_0, linear_1, ….
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/BrickExpander.h"
#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/Chain.h"

using namespace mlir;

namespace blocks {

LogicalResult buildChain(ApplicationBuilder &builder, ArrayRef<Link> links) {
  SmallVector<Value> values(builder.arguments());
  ApplicationOp first, last;
  std::string origin;
  for (const Link &link : links) {
    FailureOr<ApplyOp> applied =
        builder.apply(link.brick, link.application, values, origin);
    if (failed(applied))
      return failure();
    values.assign(applied->result_begin(), applied->result_end());
    last = builder.applicationOf(*applied);
    first = first ? first : last;
    origin = "the output of " + brickPath(link.brick);
  }
  for (Value value : values)
    builder.result(value, "");
  builder.nameLike(first, last);
  return success();
}

LogicalResult buildChainOfChildren(ApplicationBuilder &builder) {
  SmallVector<Link> links;
  for (BrickOp child : builder.children())
    links.push_back(
        {nestedReference(builder.getReference(), child.getSymName())});
  return buildChain(builder, links);
}

namespace {

//===--- Sequence ---------------------------------------------------------===//

constexpr StringLiteral methods = "application_methods";

class Sequence : public BrickKind {
public:
  explicit Sequence(StringRef name) : name(name) {}

private:
  StringRef getName() const override { return name; }
  std::vector<StringRef> getSettings() const override {
    return {methods, weightsInit, biasesInit};
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<ArrayAttr> parts = brick.config.list(methods);
    if (failed(parts))
      return failure();
    if (parts->empty())
      return brick.config.wrong(methods, "at least one brick");
    for (Attribute part : *parts) {
      if (isa<SymbolRefAttr>(part))
        continue;
      auto child = brick.childSpec(methods, part);
      if (failed(child) || failed(brick.child(childName(*child), child->kind,
                                              withoutApplication(*child))))
        return failure();
    }
    return success();
  }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    SmallVector<Link> links;
    ArrayAttr parts = *builder.config.list(methods);
    for (Attribute part : parts)
      links.push_back(linkOf(builder, part));
    return buildChain(builder, links);
  }

  static std::string childName(const BrickDeclaration::ChildSpec &child) {
    return child.name.empty() ? defaultBrickName(child.kind) : child.name;
  }
  static DictionaryAttr
  withoutApplication(const BrickDeclaration::ChildSpec &child) {
    NamedAttrList settings(child.settings);
    settings.erase("application");
    return settings.getDictionary(child.settings.getContext());
  }

  /// A reference is a brick, or a brick's application; the rest are children.
  static Link linkOf(ApplicationBuilder &builder, Attribute part) {
    if (auto reference = dyn_cast<SymbolRefAttr>(part)) {
      SymbolRefAttr parent = parentReference(reference);
      if (!parent || builder.lookupBrick(reference))
        return {reference};
      return {parent, reference.getLeafReference().str()};
    }
    if (auto kind = dyn_cast<StringAttr>(part))
      return {nestedReference(builder.getReference(),
                              defaultBrickName(kind.getValue()))};
    auto settings = cast<DictionaryAttr>(part);
    auto name = settings.getAs<StringAttr>("name");
    auto application = settings.getAs<StringAttr>("application");
    std::string child =
        name ? name.str()
             : defaultBrickName(settings.getAs<StringAttr>("kind").getValue());
    return {nestedReference(builder.getReference(), child),
            application ? application.str() : "apply"};
  }

  StringRef name;
};

//===--- MLP --------------------------------------------------------------===//

class MLP : public BrickKind {
public:
  StringRef getName() const override { return "MLP"; }
  std::vector<StringRef> getSettings() const override {
    return {"activations", "dims",      "use_bias",
            "prototype",   weightsInit, biasesInit};
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<SmallVector<int64_t>> dims = brick.config.positives("dims");
    FailureOr<ArrayAttr> activations = brick.config.list("activations");
    if (failed(dims) || failed(activations))
      return failure();
    if (activations->empty() || dims->size() != activations->size() + 1)
      return brick.config.error()
             << "has " << dims->size() << " dims and " << activations->size()
             << " activations, expected one activation for each layer and one "
                "dimension more: "
             << activations->size() + 1 << " dims";
    for (size_t i = 0; i < activations->size(); ++i)
      if (failed(declareLayer(brick, i, (*dims)[i], (*dims)[i + 1],
                              (*activations)[i])))
        return failure();
    return success();
  }

  /// linear_<i> and its activation.
  LogicalResult declareLayer(BrickDeclaration &brick, size_t i, int64_t input,
                             int64_t output, Attribute activation) const {
    std::string suffix = "_" + std::to_string(i);
    Attribute prototypeText = brick.config.get("prototype");
    auto prototype = brick.childSpec(
        "prototype", prototypeText
                         ? prototypeText
                         : brick.getBuilder().getStringAttr("Linear"));
    if (failed(prototype))
      return failure();
    auto settings = layerSettings(brick, *prototype, input, output);
    if (failed(settings) ||
        failed(brick.child(defaultBrickName(prototype->kind) + suffix,
                           prototype->kind, *settings)))
      return failure();
    return declareActivation(brick, suffix, output, activation);
  }

  /// What stands behind the product of a layer; nothing (unit) means nothing.
  virtual LogicalResult declareActivation(BrickDeclaration &brick,
                                          const std::string &suffix, int64_t,
                                          Attribute activation) const {
    if (isa<UnitAttr>(activation))
      return success();
    auto child = brick.childSpec("activations", activation);
    return failed(child) ? failure()
                         : brick.child(defaultBrickName(child->kind) + suffix,
                                       child->kind, child->settings);
  }

  /// The prototype's settings with the layer's dimensions; use_bias is passed
  /// on only if it was stated.
  FailureOr<DictionaryAttr>
  layerSettings(BrickDeclaration &brick,
                const BrickDeclaration::ChildSpec &prototype, int64_t input,
                int64_t output) const {
    Builder &builder = brick.getBuilder();
    NamedAttrList settings(prototype.settings);
    if (failed(brick.fix(settings, "prototype", "input_dim",
                         builder.getI64IntegerAttr(input))) ||
        failed(brick.fix(settings, "prototype", "output_dim",
                         builder.getI64IntegerAttr(output))))
      return failure();
    if (Attribute useBias = brick.config.get("use_bias");
        useBias && !settings.get("use_bias"))
      settings.set("use_bias", useBias);
    else if (!usesBias() && !settings.get("use_bias"))
      settings.set("use_bias", builder.getBoolAttr(false));
    return settings.getDictionary(builder.getContext());
  }

  /// True if layers have biases where nothing is said.
  virtual bool usesBias() const { return true; }

  LogicalResult build(StringRef, ApplicationBuilder &builder) const override {
    if (failed(builder.takes({"input_"})))
      return failure();
    return buildChainOfChildren(builder);
  }
};

/// Each activation becomes batch_norm_activation_<i>: the normalization, then
/// the activation. Without biases, which the normalization's shifts replace.
class BatchNormalizedMLP : public MLP {
  StringRef getName() const override { return "BatchNormalizedMLP"; }
  std::vector<StringRef> getSettings() const override {
    std::vector<StringRef> settings = MLP::getSettings();
    settings.insert(settings.end(), std::begin(normalization),
                    std::end(normalization));
    return settings;
  }
  bool usesBias() const override { return false; }

  LogicalResult declareActivation(BrickDeclaration &brick,
                                  const std::string &suffix, int64_t output,
                                  Attribute activation) const override {
    if (isa<UnitAttr>(activation))
      return brick.config.wrong("activations",
                                "an activation for each layer; \"Identity\" if "
                                "there is none");
    Builder &builder = brick.getBuilder();
    NamedAttrList settings;
    settings.set("kind", builder.getStringAttr("BatchNormalization"));
    settings.set("input_dim", builder.getI64IntegerAttr(output));
    for (StringRef key : normalization)
      if (Attribute value = brick.config.get(key))
        settings.set(key, value);
    Attribute parts[] = {settings.getDictionary(builder.getContext()),
                         activation};
    NamedAttrList sequence;
    sequence.set(methods, builder.getArrayAttr(parts));
    return brick.child("batch_norm_activation" + suffix, "Sequence",
                       sequence.getDictionary(builder.getContext()));
  }

  static constexpr StringLiteral normalization[] = {
      "conserve_memory", "mean_only", "learn_scale",
      "learn_shift",     "epsilon",   "update_rate"};
};

} // namespace

void addSequenceBricks(BrickLibrary &library) {
  library.add(std::make_unique<Sequence>("Sequence"));
  library.add(std::make_unique<Sequence>("FeedforwardSequence"));
  library.add(std::make_unique<MLP>());
  library.add(std::make_unique<BatchNormalizedMLP>());
}

} // namespace blocks
