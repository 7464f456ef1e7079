//===- SequenceGenerator.cpp - Sequences, output by output ----------------===//
//
// In step i: glimpses of the states before it, a readout of them and of the
// output before it, an output of that, and the next states. Three ways to go
// through them: `cost_matrix` is given the outputs, so that only the transition
// needs a loop; `generate` draws them; `search_start` and `search_step` are the
// pieces that beam search calls (runtime/Search).
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/GeneratorSteps.h"
#include "lib/Bricks/NamedCall.h"
#include "lib/Bricks/Readout.h"
#include "lib/Bricks/TensorHelpers.h"

using namespace mlir;

namespace blocks {
namespace {

class SequenceGenerator : public BrickKind {
  StringRef getName() const override { return "SequenceGenerator"; }
  std::vector<StringRef> getSettings() const override {
    return {"readout",    "transition",    "attention",
            "distribute", "attended_name", "attended_mask_name",
            orderSetting, "context_names", "context_dims",
            "fork",       weightsInit,     biasesInit};
  }
  std::vector<StringRef> getApplications() const override {
    return {"cost", "cost_matrix", "generate", "search_start", "search_step"};
  }
  std::vector<StringRef> getOptions(StringRef application) const override {
    if (application == "generate")
      return {"arguments", nStepsOption, batchSizeOption};
    if (application == "search_start")
      return {"arguments", batchSizeOption};
    if (application == "search_step")
      return {"arguments"};
    return {"arguments", "recompute", "checkpoint", "return_final_states"};
  }

  LogicalResult declare(BrickDeclaration &brick) const override {
    return declareGenerator(brick);
  }

  //===--- Arguments ------------------------------------------------------===//

  static void addContexts(std::vector<ArgumentName> &arguments,
                          const GeneratorNames &names, bool optional) {
    for (const StepValue &context : names.contexts)
      if (context.optional == optional)
        arguments.push_back({context.name, optional});
    for (const StepValue &context : names.given)
      if (!optional)
        arguments.push_back({context.name});
  }

  /// The optional contexts as take_glimpses has them: what is prepared of the
  /// attended sequence stands right behind it, since each step needs it.
  static void addPreparedFirst(std::vector<ArgumentName> &arguments,
                               const GeneratorNames &names) {
    std::vector<ArgumentName> optional;
    addContexts(optional, names, true);
    auto prepared = llvm::find_if(optional, [](const ArgumentName &argument) {
      return argument.name == preprocessedAttended;
    });
    if (prepared != optional.end())
      std::rotate(optional.begin(), prepared, prepared + 1);
    llvm::append_range(arguments, optional);
  }

  /// The generator's own contexts are (batch, features).
  static FailureOr<NamedValues> bind(ApplicationBuilder &builder,
                                     const GeneratorNames &names,
                                     ArrayRef<ArgumentName> arguments) {
    auto values = builder.bindArguments(arguments);
    if (failed(values))
      return failure();
    for (const StepValue &context : names.given)
      if (failed(checkStepValue(builder, context, (*values)[context.name],
                                /*hasTime=*/false)))
        return failure();
    return values;
  }

  /// The rows of the batch, as a tensor with that one axis.
  static FailureOr<Value> rowsOf(ApplicationBuilder &builder,
                                 const GeneratorNames &names,
                                 const NamedValues &values) {
    if (!values[batchArgument]) {
      for (const StepValue &context : names.contexts)
        if (!context.optional)
          return batchOf(builder.ops, builder.getLoc(), values[context.name],
                         1);
      for (const auto *rows : {&names.given, &names.states})
        for (const StepValue &row : *rows)
          if (Value given = values[row.name])
            return batchOf(builder.ops, builder.getLoc(), given, 0);
    }
    return countedRows(builder, values);
  }

  LogicalResult build(StringRef application,
                      ApplicationBuilder &builder) const override {
    if (application == "generate")
      return buildGenerate(builder);
    if (application == "search_start")
      return buildSearchStart(builder);
    if (application == "search_step")
      return buildSearchStep(builder);
    return buildCost(builder, application == "cost");
  }

  //===--- Costs of given outputs -----------------------------------------===//

  static LogicalResult buildCost(ApplicationBuilder &builder, bool reduces) {
    GeneratorSteps steps(builder);
    std::vector<ArgumentName> arguments{{outputs.str()}};
    addContexts(arguments, steps.names, false);
    arguments.push_back({mask.str(), true});
    addContexts(arguments, steps.names, true);
    for (const StepValue &state : steps.names.signature.states)
      arguments.push_back({state.name, true});
    auto values = bind(builder, steps.names, arguments);
    if (failed(values) ||
        failed(checkSequence(builder, (*values)[outputs], (*values)[mask])))
      return failure();
    NamedValues finals;
    FailureOr<Value> matrix = costMatrix(builder, steps, *values, finals);
    if (failed(matrix))
      return failure();
    if (reduces)
      reduceCosts(builder, *matrix, (*values)[mask]);
    else
      builder.result(*matrix, "costs");
    for (auto &[name, value] : finals)
      builder.result(value, name);
    return success();
  }

  /// outputs are (time, batch, …), the mask is (time, batch).
  static LogicalResult checkSequence(ApplicationBuilder &builder, Value given,
                                     Value mask) {
    auto type = dyn_cast<RankedTensorType>(given.getType());
    if (!type || type.getRank() < 2)
      return builder.error()
             << "takes outputs of shape (time, batch, …), found "
             << given.getType();
    auto maskType =
        mask ? dyn_cast<RankedTensorType>(mask.getType()) : RankedTensorType();
    if (!mask || (maskType && maskType.getRank() == 2 &&
                  extentsFit(maskType.getDimSize(0), type.getDimSize(0)) &&
                  extentsFit(maskType.getDimSize(1), type.getDimSize(1))))
      return success();
    return builder.error() << "takes a mask of shape (time, batch) for outputs "
                              "of type "
                           << type << ", found " << mask.getType();
  }

  /// One cost for each step and example, 0 where the mask is. `finals` takes
  /// what the next part of the sequences starts from, if it was asked for.
  static FailureOr<Value> costMatrix(ApplicationBuilder &builder,
                                     GeneratorSteps &steps,
                                     const NamedValues &values,
                                     NamedValues &finals) {
    Value given = values[outputs];
    FailureOr<Value> fed = steps.ask(feedback, given);
    if (failed(fed))
      return failure();
    auto sources = runTransition(builder, steps, values, *fed, finals);
    FailureOr<Value> before = shifted(builder, steps, given, *fed);
    if (failed(sources) || failed(before))
      return failure();
    sources->set(feedback, *before);
    for (const StepValue &context : steps.names.given)
      sources->set(context.name, values[context.name]);
    FailureOr<Value> readouts = steps.readouts(*sources);
    if (failed(readouts))
      return failure();
    FailureOr<Value> matrix = steps.ask("cost", {*readouts, given});
    Value weights = values[mask];
    if (failed(matrix) || !weights)
      return matrix;
    Value m = BroadcastOp::create(builder.ops, builder.getLoc(), weights,
                                  *matrix, ArrayRef<int64_t>{0, 1});
    return arith::MulFOp::create(builder.ops, builder.getLoc(), *matrix, m)
        .getResult();
  }

  /// The states before each step and the glimpses of each step.
  static FailureOr<NamedValues> runTransition(ApplicationBuilder &builder,
                                              GeneratorSteps &steps,
                                              const NamedValues &values,
                                              Value fed, NamedValues &finals) {
    NamedValues asked;
    if (failed(steps.addInputs(asked, fed)))
      return failure();
    if (Value weights = values[mask])
      asked.set(mask, weights);
    for (const auto *names :
         {&steps.names.contexts, &steps.names.signature.states})
      for (const StepValue &name : *names)
        if (Value value = values[name.name])
          asked.set(name.name, value);
    NamedAttrList options;
    options.set("return_previous_states", builder.ops.getUnitAttr());
    for (StringRef passedOn :
         {"recompute", "checkpoint", "return_final_states"})
      if (Attribute value = builder.option(passedOn))
        options.set(passedOn, value);
    auto results =
        callChild(builder, steps.names.transition, "apply", asked, options);
    if (failed(results))
      return failure();
    NamedValues sources;
    for (const StepValue &glimpse : steps.names.glimpses)
      sources.set(glimpse.name,
                  builder.auxiliary((*results)[glimpse.name], glimpse.name));
    for (const StepValue &state : steps.names.states) {
      builder.auxiliary((*results)[state.name], state.name);
      sources.set(state.name, (*results)[previousName(state.name)]);
    }
    if (steps.names.transitionFirst)
      for (const StepValue &glimpse : steps.names.fedBack)
        sources.set(glimpse.name, (*results)[previousName(glimpse.name)]);
    for (const auto *names : {&steps.names.states, &steps.names.glimpses})
      for (const StepValue &name : *names)
        if (Value last = (*results)[finalName(name.name)]) {
          builder.auxiliary(last, finalName(name.name));
          finals.set(finalName(name.name), last);
        }
    return sources;
  }

  /// The feedback of the step before, first that of the initial outputs. A loop
  /// that carries it over needs no copy but the stack itself.
  static FailureOr<Value> shifted(ApplicationBuilder &builder,
                                  GeneratorSteps &steps, Value given,
                                  Value fed) {
    FailureOr<Value> first = steps.ask(
        "initial_outputs", batchOf(builder.ops, builder.getLoc(), given, 1));
    if (failed(first))
      return failure();
    FailureOr<Value> start = steps.ask(feedback, *first);
    if (failed(start))
      return failure();
    Loop loop;
    loop.sequences.set("now", fed);
    loop.states.set(feedback, *start);
    loop.outputs = {feedback.str()};
    loop.keepsPrevious = true;
    auto results = buildLoop(builder, loop, [](const NamedValues &slices) {
      return FailureOr<SmallVector<Value>>(SmallVector<Value>{slices["now"]});
    });
    if (failed(results))
      return failure();
    return results->previous[feedback];
  }

  /// The sum over time, averaged over the batch.
  static void reduceCosts(ApplicationBuilder &builder, Value matrix,
                          Value mask) {
    OpBuilder &ops = builder.ops;
    Location loc = builder.getLoc();
    Value total = ReduceOp::create(ops, loc, ReduceKind::Sum, matrix,
                                   ArrayRef<int64_t>{0, 1});
    auto extent = [&](ArrayRef<int64_t> axes) -> Value {
      return ExtentOp::create(ops, loc, total.getType(), matrix,
                              ops.getDenseI64ArrayAttr(axes));
    };
    Value elements = mask ? ReduceOp::create(ops, loc, ReduceKind::Sum, mask,
                                             ArrayRef<int64_t>{0, 1})
                                .getResult()
                          : extent({0, 1});
    builder.auxiliary(arith::DivFOp::create(ops, loc, total, elements),
                      "per_sequence_element");
    builder.result(arith::DivFOp::create(ops, loc, total, extent({1})), "cost",
                   Role::Cost);
  }

  //===--- Generation -----------------------------------------------------===//

  static LogicalResult buildGenerate(ApplicationBuilder &builder) {
    GeneratorSteps steps(builder);
    std::vector<ArgumentName> arguments;
    addContexts(arguments, steps.names, false);
    arguments.push_back({stepsArgument.str(), true});
    arguments.push_back({batchArgument.str(), true});
    addContexts(arguments, steps.names, true);
    for (const StepValue &state : steps.names.signature.states)
      arguments.push_back({state.name, true});
    auto values = bind(builder, steps.names, arguments);
    if (failed(values))
      return failure();
    FailureOr<Value> rows = rowsOf(builder, steps.names, *values);
    if (failed(rows) || failed(steps.prepare(*values)) ||
        failed(steps.addInitialStates(*values, *rows, 0)))
      return failure();
    FailureOr<Loop> loop = generatorLoop(builder, steps, *values, *rows);
    if (failed(loop))
      return failure();
    auto results = buildLoop(builder, *loop, [&](const NamedValues &slices) {
      return generatorStep(steps, *loop, *values, slices);
    });
    if (failed(results))
      return failure();
    for (auto &[name, value] : results->outputs)
      builder.result(value, name);
    return success();
  }

  /// States, then outputs, glimpses and costs.
  static FailureOr<Loop> generatorLoop(ApplicationBuilder &builder,
                                       GeneratorSteps &steps,
                                       const NamedValues &values, Value rows) {
    Loop loop;
    FailureOr<Value> first = steps.ask("initial_outputs", rows);
    if (failed(first))
      return failure();
    for (const StepValue &state : steps.names.signature.states)
      loop.states.set(state.name, values[state.name]);
    loop.states.set(outputs, *first);
    for (const StepValue &state : steps.names.states)
      loop.outputs.push_back(state.name);
    loop.outputs.push_back(outputs.str());
    for (const StepValue &glimpse : steps.names.glimpses)
      loop.outputs.push_back(glimpse.name);
    loop.outputs.push_back(costs.str());
    FailureOr<Value> number = countedSteps(builder, values);
    if (failed(number))
      return failure();
    loop.steps = *number;
    return loop;
  }

  static FailureOr<SmallVector<Value>>
  generatorStep(GeneratorSteps &steps, const Loop &loop,
                const NamedValues &outer, const NamedValues &slices) {
    NamedValues all = outer;
    all.setAll(slices);
    FailureOr<Value> before = steps.ask(feedback, all[outputs]);
    if (failed(before) || failed(steps.addGlimpses(all)))
      return failure();
    all.set(feedback, *before);
    FailureOr<Value> readouts = steps.readouts(all);
    if (failed(readouts))
      return failure();
    FailureOr<Value> emitted = steps.ask("emit", *readouts);
    if (failed(emitted))
      return failure();
    FailureOr<Value> cost = steps.ask("cost", {*readouts, *emitted});
    FailureOr<Value> fed = steps.ask(feedback, *emitted);
    if (failed(cost) || failed(fed))
      return failure();
    auto next = steps.nextStates(all, *fed);
    if (failed(next))
      return failure();
    all.setAll(*next);
    all.set(outputs, *emitted);
    all.set(costs, *cost);
    SmallVector<Value> ordered;
    for (const std::string &name : loop.outputs)
      ordered.push_back(all[name]);
    return ordered;
  }

  //===--- Search ---------------------------------------------------------===//

  /// The costs of all first outputs, and what the first step starts from.
  static LogicalResult buildSearchStart(ApplicationBuilder &builder) {
    GeneratorSteps steps(builder);
    std::vector<ArgumentName> arguments;
    addContexts(arguments, steps.names, false);
    arguments.push_back({batchArgument.str(), true});
    addContexts(arguments, steps.names, true);
    auto values = bind(builder, steps.names, arguments);
    if (failed(values))
      return failure();
    FailureOr<Value> rows = rowsOf(builder, steps.names, *values);
    if (failed(rows) || failed(steps.prepare(*values)) ||
        failed(steps.addInitialStates(*values, *rows, 0)))
      return failure();
    FailureOr<Value> first = steps.ask("initial_outputs", *rows);
    if (failed(first) || failed(giveCosts(builder, steps, *values, *first)))
      return failure();
    if (Value prepared = (*values)[preprocessedAttended])
      builder.result(prepared, preprocessedAttended);
    return success();
  }

  /// From the chosen outputs to the costs of all next ones.
  static LogicalResult buildSearchStep(ApplicationBuilder &builder) {
    GeneratorSteps steps(builder);
    std::vector<ArgumentName> arguments{{outputs.str()}};
    for (const auto *names : {&steps.names.states, &steps.names.glimpses})
      for (const StepValue &name : *names)
        arguments.push_back({name.name});
    addContexts(arguments, steps.names, false);
    addPreparedFirst(arguments, steps.names);
    auto values = bind(builder, steps.names, arguments);
    if (failed(values))
      return failure();
    FailureOr<Value> fed = steps.ask(feedback, (*values)[outputs]);
    if (failed(fed) || failed(steps.prepare(*values)))
      return failure();
    auto next = steps.nextStates(*values, *fed);
    if (failed(next))
      return failure();
    values->setAll(*next);
    return giveCosts(builder, steps, *values, (*values)[outputs]);
  }

  /// Gives costs, states and glimpses after `last` was generated.
  static LogicalResult giveCosts(ApplicationBuilder &builder,
                                 GeneratorSteps &steps, NamedValues &values,
                                 Value last) {
    FailureOr<Value> fed = steps.ask(feedback, last);
    if (failed(fed) || failed(steps.addGlimpses(values)))
      return failure();
    values.set(feedback, *fed);
    FailureOr<Value> readouts = steps.readouts(values);
    if (failed(readouts))
      return failure();
    FailureOr<Value> all = steps.ask(costs, *readouts);
    if (failed(all))
      return failure();
    builder.result(*all, costs);
    for (const auto *names : {&steps.names.states, &steps.names.glimpses})
      for (const StepValue &name : *names)
        builder.result(values[name.name], name.name);
    return success();
  }
};

} // namespace

void addEmitters(BrickLibrary &library);
void addFeedbacks(BrickLibrary &library);
void addReadout(BrickLibrary &library);

void addGeneratorBricks(BrickLibrary &library) {
  addEmitters(library);
  addFeedbacks(library);
  addReadout(library);
  library.add(std::make_unique<SequenceGenerator>());
}

} // namespace blocks
