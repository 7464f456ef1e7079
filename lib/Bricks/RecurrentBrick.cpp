//===- RecurrentBrick.cpp - Bricks that step over sequences ---------------===//
//
// See the header. Arguments stand in this order: what must be there (sequences,
// for one step the states, contexts), then what may be there (masks, for a loop
// the initial states). A call gives the first of them, or lists their names in
// its option `arguments`. A call that says how many steps there are, by
// `n_steps` or an argument `steps`, has no sequences: they count as zeros.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/RecurrentBrick.h"

#include "lib/Bricks/TensorHelpers.h"

using namespace mlir;

namespace blocks {

std::vector<ArgumentName> stepArguments(const StepSignature &signature,
                                        bool oneStep, bool counted) {
  std::vector<ArgumentName> required, optional;
  auto add = [&](const StepValue &value, bool mayMiss) {
    (mayMiss ? optional : required).push_back({value.name, mayMiss});
  };
  if (!counted)
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
  if (counted)
    for (StringRef name : {stepsArgument, batchArgument})
      optional.push_back({name.str(), true});
  llvm::append_range(required, optional);
  return required;
}

std::string previousName(StringRef state) {
  return ("previous_" + state).str();
}
std::string finalName(StringRef state) {
  return (state + "_final_value").str();
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
            "return_final_states",
            "recompute",
            "checkpoint",
            "n_steps",
            "batch_size",
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
  if (*iterate)
    return buildIterated(builder);
  // One step has no order, no length and no states but those it gives.
  Attribute off = builder.ops.getBoolAttr(false);
  for (StringRef key : getOptions(application))
    if (Attribute given = builder.option(key);
        given && given != off && key != "iterate" && key != "arguments")
      return builder.error() << "has the option " << key
                             << ", which means nothing with iterate = false, "
                                "one step; leave one of them out";
  return buildOneStep(builder);
}

//===--- Steps without sequences ------------------------------------------===//

bool isCounted(ApplicationBuilder &builder) {
  auto names = dyn_cast_or_null<ArrayAttr>(builder.option("arguments"));
  return builder.option(nStepsOption) ||
         (names &&
          llvm::is_contained(
              names, Attribute(builder.ops.getStringAttr(stepsArgument))));
}

/// An option that is a positive number.
static FailureOr<int64_t> count(ApplicationBuilder &builder, StringRef key,
                                StringRef argument) {
  auto number = dyn_cast_or_null<IntegerAttr>(builder.option(key));
  constexpr int64_t largest = int64_t(1) << 40;
  if (number && number.getInt() > largest)
    return builder.error() << "has the option " << key << " = " << number
                           << ", expected at most " << largest;
  if (number && number.getInt() > 0)
    return number.getInt();
  return builder.error() << "needs the option " << key
                         << ", a positive number, or the argument '" << argument
                         << "', a tensor whose axis 0 has that extent";
}

/// Checks that axis 0 of an argument can tell a number, and that the option
/// `key` tells no other.
static LogicalResult checkAxis(ApplicationBuilder &builder, StringRef name,
                               StringRef key, Value given) {
  if (builder.option(key))
    return builder.error() << "has the option " << key << " and the argument '"
                           << name
                           << "', which tell the same; leave one of them out";
  auto type = dyn_cast<RankedTensorType>(given.getType());
  if (type && type.getRank() > 0)
    return success();
  return builder.error() << "takes a tensor whose axis 0 tells the number as "
                            "its argument '"
                         << name << "', found " << given.getType();
}

FailureOr<Value> countedSteps(ApplicationBuilder &builder,
                              const NamedValues &values) {
  if (Value given = values[stepsArgument]) {
    if (failed(checkAxis(builder, stepsArgument, nStepsOption, given)))
      return failure();
    int64_t steps = cast<RankedTensorType>(given.getType()).getDimSize(0);
    if (!ShapedType::isDynamic(steps))
      return arith::ConstantIndexOp::create(builder.ops, builder.getLoc(),
                                            steps)
          .getResult();
    return tensor::DimOp::create(builder.ops, builder.getLoc(), given, 0)
        .getResult();
  }
  FailureOr<int64_t> number = count(builder, nStepsOption, stepsArgument);
  if (failed(number))
    return failure();
  return arith::ConstantIndexOp::create(builder.ops, builder.getLoc(), *number)
      .getResult();
}

FailureOr<Value> countedRows(ApplicationBuilder &builder,
                             const NamedValues &values) {
  if (Value given = values[batchArgument]) {
    if (failed(checkAxis(builder, batchArgument, batchSizeOption, given)))
      return failure();
    return batchOf(builder.ops, builder.getLoc(), given, 0);
  }
  FailureOr<int64_t> size = count(builder, batchSizeOption, batchArgument);
  if (failed(size))
    return failure();
  return tensor::EmptyOp::create(builder.ops, builder.getLoc(),
                                 ArrayRef<int64_t>{*size},
                                 builder.ops.getF32Type())
      .getResult();
}

//===--- The loop over sequences ------------------------------------------===//

namespace {

/// What the options of a call of `apply` say.
struct LoopOptions {
  Loop loop; ///< Its flags alone.
  bool returnInitial, returnFinal, counted;
};

/// A tensor of which one axis is the batch.
struct Rows {
  Value like;
  int64_t axis;
};

} // namespace

static FailureOr<LoopOptions> loopOptions(ApplicationBuilder &builder) {
  LoopOptions options;
  for (auto [name, flag] :
       {std::pair("reverse", &options.loop.reverse),
        std::pair("return_initial_states", &options.returnInitial),
        std::pair("return_previous_states", &options.loop.keepsPrevious),
        std::pair("return_final_states", &options.returnFinal),
        std::pair("recompute", &options.loop.recompute),
        std::pair("checkpoint", &options.loop.checkpoint)}) {
    FailureOr<bool> given = builder.flag(name, false);
    if (failed(given))
      return failure();
    *flag = *given;
  }
  options.counted = isCounted(builder);
  return options;
}

/// The batch: of a sequence, a context over positions, a given state, or what
/// the call says.
static FailureOr<Rows> rowsOf(ApplicationBuilder &builder,
                              const StepSignature &signature,
                              const NamedValues &values,
                              const NamedValues &sequences) {
  if (!sequences.empty())
    return Rows{sequences.begin()->second, 1};
  for (const StepValue &state : signature.states)
    if (Value given = values[state.name])
      return Rows{given, 0};
  for (const StepValue &context : signature.contexts)
    if (Value given = context.optional ? Value() : values[context.name])
      return Rows{given, 1};
  FailureOr<Value> rows = countedRows(builder, values);
  if (failed(rows))
    return failure();
  return Rows{*rows, 0};
}

/// The states that were given, or else what the brick starts from.
static LogicalResult addStates(const RecurrentBrick &kind,
                               ApplicationBuilder &builder,
                               const StepSignature &signature,
                               const NamedValues &values, Rows rows,
                               Loop &loop) {
  FailureOr<SmallVector<Value>> initial = SmallVector<Value>();
  if (!llvm::all_of(signature.states, [&](const StepValue &state) {
        return bool(values[state.name]);
      }))
    initial = kind.buildInitialStates(builder, rows.like, rows.axis);
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

/// Zeros for the sequences that a call without sequences leaves out.
static void addZeros(ApplicationBuilder &builder,
                     const StepSignature &signature, Rows rows,
                     NamedValues &values) {
  Type element = *builder.config.elementType();
  for (const StepValue &sequence : signature.sequences) {
    if (sequence.optional)
      continue;
    values.set(sequence.name,
               zeroRows(builder.ops, builder.getLoc(), sequence.dim, element,
                        rows.like, rows.axis));
  }
}

/// The loop over the sequences that are among `values`, or over the number of
/// steps that the call says, from the given states or the initial ones.
static FailureOr<Loop> loopOver(const RecurrentBrick &kind,
                                ApplicationBuilder &builder,
                                const StepSignature &signature,
                                const LoopOptions &options,
                                NamedValues &values) {
  Loop loop = options.loop;
  for (const StepValue &sequence : signature.sequences)
    if (Value value = values[sequence.name]) {
      if (failed(checkStepValue(builder, sequence, value, /*hasTime=*/true)))
        return failure();
      loop.sequences.set(sequence.name, value);
    }
  if (failed(checkAxes(builder, loop.sequences, 0, "steps")) ||
      failed(checkAxes(builder, loop.sequences, 1, "examples")))
    return failure();
  FailureOr<Rows> rows = rowsOf(builder, signature, values, loop.sequences);
  if (failed(rows) ||
      failed(addStates(kind, builder, signature, values, *rows, loop)))
    return failure();
  if (options.counted || loop.sequences.empty()) {
    FailureOr<Value> steps = countedSteps(builder, values);
    if (failed(steps))
      return failure();
    loop.steps = *steps;
    addZeros(builder, signature, *rows, values);
  }
  NamedValues all = loop.sequences;
  all.setAll(loop.states);
  for (const StepValue &output : signature.outputs)
    loop.outputs.push_back(output.name);
  if (failed(checkElements(builder, all)))
    return failure();
  return loop;
}

LogicalResult RecurrentBrick::buildIterated(ApplicationBuilder &builder) const {
  StepSignature signature =
      getSignature(builder.getBrick(), builder.getLibrary());
  FailureOr<LoopOptions> options = loopOptions(builder);
  if (failed(options))
    return failure();
  auto values = builder.bindArguments(
      stepArguments(signature, /*oneStep=*/false, options->counted));
  if (failed(values) || failed(prepareContexts(builder, *values)))
    return failure();
  FailureOr<Loop> loop = loopOver(*this, builder, signature, *options, *values);
  if (failed(loop))
    return failure();
  // What is no state but starts from something (glimpses) is carried as one
  // where its last value is asked for: the buffer of a state holds what it
  // started from beside all steps, so that there is a last value without steps.
  if (options->returnFinal)
    for (const StepValue &output : signature.outputs)
      if (!loop->states[output.name])
        if (Value initial = initialOutput(builder, output.name, *values))
          loop->states.set(output.name, initial);
  auto step = [&](const NamedValues &slices) {
    NamedValues all = slices;
    for (const auto *names : {&signature.sequences, &signature.contexts})
      for (const StepValue &name : *names)
        if (Value value = (*values)[name.name]; value && !slices[name.name])
          all.set(name.name, value);
    return buildStep(builder, all);
  };
  FailureOr<LoopResults> results = buildLoop(builder, *loop, step);
  if (failed(results))
    return failure();
  for (auto &[name, value] : results->outputs) {
    Value initial;
    if (options->returnInitial) {
      initial = loop->states[name];
      initial = initial ? initial : initialOutput(builder, name, *values);
    }
    builder.result(initial ? withInitialState(builder.ops, builder.getLoc(),
                                              value, initial, loop->reverse)
                           : value,
                   name);
  }
  for (const StepValue &state : signature.states)
    if (loop->keepsPrevious)
      builder.result(results->previous[state.name], previousName(state.name));
  if (options->returnFinal)
    for (auto &[name, value] : results->outputs)
      if (loop->states[name])
        builder.result(
            lastState(builder.ops, builder.getLoc(), value, loop->reverse),
            finalName(name));
  return success();
}

LogicalResult RecurrentBrick::buildOneStep(ApplicationBuilder &builder) const {
  StepSignature signature =
      getSignature(builder.getBrick(), builder.getLibrary());
  auto values =
      builder.bindArguments(stepArguments(signature, /*oneStep=*/true));
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
  return zeroRows(ops, loc, dim, *builder.config.elementType(), like,
                  batchAxis);
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
