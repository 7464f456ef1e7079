//===- AttentionRecurrent.cpp - Transitions that attend -------------------===//
//
// In each step: glimpses from the states before it, then the transition on its
// inputs plus what `distribute` makes of the first glimpse. With the other
// order the transition comes first, on the first glimpse of the step before,
// which is a state then. `apply` prepares the attended sequence once and makes
// one loop. The two halves of a step are applications of their own, from which
// generators build their loops.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/AttentionRecurrent.h"
#include "lib/Bricks/NamedCall.h"

using namespace mlir;

namespace blocks {

//===--- Children ---------------------------------------------------------===//

RecurrentChild transitionOf(BrickOp brick, const BrickLibrary &library) {
  for (auto child : brick.getBodyBlock().getOps<BrickOp>()) {
    const BrickKind *kind = library.find(*child.getKind());
    if (const RecurrentBrick *recurrent = kind ? kind->asRecurrent() : nullptr)
      return {child, recurrent, recurrent->getSignature(child, library)};
  }
  llvm_unreachable("brick without the transition that it declared");
}

std::optional<AttentionChild> attentionOf(BrickOp brick,
                                          const BrickLibrary &library) {
  for (auto child : brick.getBodyBlock().getOps<BrickOp>()) {
    const BrickKind *kind = library.find(*child.getKind());
    if (const AttentionBrick *attention = kind ? kind->asAttention() : nullptr)
      return AttentionChild{child, attention};
  }
  return std::nullopt;
}

static constexpr StringRef orders[] = {"glimpses_first", "transition_first"};

bool isTransitionFirst(BrickOp brick) {
  return *BrickConfig(brick).choice(orderSetting, orders) == orders[1];
}

std::vector<StepValue> fedSequences(const StepSignature &signature) {
  std::vector<StepValue> fed;
  for (const StepValue &sequence : signature.sequences)
    if (!sequence.optional)
      fed.push_back(sequence);
  return fed;
}

/// The initial states of the transition, for each row of the batch of `like`.
static FailureOr<SmallVector<Value>>
transitionStates(ApplicationBuilder &builder, Value like, int64_t batchAxis) {
  RecurrentChild child = transitionOf(builder.getBrick(), builder.getLibrary());
  auto applied = builder.apply(
      nestedReference(builder.getReference(), child.brick.getSymName()),
      "initial_states",
      batchOf(builder.ops, builder.getLoc(), like, batchAxis));
  if (failed(applied))
    return failure();
  return SmallVector<Value>(applied->getResults());
}

/// The child that the setting `key` describes; null after an error.
static const BrickKind *specify(BrickDeclaration &brick, StringRef key,
                                StringRef example,
                                BrickDeclaration::ChildSpec &child) {
  Attribute text = brick.config.get(key);
  if (!text) {
    brick.config.error() << "needs the setting '" << key << "', such as "
                         << example;
    return nullptr;
  }
  auto spec = brick.childSpec(key, text);
  if (failed(spec))
    return nullptr;
  child = *spec;
  if (child.name.empty())
    child.name = defaultBrickName(child.kind);
  const BrickKind *kind = brick.findKind(child.kind);
  if (!kind)
    brick.config.error() << "has the unknown kind \"" << child.kind << "\" in '"
                         << key << "'";
  return kind;
}

LogicalResult declareTransition(BrickDeclaration &brick) {
  BrickDeclaration::ChildSpec child;
  const BrickKind *kind =
      specify(brick, "transition", "{kind = \"LSTM\", dim = 100}", child);
  if (!kind)
    return failure();
  if (!kind->asRecurrent())
    return brick.config.error() << "has a " << child.kind
                                << " as its transition, which does not step "
                                   "over sequences; take a recurrent brick "
                                   "such as \"LSTM\"";
  if (failed(brick.child(child.name, child.kind, child.settings)))
    return failure();
  return brick.declareChild(child.name);
}

namespace {

//===--- Plain transitions ------------------------------------------------===//

/// A transition behind the applications of AttentionRecurrent, without
/// glimpses.
class FakeAttentionRecurrent : public RecurrentBrick {
  StringRef getName() const override { return "FakeAttentionRecurrent"; }
  std::vector<StringRef> getSettings() const override {
    return {"transition", weightsInit, biasesInit};
  }
  std::vector<StringRef> getApplications() const override {
    return {"apply", "initial_states", "compute_states"};
  }
  std::vector<StringRef> getOptions(StringRef application) const override {
    if (application == "compute_states")
      return {"arguments"};
    return RecurrentBrick::getOptions(application);
  }
  LogicalResult declare(BrickDeclaration &brick) const override {
    return declareTransition(brick);
  }
  StepSignature getSignature(BrickOp brick,
                             const BrickLibrary &library) const override {
    return transitionOf(brick, library).signature;
  }

  FailureOr<SmallVector<Value>>
  buildStep(ApplicationBuilder &builder,
            const NamedValues &values) const override {
    RecurrentChild child =
        transitionOf(builder.getBrick(), builder.getLibrary());
    NamedAttrList options;
    options.set("iterate", builder.ops.getBoolAttr(false));
    auto outputs =
        callChild(builder, child.brick.getSymName(), "apply", values, options);
    if (failed(outputs))
      return failure();
    SmallVector<Value> ordered;
    for (auto &[name, value] : *outputs)
      ordered.push_back(value);
    return ordered;
  }

  FailureOr<SmallVector<Value>>
  buildInitialStates(ApplicationBuilder &builder, Value like,
                     int64_t batchAxis) const override {
    return transitionStates(builder, like, batchAxis);
  }

  LogicalResult build(StringRef application,
                      ApplicationBuilder &builder) const override {
    if (application == "compute_states")
      return buildOneStep(builder);
    return RecurrentBrick::build(application, builder);
  }
};

//===--- AttentionRecurrent -----------------------------------------------===//

class AttentionRecurrent : public RecurrentBrick {
  StringRef getName() const override { return "AttentionRecurrent"; }
  std::vector<StringRef> getSettings() const override {
    return {"transition",    "attention",          "distribute", orderSetting,
            "attended_name", "attended_mask_name", weightsInit,  biasesInit};
  }
  std::vector<StringRef> getApplications() const override {
    return {"apply", "initial_states", "take_glimpses", "compute_states"};
  }
  std::vector<StringRef> getOptions(StringRef application) const override {
    if (application == "take_glimpses" || application == "compute_states")
      return {"arguments"};
    return RecurrentBrick::getOptions(application);
  }

  //===--- Declaring ------------------------------------------------------===//

  LogicalResult declare(BrickDeclaration &brick) const override {
    for (StringRef key : {"attended_name", "attended_mask_name"})
      if (Attribute name = brick.config.get(key);
          name && !isa<StringAttr>(name))
        return brick.config.wrong(key, "a name");
    if (failed(brick.config.choice(orderSetting, orders)) ||
        failed(declareTransition(brick)))
      return failure();
    return failure(failed(declareAttention(brick)) ||
                   failed(declareDistribute(brick)) ||
                   failed(checkNames(brick)));
  }

  /// The attention, which reads all states unless it says which.
  static LogicalResult declareAttention(BrickDeclaration &brick) {
    BrickDeclaration::ChildSpec child;
    const BrickKind *kind = specify(
        brick, "attention",
        "{kind = \"SequenceContentAttention\", match_dim = 100, attended_dim "
        "= 200}",
        child);
    if (!kind)
      return failure();
    if (!kind->asAttention())
      return brick.config.error() << "has a " << child.kind
                                  << " as its attention, expected one such as "
                                     "\"SequenceContentAttention\"";
    FailureOr<DictionaryAttr> settings = withStates(brick, child.settings);
    if (failed(settings) ||
        failed(brick.child(child.name, child.kind, *settings)))
      return failure();
    return brick.declareChild(child.name);
  }

  /// `settings` with the names of the states and their dimensions.
  static FailureOr<DictionaryAttr> withStates(BrickDeclaration &brick,
                                              DictionaryAttr settings) {
    Builder &builder = brick.getBuilder();
    StepSignature signature =
        transitionOf(brick.getBrick(), brick.getLibrary()).signature;
    NamedAttrList all(settings);
    SmallVector<Attribute> names, dims;
    if (auto given = settings.getAs<ArrayAttr>("state_names"))
      llvm::append_range(names, given);
    else
      for (const StepValue &state : signature.states)
        names.push_back(builder.getStringAttr(state.name));
    for (Attribute name : names) {
      auto text = dyn_cast<StringAttr>(name);
      auto state = llvm::find_if(signature.states, [&](const StepValue &known) {
        return text && known.name == text.getValue();
      });
      if (state == signature.states.end())
        return brick.config.error()
               << "has an attention that reads the state " << name
               << ", which its transition does not have";
      dims.push_back(builder.getI64IntegerAttr(state->dim));
    }
    all.set("state_names", builder.getArrayAttr(names));
    all.set("state_dims", builder.getArrayAttr(dims));
    return all.getDictionary(builder.getContext());
  }

  /// From the first glimpse to all sequences but masks.
  static LogicalResult declareDistribute(BrickDeclaration &brick) {
    Builder &builder = brick.getBuilder();
    AttentionChild attention =
        *attentionOf(brick.getBrick(), brick.getLibrary());
    StepValue source = attention.kind->getGlimpses(attention.brick).front();
    SmallVector<Attribute> names, dims;
    for (const StepValue &sequence : fedSequences(
             transitionOf(brick.getBrick(), brick.getLibrary()).signature)) {
      names.push_back(builder.getStringAttr(sequence.name));
      dims.push_back(builder.getI64IntegerAttr(sequence.dim));
    }
    NamedAttrList settings;
    if (Attribute text = brick.config.get("distribute")) {
      auto given = dyn_cast<DictionaryAttr>(text);
      if (!given)
        return brick.config.wrong(
            "distribute", "settings such as {prototype = {kind = \"Linear\"}}");
      settings = NamedAttrList(given);
    }
    const std::pair<StringRef, Attribute> known[] = {
        {"target_names", builder.getArrayAttr(names)},
        {"target_dims", builder.getArrayAttr(dims)},
        {"source_name", builder.getStringAttr(source.name)},
        {"source_dim", builder.getI64IntegerAttr(source.dim)}};
    for (auto [key, value] : known)
      if (failed(brick.fix(settings, "distribute", key, value)))
        return failure();
    return brick.child("distribute", "Distribute",
                       settings.getDictionary(builder.getContext()));
  }

  /// Sequences, states, contexts and glimpses have one set of names.
  LogicalResult checkNames(BrickDeclaration &brick) const {
    StepSignature signature =
        getSignature(brick.getBrick(), brick.getLibrary());
    std::set<std::string> names;
    for (const auto *values :
         {&signature.sequences, &signature.outputs, &signature.contexts})
      for (const StepValue &value : *values)
        if (!names.insert(value.name).second)
          return brick.config.error()
                 << "has two values called '" << value.name
                 << "' among sequences, states, contexts and glimpses; "
                    "attended_name and attended_mask_name name the attended "
                    "sequence";
    return success();
  }

  //===--- Names ----------------------------------------------------------===//

  static std::string nameOf(BrickOp brick, StringRef key, StringRef otherwise) {
    auto given = dyn_cast_or_null<StringAttr>(BrickConfig(brick).get(key));
    return given ? given.str() : otherwise.str();
  }
  static std::string attendedName(BrickOp brick) {
    return nameOf(brick, "attended_name", "attended");
  }
  static std::string maskName(BrickOp brick) {
    return nameOf(brick, "attended_mask_name", "attended_mask");
  }

  static std::vector<StepValue> glimpsesOf(BrickOp brick,
                                           const BrickLibrary &library) {
    AttentionChild attention = *attentionOf(brick, library);
    return attention.kind->getGlimpses(attention.brick);
  }
  /// Those that the next step needs: the attention, or the transition if it
  /// comes first.
  static std::vector<StepValue> fedBack(BrickOp brick,
                                        const BrickLibrary &library) {
    AttentionChild attention = *attentionOf(brick, library);
    std::vector<StepValue> glimpses;
    for (auto [i, glimpse] :
         llvm::enumerate(attention.kind->getGlimpses(attention.brick)))
      if (attention.kind->isFedBack(glimpse.name) ||
          (i == 0 && isTransitionFirst(brick)))
        glimpses.push_back(glimpse);
    return glimpses;
  }

  StepSignature getSignature(BrickOp brick,
                             const BrickLibrary &library) const override {
    StepSignature signature = transitionOf(brick, library).signature;
    AttentionChild attention = *attentionOf(brick, library);
    llvm::append_range(signature.states, fedBack(brick, library));
    llvm::append_range(signature.outputs, glimpsesOf(brick, library));
    signature.contexts.push_back(
        {attendedName(brick), attention.kind->getAttendedDim(attention.brick)});
    signature.contexts.push_back({maskName(brick), 0, true});
    signature.contexts.push_back({preprocessedAttended.str(), 0, true});
    return signature;
  }

  //===--- Steps ----------------------------------------------------------===//

  /// preprocessed_attended, unless it was given.
  LogicalResult prepareContexts(ApplicationBuilder &builder,
                                NamedValues &values) const override {
    if (values[preprocessedAttended])
      return success();
    AttentionChild attention =
        *attentionOf(builder.getBrick(), builder.getLibrary());
    auto prepared = callOne(builder, attention.brick.getSymName(), "preprocess",
                            values[attendedName(builder.getBrick())]);
    if (failed(prepared))
      return failure();
    values.set(preprocessedAttended, *prepared);
    return success();
  }

  Value initialOutput(ApplicationBuilder &builder, StringRef name,
                      const NamedValues &values) const override {
    Value attended = values[attendedName(builder.getBrick())];
    for (const StepValue &glimpse :
         glimpsesOf(builder.getBrick(), builder.getLibrary()))
      if (glimpse.name == name)
        return initialGlimpse(builder, glimpse, attended, 1, attended);
    return {};
  }

  static FailureOr<NamedValues> takeGlimpses(ApplicationBuilder &builder,
                                             const NamedValues &values) {
    BrickOp brick = builder.getBrick();
    AttentionChild attention = *attentionOf(brick, builder.getLibrary());
    NamedValues asked;
    auto pass = [&](StringRef name, StringRef outer) {
      if (Value value = values[outer])
        asked.set(name, value);
    };
    pass("attended", attendedName(brick));
    for (const StepValue &state : attention.kind->getStates(attention.brick))
      pass(state.name, state.name);
    for (const StepValue &glimpse : glimpsesOf(brick, builder.getLibrary()))
      if (attention.kind->isFedBack(glimpse.name))
        pass(glimpse.name, glimpse.name);
    pass(preprocessedAttended, preprocessedAttended);
    pass("attended_mask", maskName(brick));
    return callChild(builder, attention.brick.getSymName(), "take_glimpses",
                     asked);
  }

  /// The transition's outputs, by name.
  static FailureOr<NamedValues> computeStates(ApplicationBuilder &builder,
                                              const NamedValues &values) {
    BrickOp brick = builder.getBrick();
    RecurrentChild child = transitionOf(brick, builder.getLibrary());
    StepValue source = glimpsesOf(brick, builder.getLibrary()).front();
    SmallVector<Value> spread{values[source.name]};
    for (const StepValue &sequence : fedSequences(child.signature))
      spread.push_back(values[sequence.name]);
    auto inputs = builder.apply(
        nestedReference(builder.getReference(), "distribute"), "apply", spread);
    if (failed(inputs))
      return failure();
    NamedValues asked;
    for (auto [sequence, value] :
         llvm::zip(fedSequences(child.signature), inputs->getResults()))
      asked.set(sequence.name, value);
    for (const auto *names :
         {&child.signature.sequences, &child.signature.states,
          &child.signature.contexts})
      for (const StepValue &name : *names)
        if (Value value = values[name.name]; value && !asked[name.name])
          asked.set(name.name, value);
    NamedAttrList options;
    options.set("iterate", builder.ops.getBoolAttr(false));
    return callChild(builder, child.brick.getSymName(), "apply", asked,
                     options);
  }

  FailureOr<SmallVector<Value>>
  buildStep(ApplicationBuilder &builder,
            const NamedValues &values) const override {
    NamedValues all = values;
    auto add = [&](FailureOr<NamedValues> fresh) {
      if (succeeded(fresh))
        all.setAll(*fresh);
      return fresh;
    };
    FailureOr<NamedValues> glimpses = failure(), outputs = failure();
    if (isTransitionFirst(builder.getBrick())) {
      outputs = add(computeStates(builder, all));
      if (succeeded(outputs))
        glimpses = takeGlimpses(builder, all);
    } else {
      glimpses = add(takeGlimpses(builder, all));
      if (succeeded(glimpses))
        outputs = computeStates(builder, all);
    }
    if (failed(glimpses) || failed(outputs))
      return failure();
    SmallVector<Value> ordered;
    for (auto &[name, value] : *outputs)
      ordered.push_back(value);
    for (auto &[name, value] : *glimpses)
      ordered.push_back(value);
    return ordered;
  }

  //===--- Applications ---------------------------------------------------===//

  FailureOr<SmallVector<Value>>
  buildInitialStates(ApplicationBuilder &builder, Value like,
                     int64_t batchAxis) const override {
    auto states = transitionStates(builder, like, batchAxis);
    if (failed(states))
      return failure();
    for (const StepValue &glimpse :
         fedBack(builder.getBrick(), builder.getLibrary()))
      states->push_back(
          initialGlimpse(builder, glimpse, like, batchAxis, /*attended=*/{}));
    return states;
  }

  LogicalResult build(StringRef application,
                      ApplicationBuilder &builder) const override {
    if (application == "take_glimpses")
      return buildGlimpses(builder);
    if (application == "compute_states")
      return buildStates(builder);
    if (application == "initial_states" && builder.arguments().size() == 2)
      return buildInitial(builder);
    return RecurrentBrick::build(application, builder);
  }

  LogicalResult buildGlimpses(ApplicationBuilder &builder) const {
    StepSignature signature =
        getSignature(builder.getBrick(), builder.getLibrary());
    signature.sequences.clear();
    auto values = builder.bindArguments(stepArguments(signature, true));
    if (failed(values))
      return failure();
    return giveAll(builder, takeGlimpses(builder, *values));
  }

  /// Takes the sequences, the states, and the glimpses, of which only the first
  /// counts.
  LogicalResult buildStates(ApplicationBuilder &builder) const {
    BrickOp brick = builder.getBrick();
    StepSignature signature =
        transitionOf(brick, builder.getLibrary()).signature;
    std::vector<ArgumentName> names = stepArguments(signature, true);
    std::vector<StepValue> glimpses = glimpsesOf(brick, builder.getLibrary());
    // What must be there stands before what may be.
    auto optional = llvm::find_if(
        names, [](const ArgumentName &name) { return name.optional; });
    names.insert(optional, {glimpses.front().name});
    for (const StepValue &glimpse : llvm::drop_begin(glimpses))
      names.push_back({glimpse.name, true});
    auto values = builder.bindArguments(names);
    if (failed(values))
      return failure();
    return giveAll(builder, computeStates(builder, *values));
  }

  static LogicalResult giveAll(ApplicationBuilder &builder,
                               FailureOr<NamedValues> values) {
    if (failed(values))
      return failure();
    for (auto &[name, value] : *values)
      builder.result(value, name);
    return success();
  }

  /// `initial_states(batch, attended)`: the transition's states and all
  /// glimpses.
  LogicalResult buildInitial(ApplicationBuilder &builder) const {
    if (failed(builder.takes({"batch", "attended"})))
      return failure();
    BrickOp brick = builder.getBrick();
    StepSignature transition =
        transitionOf(brick, builder.getLibrary()).signature;
    auto states = buildInitialStates(builder, builder.argument(0), 0);
    if (failed(states))
      return failure();
    for (auto [state, value] : llvm::zip(transition.states, *states))
      builder.result(value, state.name);
    for (const StepValue &glimpse : glimpsesOf(brick, builder.getLibrary()))
      builder.result(initialGlimpse(builder, glimpse, builder.argument(0), 0,
                                    builder.argument(1)),
                     glimpse.name);
    return success();
  }
};

} // namespace

void addAttentionRecurrent(BrickLibrary &library) {
  library.add(std::make_unique<FakeAttentionRecurrent>());
  library.add(std::make_unique<AttentionRecurrent>());
}

} // namespace blocks
