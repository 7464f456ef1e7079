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

GeneratorNames::GeneratorNames(BrickOp generator, const BrickLibrary &library) {
  RecurrentChild child = transitionOf(generator, library);
  transition = child.brick.getSymName().str();
  signature = child.signature;
  contexts = signature.contexts;
  if (auto looks = attentionOf(child.brick, library)) {
    attention = looks->brick.getSymName().str();
    glimpses = looks->kind->getGlimpses(looks->brick);
  }
  for (const StepValue &state : signature.states)
    (contains(glimpses, state.name) ? fedBack : states).push_back(state);
}

GeneratorSteps::GeneratorSteps(ApplicationBuilder &builder)
    : names(builder.getBrick(), builder.getLibrary()), builder(builder) {}

LogicalResult GeneratorSteps::prepare(NamedValues &values) {
  if (names.attention.empty() || values[preprocessedAttended])
    return success();
  // The attended sequence is the context before what is computed from it.
  for (const StepValue &context : names.contexts)
    if (!context.optional)
      if (Value attended = values[context.name]) {
        auto applied = builder.apply(
            nestedReference(
                nestedReference(builder.getReference(), names.transition),
                names.attention),
            "preprocess", attended);
        if (failed(applied))
          return failure();
        values.set(preprocessedAttended, applied->getResult(0));
      }
  return success();
}

LogicalResult GeneratorSteps::addInitialStates(NamedValues &values, Value like,
                                               int64_t batchAxis) {
  if (llvm::all_of(names.signature.states, [&](const StepValue &state) {
        return bool(values[state.name]);
      }))
    return success();
  auto initial =
      builder.apply(nestedReference(builder.getReference(), names.transition),
                    "initial_states",
                    batchOf(builder.ops, builder.getLoc(), like, batchAxis));
  if (failed(initial))
    return failure();
  for (auto [state, value] :
       llvm::zip(names.signature.states, initial->getResults()))
    if (!values[state.name])
      values.set(state.name, value);
  return success();
}

LogicalResult GeneratorSteps::addGlimpses(NamedValues &values) {
  if (names.attention.empty())
    return success();
  NamedValues asked;
  for (const auto *list : {&names.signature.states, &names.contexts})
    for (const StepValue &name : *list)
      if (Value value = values[name.name])
        asked.set(name.name, value);
  auto glimpses = callChild(builder, names.transition, "take_glimpses", asked);
  if (failed(glimpses))
    return failure();
  for (auto &[name, value] : *glimpses)
    values.set(name, value);
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
  return callChild(builder, names.transition, "compute_states", asked);
}

FailureOr<Value> GeneratorSteps::ask(StringRef application,
                                     ValueRange arguments) {
  return callOne(builder, readoutChild, application, arguments);
}

} // namespace blocks
