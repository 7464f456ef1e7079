//===- GeneratorSteps.cpp - The pieces of a generator's step --------------===//
#include "lib/Bricks/GeneratorSteps.h"

#include "lib/Bricks/NamedCall.h"
#include "lib/Bricks/Readout.h"

using namespace mlir;

namespace blocks {

static bool contains(ArrayRef<StepValue> values, StringRef name) {
  return llvm::any_of(
      values, [&](const StepValue &value) { return value.name == name; });
}

/// The generator's own contexts, (batch, features), that the settings
/// `context_names` and `context_dims` list; the settings were checked.
static std::vector<StepValue> givenContexts(const BrickConfig &config) {
  std::vector<StepValue> contexts;
  if (!config.get("context_names"))
    return contexts;
  ArrayAttr names = *config.list("context_names");
  SmallVector<int64_t> dims = *config.positives("context_dims");
  for (auto [name, dim] : llvm::zip(names, dims))
    contexts.push_back({cast<StringAttr>(name).str(), dim});
  return contexts;
}

GeneratorNames::GeneratorNames(BrickOp generator, const BrickLibrary &library) {
  RecurrentChild child = transitionOf(generator, library);
  transition = child.brick.getSymName().str();
  signature = child.signature;
  contexts = signature.contexts;
  if (auto looks = attentionOf(child.brick, library)) {
    attention = looks->brick.getSymName().str();
    glimpses = looks->kind->getGlimpses(looks->brick);
    transitionFirst = isTransitionFirst(child.brick);
  }
  for (const StepValue &state : signature.states)
    (contains(glimpses, state.name) ? fedBack : states).push_back(state);
  given = givenContexts(BrickConfig(generator));
}

GeneratorSteps::GeneratorSteps(ApplicationBuilder &builder)
    : names(builder.getBrick(), builder.getLibrary()), builder(builder) {}

LogicalResult GeneratorSteps::prepare(NamedValues &values) {
  if (names.attention.empty() || values[preprocessedAttended])
    return success();
  Value attended = attendedOf(values);
  if (!attended)
    return success();
  auto applied = builder.apply(
      nestedReference(nestedReference(builder.getReference(), names.transition),
                      names.attention),
      "preprocess", attended);
  if (failed(applied))
    return failure();
  values.set(preprocessedAttended, applied->getResult(0));
  return success();
}

LogicalResult GeneratorSteps::addInitialStates(NamedValues &values, Value like,
                                               int64_t batchAxis) {
  auto isMissing = [&](const StepValue &value) { return !values[value.name]; };
  bool addsGlimpses = names.transitionFirst;
  if (llvm::none_of(names.signature.states, isMissing) &&
      !(addsGlimpses && llvm::any_of(names.glimpses, isMissing)))
    return success();
  SmallVector<Value> asked{
      batchOf(builder.ops, builder.getLoc(), like, batchAxis)};
  std::vector<StepValue> given = names.signature.states;
  if (addsGlimpses) {
    asked.push_back(attendedOf(values));
    given = names.states;
    llvm::append_range(given, names.glimpses);
  }
  auto initial =
      builder.apply(nestedReference(builder.getReference(), names.transition),
                    "initial_states", asked);
  if (failed(initial))
    return failure();
  for (auto [state, value] : llvm::zip(given, initial->getResults()))
    if (!values[state.name])
      values.set(state.name, value);
  return success();
}

/// The attended sequence is the context before what is computed from it.
Value GeneratorSteps::attendedOf(const NamedValues &values) {
  for (const StepValue &context : names.contexts)
    if (Value attended = context.optional ? Value() : values[context.name])
      return attended;
  return {};
}

FailureOr<NamedValues> GeneratorSteps::glimpsesOf(const NamedValues &values) {
  NamedValues asked;
  for (const auto *list : {&names.signature.states, &names.contexts})
    for (const StepValue &name : *list)
      if (Value value = values[name.name])
        asked.set(name.name, value);
  return callChild(builder, names.transition, "take_glimpses", asked);
}

LogicalResult GeneratorSteps::addGlimpses(NamedValues &values) {
  if (names.attention.empty() || names.transitionFirst)
    return success();
  auto glimpses = glimpsesOf(values);
  if (failed(glimpses))
    return failure();
  values.setAll(*glimpses);
  return success();
}

FailureOr<Value> GeneratorSteps::readouts(const NamedValues &values) {
  BrickOp readout = builder.lookupBrick(
      nestedReference(builder.getReference(), readoutChild));
  NamedValues sources;
  for (const std::string &name : readoutSources(BrickConfig(readout)))
    sources.set(name, values[name]);
  auto result = callChild(builder, readoutChild, "readout", sources);
  if (failed(result))
    return failure();
  return (*result)["readouts"];
}

LogicalResult GeneratorSteps::addInputs(NamedValues &values, Value feedback) {
  auto forked = builder.apply(
      nestedReference(builder.getReference(), forkChild), "apply", feedback);
  if (failed(forked))
    return failure();
  for (auto [sequence, value] :
       llvm::zip(fedSequences(names.signature), forked->getResults()))
    values.set(sequence.name, value);
  return success();
}

FailureOr<NamedValues> GeneratorSteps::nextStates(NamedValues values,
                                                  Value feedback) {
  if (failed(addInputs(values, feedback)))
    return failure();
  NamedValues asked;
  const std::vector<StepValue> sequences = fedSequences(names.signature);
  for (const auto *list : {&sequences, &names.states, &names.glimpses})
    for (const StepValue &name : *list)
      if (Value value = values[name.name])
        asked.set(name.name, value);
  auto next = callChild(builder, names.transition, "compute_states", asked);
  if (failed(next) || !names.transitionFirst)
    return next;
  values.setAll(*next);
  auto glimpses = glimpsesOf(values);
  if (failed(glimpses))
    return failure();
  next->setAll(*glimpses);
  return next;
}

FailureOr<Value> GeneratorSteps::ask(StringRef application,
                                     ValueRange arguments) {
  return callOne(builder, readoutChild, application, arguments);
}

} // namespace blocks
