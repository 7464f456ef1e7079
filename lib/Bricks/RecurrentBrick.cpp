//===- RecurrentBrick.cpp - Bricks that step over sequences ---------------===//
//
// See the header. Arguments stand in this order: what must be there (sequences,
// for one step the states, contexts), then what may be there (masks, for a loop
// the initial states). A call gives the first of them, or lists their names in
// its option `arguments`.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/RecurrentBrick.h"

#include "lib/Bricks/TensorHelpers.h"

using namespace mlir;

namespace blocks {

std::vector<ArgumentName> stepArguments(const StepSignature &signature,
                                        bool oneStep) {
  std::vector<ArgumentName> required, optional;
  auto add = [&](const StepValue &value, bool mayMiss) {
    (mayMiss ? optional : required).push_back({value.name, mayMiss});
  };
  for (const StepValue &value : signature.sequences)
    add(value, value.optional);
  if (oneStep)
    for (const StepValue &value : signature.states)
      add(value, false);
  for (const StepValue &value : signature.contexts)
    add(value, value.optional);
  if (!oneStep)
    for (const StepValue &value : signature.states)
      add(value, true);
  llvm::append_range(required, optional);
  return required;
}

std::string previousName(StringRef state) {
  return ("previous_" + state).str();
}

/// "(time, batch, 8)".
static std::string expectedShape(const StepValue &value, bool hasTime) {
  return std::string(hasTime ? "(time, batch" : "(batch") +
         (value.dim == 0 ? "" : ", " + std::to_string(value.dim)) + ")";
}

//===--- Checks -----------------------------------------------------------===//

LogicalResult checkStepValue(ApplicationBuilder &builder,
                             const StepValue &expected, Value found,
                             bool hasTime) {
  auto type = dyn_cast<RankedTensorType>(found.getType());
  int64_t rank = (hasTime ? 2 : 1) + (expected.dim != 0);
  if (type && type.getRank() == rank &&
      (expected.dim == 0 || type.getShape().back() == expected.dim))
    return success();
  return builder.error() << "takes '" << expected.name << "' of shape "
                         << expectedShape(expected, hasTime) << ", found "
                         << (type ? shapeText(type) : std::string("no tensor"))
                         << builder.originText();
}

/// Time and batch of all sequences, the states' batch, and the element types.
static LogicalResult checkAxes(ApplicationBuilder &builder,
                               const NamedValues &values, int64_t axis,
                               StringRef what) {
  StringRef first;
  int64_t extent = ShapedType::kDynamic;
  for (auto &[name, value] : values) {
    int64_t found = cast<RankedTensorType>(value.getType()).getDimSize(axis);
    if (!extentsFit(extent, found))
      return builder.error() << "takes sequences of one length and batch, but '"
                             << first << "' has " << extent << " " << what
                             << " and '" << name << "' has " << found;
    if (ShapedType::isDynamic(extent) && !ShapedType::isDynamic(found)) {
      extent = found;
      first = name;
    }
  }
  return success();
}

/// Every float argument has the element type of the parameters.
static LogicalResult checkElements(ApplicationBuilder &builder,
                                   const NamedValues &values) {
  Type expected;
  for (auto parameter : builder.getBrick().getBodyBlock().getOps<ParameterOp>())
    expected = parameter.getTensorType().getElementType();
  for (auto &[name, value] : values) {
    Type element = getElementTypeOrSelf(value.getType());
    if (!isa<FloatType>(element))
      continue;
    if (!expected)
      expected = element;
    if (element != expected)
      return builder.error()
             << "takes '" << name << "' of " << expected << ", found "
             << element
             << "; convert it with blocks.cast, or give the brick the setting "
                "dtype = "
             << element;
  }
  return success();
}

//===--- Applications -----------------------------------------------------===//

std::vector<StringRef> RecurrentBrick::getOptions(StringRef application) const {
  if (application == "apply")
    return {"iterate",
            "reverse",
            "return_initial_states",
            "return_previous_states",
            "recompute",
            "checkpoint",
            "arguments"};
  return {};
}

LogicalResult RecurrentBrick::build(StringRef application,
                                    ApplicationBuilder &builder) const {
  if (application == "initial_states")
    return buildStart(builder);
  FailureOr<bool> iterate = builder.flag("iterate", true);
  if (failed(iterate))
    return failure();
  return *iterate ? buildIterated(builder) : buildOneStep(builder);
}

/// The states that were given, or else what the brick starts from.
static LogicalResult addStates(const RecurrentBrick &kind,
                               ApplicationBuilder &builder,
                               const StepSignature &signature,
                               const NamedValues &values, Loop &loop) {
  Value like = loop.sequences.begin()->second;
  FailureOr<SmallVector<Value>> initial = SmallVector<Value>();
  if (!llvm::all_of(signature.states, [&](const StepValue &state) {
        return bool(values[state.name]);
      }))
    initial = kind.buildInitialStates(builder, like, 1);
  if (failed(initial))
    return failure();
  for (auto [i, state] : llvm::enumerate(signature.states)) {
    Value given = values[state.name];
    if (given && failed(checkStepValue(builder, state, given, false)))
      return failure();
    loop.states.set(state.name, given ? given : (*initial)[i]);
  }
  return success();
}

/// The loop over the sequences that are among `values`, from the given states
/// or the initial ones.
static FailureOr<Loop> loopOver(const RecurrentBrick &kind,
                                ApplicationBuilder &builder,
                                const StepSignature &signature,
                                const NamedValues &values) {
  Loop loop;
  for (const StepValue &sequence : signature.sequences)
    if (Value value = values[sequence.name]) {
      if (failed(checkStepValue(builder, sequence, value, /*hasTime=*/true)))
        return failure();
      loop.sequences.set(sequence.name, value);
    }
  if (failed(checkAxes(builder, loop.sequences, 0, "steps")) ||
      failed(checkAxes(builder, loop.sequences, 1, "examples")))
    return failure();
  if (failed(addStates(kind, builder, signature, values, loop)))
    return failure();
  NamedValues all = loop.sequences;
  for (auto &[name, state] : loop.states)
    all.set(name, state);
  for (const StepValue &output : signature.outputs)
    loop.outputs.push_back(output.name);
  if (failed(checkElements(builder, all)))
    return failure();
  return loop;
}

LogicalResult RecurrentBrick::buildIterated(ApplicationBuilder &builder) const {
  StepSignature signature =
      getSignature(builder.getBrick(), builder.getLibrary());
  auto values = builder.bindArguments(stepArguments(signature, false));
  FailureOr<bool> reverse = builder.flag("reverse", false);
  FailureOr<bool> returnInitial = builder.flag("return_initial_states", false);
  FailureOr<bool> recompute = builder.flag("recompute", false);
  FailureOr<bool> checkpoint = builder.flag("checkpoint", false);
  FailureOr<bool> returnPrevious =
      builder.flag("return_previous_states", false);
  if (failed(values) || failed(reverse) || failed(returnInitial) ||
      failed(returnPrevious) || failed(recompute) || failed(checkpoint) ||
      failed(prepareContexts(builder, *values)))
    return failure();
  FailureOr<Loop> loop = loopOver(*this, builder, signature, *values);
  if (failed(loop))
    return failure();
  loop->reverse = *reverse;
  loop->recompute = *recompute;
  loop->checkpoint = *checkpoint;
  loop->keepsPrevious = *returnPrevious;
  auto step = [&](const NamedValues &slices) {
    NamedValues all = slices;
    for (const StepValue &context : signature.contexts)
      if (Value value = (*values)[context.name])
        all.set(context.name, value);
    return buildStep(builder, all);
  };
  FailureOr<LoopResults> results = buildLoop(builder, *loop, step);
  if (failed(results))
    return failure();
  for (auto &[name, value] : results->outputs) {
    Value initial;
    if (*returnInitial) {
      initial = loop->states[name];
      initial = initial ? initial : initialOutput(builder, name, *values);
    }
    builder.result(initial ? withInitialState(builder.ops, builder.getLoc(),
                                              value, initial, *reverse)
                           : value,
                   name);
  }
  for (auto &[name, value] : results->previous)
    builder.result(value, previousName(name));
  return success();
}

LogicalResult RecurrentBrick::buildOneStep(ApplicationBuilder &builder) const {
  StepSignature signature =
      getSignature(builder.getBrick(), builder.getLibrary());
  auto values = builder.bindArguments(stepArguments(signature, true));
  if (failed(values) || failed(checkElements(builder, *values)) ||
      failed(prepareContexts(builder, *values)))
    return failure();
  NamedValues rows;
  for (const auto *names : {&signature.sequences, &signature.states})
    for (const StepValue &expected : *names)
      if (Value value = (*values)[expected.name]) {
        if (failed(checkStepValue(builder, expected, value, false)))
          return failure();
        rows.set(expected.name, value);
      }
  if (failed(checkAxes(builder, rows, 0, "examples")))
    return failure();
  FailureOr<SmallVector<Value>> outputs = buildStep(builder, *values);
  if (failed(outputs))
    return failure();
  for (auto [output, value] : llvm::zip(signature.outputs, *outputs))
    builder.result(value, output.name);
  return success();
}

/// `initial_states(batch)`: the argument is there for its axis 0 alone.
LogicalResult RecurrentBrick::buildStart(ApplicationBuilder &builder) const {
  if (failed(builder.takes({"batch"})))
    return failure();
  auto type = dyn_cast<RankedTensorType>(builder.argument(0).getType());
  if (!type || type.getRank() == 0)
    return builder.error() << "takes a tensor whose axis 0 is the batch in its "
                              "application 'initial_states', found "
                           << builder.argument(0).getType();
  StepSignature signature =
      getSignature(builder.getBrick(), builder.getLibrary());
  auto values = buildInitialStates(builder, builder.argument(0), 0);
  if (failed(values))
    return failure();
  for (auto [state, value] : llvm::zip(signature.states, *values))
    builder.result(value, state.name);
  return success();
}

//===--- Declaring --------------------------------------------------------===//

LogicalResult declareInitialState(BrickDeclaration &brick, StringRef name,
                                  int64_t dim) {
  FailureOr<bool> trained = brick.config.flag(trainedInitialStates, true);
  if (failed(trained))
    return failure();
  return *trained ? brick.parameter(name, {dim}, Role::InitialState,
                                    /*initKey=*/"")
                  : success();
}

Value initialState(ApplicationBuilder &builder, StringRef name, int64_t dim,
                   Value like, int64_t batchAxis) {
  Location loc = builder.getLoc();
  OpBuilder &ops = builder.ops;
  if (*builder.config.flag(trainedInitialStates, true))
    return forEachRow(ops, loc, builder.parameter(name), like, batchAxis);
  Type element = *builder.config.elementType();
  auto type = RankedTensorType::get({dim}, element);
  Value zeros = arith::ConstantOp::create(
      ops, loc, DenseElementsAttr::get(type, ops.getFloatAttr(element, 0)));
  return forEachRow(ops, loc, zeros, like, batchAxis);
}

LogicalResult declareActivation(BrickDeclaration &brick, StringRef key,
                                StringRef otherwise) {
  Attribute text = brick.config.get(key);
  if (!text)
    text = brick.getBuilder().getStringAttr(otherwise);
  auto activation = brick.childSpec(key, text);
  if (failed(activation))
    return failure();
  std::string name = activation->name.empty()
                         ? defaultBrickName(activation->kind)
                         : activation->name;
  if (activation->name.empty() && brick.hasSymbol(name))
    name = key.str();
  return brick.child(name, activation->kind, activation->settings);
}

} // namespace blocks
