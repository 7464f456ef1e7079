//===- RecurrentStack.cpp - RecurrentStack --------------------------------===//
//
// Transitions one above the other. What belongs to layer l > 0 has the suffix
// `#l` (`states#1`, `inputs#1`); masks and contexts are shared, without a
// suffix. The states of a layer reach the next one through a Fork; with skip
// connections each layer also takes inputs of its own.
//
// By default each layer runs over the whole sequence before the next one
// starts, so that the fork's products are made for all steps at once. The
// option `low_memory` makes one loop whose step goes through all layers.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/NamedCall.h"
#include "lib/Bricks/RecurrentBrick.h"

using namespace mlir;

namespace blocks {
namespace {

constexpr StringLiteral transitions = "transitions";

/// The name of layer `layer`'s value.
std::string suffixed(StringRef name, unsigned layer) {
  return layer == 0 ? name.str() : (name + "#" + Twine(layer)).str();
}

/// One layer: a child that steps.
struct Layer {
  mutable BrickOp brick;
  const RecurrentBrick *kind;
  StepSignature signature;

  /// The sequences that the fork below feeds: all but masks.
  std::vector<StepValue> fed() const {
    std::vector<StepValue> values;
    for (const StepValue &sequence : signature.sequences)
      if (!sequence.optional)
        values.push_back(sequence);
    return values;
  }
};

class RecurrentStack : public RecurrentBrick {
  StringRef getName() const override { return "RecurrentStack"; }
  std::vector<StringRef> getSettings() const override {
    return {transitions,        "fork_prototype", "states_name",
            "skip_connections", weightsInit,      biasesInit};
  }
  std::vector<StringRef> getOptions(StringRef application) const override {
    std::vector<StringRef> options = RecurrentBrick::getOptions(application);
    if (application == "apply")
      options.push_back("low_memory");
    return options;
  }

  //===--- Declaring ------------------------------------------------------===//

  LogicalResult declare(BrickDeclaration &brick) const override {
    FailureOr<ArrayAttr> list = brick.config.list(transitions);
    if (failed(list) || failed(brick.config.flag("skip_connections", false)))
      return failure();
    if (Attribute name = brick.config.get("states_name");
        name && !isa<StringAttr>(name))
      return brick.config.wrong("states_name", "the name of a state");
    if (list->empty())
      return brick.config.wrong(transitions, "at least one recurrent brick");
    for (auto [i, text] : llvm::enumerate(*list))
      if (failed(declareTransition(brick, i, text)))
        return failure();
    std::vector<Layer> layers = layersOf(brick.getBrick(), brick.getLibrary());
    for (unsigned i = 1; i < layers.size(); ++i)
      if (failed(declareFork(brick, i, layers)))
        return failure();
    return success();
  }

  /// `<name>#<layer>`, declared at once, since forks need its dimensions.
  static LogicalResult declareTransition(BrickDeclaration &brick,
                                         unsigned layer, Attribute text) {
    auto spec = brick.childSpec(transitions, text);
    if (failed(spec))
      return failure();
    const BrickKind *kind = brick.findKind(spec->kind);
    if (kind && !kind->asRecurrent())
      return brick.config.error()
             << "has " << text << " in " << transitions
             << ", which does not step over sequences; take recurrent bricks "
                "such as \"LSTM\"";
    std::string name =
        spec->name.empty() ? defaultBrickName(spec->kind) : spec->name;
    name += "#" + std::to_string(layer);
    if (failed(brick.child(name, spec->kind, spec->settings)))
      return failure();
    return brick.declareChild(name);
  }

  LogicalResult declareFork(BrickDeclaration &brick, unsigned layer,
                            ArrayRef<Layer> layers) const {
    Builder &builder = brick.getBuilder();
    int64_t below = 0;
    std::string states = statesName(brick.config).str();
    for (const StepValue &output : layers[layer - 1].signature.outputs)
      if (output.name == states)
        below = output.dim;
    if (below == 0)
      return brick.config.error()
             << "has the transition '" << layers[layer - 1].brick.getSymName()
             << "' without outputs '" << states
             << "'; say what goes up in states_name";
    SmallVector<Attribute> names, dims;
    for (const StepValue &value : layers[layer].fed()) {
      names.push_back(builder.getStringAttr(value.name));
      dims.push_back(builder.getI64IntegerAttr(value.dim));
    }
    NamedAttrList settings;
    settings.set("output_names", builder.getArrayAttr(names));
    settings.set("input_dim", builder.getI64IntegerAttr(below));
    settings.set("output_dims", builder.getArrayAttr(dims));
    if (Attribute prototype = brick.config.get("fork_prototype"))
      settings.set("prototype", prototype);
    else if (*brick.config.flag("skip_connections", false))
      settings.set(
          "prototype",
          builder.getDictionaryAttr(
              {builder.getNamedAttr("kind", builder.getStringAttr("Linear")),
               builder.getNamedAttr("use_bias", builder.getBoolAttr(false))}));
    return brick.child(forkName(layer), "Fork",
                       settings.getDictionary(builder.getContext()));
  }

  static std::string forkName(unsigned layer) {
    return "fork_" + std::to_string(layer);
  }
  static StringRef statesName(const BrickConfig &config) {
    auto name = dyn_cast_or_null<StringAttr>(config.get("states_name"));
    return name ? name.getValue() : StringRef("states");
  }

  //===--- Names ----------------------------------------------------------===//

  static std::vector<Layer> layersOf(BrickOp brick,
                                     const BrickLibrary &library) {
    std::vector<Layer> layers;
    for (auto child : brick.getBodyBlock().getOps<BrickOp>()) {
      const BrickKind *kind = library.find(*child.getKind());
      if (!kind || !kind->asRecurrent() ||
          !child.getSymName().ends_with("#" + std::to_string(layers.size())))
        continue;
      const RecurrentBrick *recurrent = kind->asRecurrent();
      layers.push_back(
          {child, recurrent, recurrent->getSignature(child, library)});
    }
    return layers;
  }

  /// Adds `value` unless one of its name is there.
  static void addOnce(std::vector<StepValue> &values, const StepValue &value) {
    if (llvm::none_of(values, [&](const StepValue &known) {
          return known.name == value.name;
        }))
      values.push_back(value);
  }

  StepSignature getSignature(BrickOp brick,
                             const BrickLibrary &library) const override {
    bool skips = *BrickConfig(brick).flag("skip_connections", false);
    StepSignature whole;
    std::vector<StepValue> masks;
    for (auto [i, layer] : llvm::enumerate(layersOf(brick, library))) {
      for (const StepValue &sequence : layer.signature.sequences)
        if (sequence.optional)
          addOnce(masks, sequence);
        else if (i == 0 || skips)
          whole.sequences.push_back({suffixed(sequence.name, i), sequence.dim});
      for (const StepValue &state : layer.signature.states)
        whole.states.push_back({suffixed(state.name, i), state.dim});
      for (const StepValue &output : layer.signature.outputs)
        whole.outputs.push_back({suffixed(output.name, i), output.dim});
      for (const StepValue &context : layer.signature.contexts)
        addOnce(whole.contexts, context);
    }
    llvm::append_range(whole.sequences, masks);
    return whole;
  }

  //===--- Applications ---------------------------------------------------===//

  /// Applies layer `i` to its values of `all`; `below` is what the layer below
  /// gives, null for the first.
  FailureOr<NamedValues> applyLayer(ApplicationBuilder &builder, unsigned i,
                                    const Layer &layer, const NamedValues &all,
                                    Value below, NamedAttrList options) const {
    NamedValues own;
    for (const auto *values :
         {&layer.signature.sequences, &layer.signature.states})
      for (const StepValue &value : *values) {
        std::string outer =
            value.optional ? value.name : suffixed(value.name, i);
        if (Value found = all[outer])
          own.set(value.name, found);
      }
    for (const StepValue &context : layer.signature.contexts)
      if (Value found = all[context.name])
        own.set(context.name, found);
    if (below && failed(addFork(builder, i, layer, below, own)))
      return failure();
    return callChild(builder, layer.brick.getSymName(), "apply", own,
                     std::move(options));
  }

  /// Adds what comes through the fork to the layer's own inputs.
  LogicalResult addFork(ApplicationBuilder &builder, unsigned i,
                        const Layer &layer, Value below,
                        NamedValues &own) const {
    auto forked = builder.apply(
        nestedReference(builder.getReference(), forkName(i)), "apply", below);
    if (failed(forked))
      return failure();
    for (auto [value, result] : llvm::zip(layer.fed(), forked->getResults())) {
      Value skipped = own[value.name];
      own.set(value.name,
              skipped ? arith::AddFOp::create(builder.ops, builder.getLoc(),
                                              result, skipped)
                            .getResult()
                      : Value(result));
    }
    return success();
  }

  /// All layers, each on the one below; gives all outputs in order. `finals`
  /// takes the states after the last step, if the options ask for them.
  FailureOr<SmallVector<Value>> applyLayers(ApplicationBuilder &builder,
                                            const NamedValues &values,
                                            const NamedAttrList &options,
                                            NamedValues &finals) const {
    SmallVector<Value> outputs;
    Value below;
    std::string states = statesName(builder.config).str();
    for (auto [i, layer] :
         llvm::enumerate(layersOf(builder.getBrick(), builder.getLibrary()))) {
      auto applied = applyLayer(builder, i, layer, values, below, options);
      if (failed(applied))
        return failure();
      for (const StepValue &output : layer.signature.outputs) {
        Value value = (*applied)[output.name];
        outputs.push_back(value);
        if (output.name == states)
          below = value;
        if (Value last = (*applied)[finalName(output.name)])
          finals.set(finalName(suffixed(output.name, i)), last);
      }
    }
    return outputs;
  }

  FailureOr<SmallVector<Value>>
  buildStep(ApplicationBuilder &builder,
            const NamedValues &values) const override {
    NamedAttrList options;
    options.set("iterate", builder.ops.getBoolAttr(false));
    NamedValues finals;
    return applyLayers(builder, values, options, finals);
  }

  LogicalResult buildIterated(ApplicationBuilder &builder) const override {
    FailureOr<bool> lowMemory = builder.flag("low_memory", false);
    FailureOr<bool> reverse = builder.flag("reverse", false);
    FailureOr<bool> returnInitial =
        builder.flag("return_initial_states", false);
    FailureOr<bool> returnPrevious =
        builder.flag("return_previous_states", false);
    FailureOr<bool> returnFinal = builder.flag("return_final_states", false);
    if (failed(lowMemory) || failed(reverse) || failed(returnInitial) ||
        failed(returnPrevious) || failed(returnFinal))
      return failure();
    if (*lowMemory || *returnPrevious || isCounted(builder))
      return RecurrentBrick::buildIterated(builder);
    StepSignature signature =
        getSignature(builder.getBrick(), builder.getLibrary());
    auto values = builder.bindArguments(stepArguments(signature, false));
    if (failed(values))
      return failure();
    NamedAttrList options;
    for (StringRef passedOn :
         {"reverse", "recompute", "checkpoint", "return_final_states"})
      if (Attribute value = builder.option(passedOn))
        options.set(passedOn, value);
    NamedValues finals;
    auto outputs = applyLayers(builder, *values, options, finals);
    if (failed(outputs) ||
        (*returnInitial && failed(addInitialStates(builder, signature, *values,
                                                   *reverse, *outputs))))
      return failure();
    for (auto [output, value] : llvm::zip(signature.outputs, *outputs))
      builder.result(value, output.name);
    for (auto &[name, value] : finals)
      builder.result(value, name);
    return success();
  }

  /// Puts what each layer started from beside those of its outputs that are
  /// states.
  LogicalResult addInitialStates(ApplicationBuilder &builder,
                                 const StepSignature &signature,
                                 const NamedValues &values, bool reverse,
                                 MutableArrayRef<Value> outputs) const {
    auto initial = buildInitialStates(builder, outputs.front(), 1);
    if (failed(initial))
      return failure();
    for (auto [state, start] : llvm::zip(signature.states, *initial))
      for (auto [output, value] : llvm::zip(signature.outputs, outputs))
        if (output.name == state.name) {
          Value given = values[state.name];
          value = withInitialState(builder.ops, builder.getLoc(), value,
                                   given ? given : start, reverse);
        }
    return success();
  }

  FailureOr<SmallVector<Value>>
  buildInitialStates(ApplicationBuilder &builder, Value like,
                     int64_t batchAxis) const override {
    SmallVector<Value> states;
    Value rows = batchOf(builder.ops, builder.getLoc(), like, batchAxis);
    for (const Layer &layer :
         layersOf(builder.getBrick(), builder.getLibrary())) {
      auto applied = builder.apply(
          nestedReference(builder.getReference(), layer.brick.getSymName()),
          "initial_states", rows);
      if (failed(applied))
        return failure();
      llvm::append_range(states, applied->getResults());
    }
    return states;
  }
};

} // namespace

void addRecurrentStack(BrickLibrary &library) {
  library.add(std::make_unique<RecurrentStack>());
}

} // namespace blocks
