//===- Interpreter.cpp - Runs a graph or a function, plainly --------------===//
//
// Walks a block in order and keeps the value of each SSA value. Here are the
// operations that touch the running step: parameters, outputs, random numbers,
// scan, and the report of labels out of range. The rest is in Evaluate.cpp.
//
//===----------------------------------------------------------------------===//
#include "lib/Reference/Interpreter.h"
#include "lib/Reference/Evaluate.h"

#include "blocks/Philox.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/TypeSwitch.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>

using namespace mlir;

namespace blocks::reference {

namespace {
class Interpreter {
public:
  Interpreter(const RunInputs &inputs, const UnknownOp &unknown)
      : inputs(inputs), unknown(unknown) {}

  FailureOr<RunResults> run(FunctionOpInterface entry);

private:
  LogicalResult bindArguments(FunctionOpInterface entry);
  LogicalResult bindArgument(FunctionOpInterface entry, unsigned i);
  LogicalResult checkAxes(FunctionOpInterface entry);
  LogicalResult runBlock(Block &block);
  LogicalResult runOperation(Operation *op);
  LogicalResult runPure(Operation *op);
  LogicalResult runGet(GetOp op);
  LogicalResult runAssign(AssignOp op);
  LogicalResult runStep(StepOp op);
  LogicalResult runRandom(RandomOp op);
  LogicalResult runScan(ScanOp op);
  LogicalResult runScanStep(ScanOp op, int64_t position,
                            ArrayRef<Tensor> slices, ArrayRef<Tensor> states);
  void bindNoSteps(ScanOp op, ArrayRef<Tensor> sequences,
                   ArrayRef<Tensor> states);
  bool bindInitialState(tensor::ExtractSliceOp op);
  LogicalResult runKernel(CallKernelOp op);
  LogicalResult runReturn(func::ReturnOp op);
  void checkLabels(Operation *op, Operands in);
  FailureOr<int64_t> counter(Operation *op, StringRef path);

  SmallVector<const Tensor *> operandsOf(Operation *op);
  const Tensor &valueOf(Value value) { return values.find(value)->second; }
  void bind(Value value, Tensor tensor) {
    values.insert_or_assign(value, std::move(tensor));
  }

  const RunInputs &inputs;
  const UnknownOp &unknown;
  llvm::DenseMap<Value, Tensor> values;
  RunResults results;
};
} // namespace

SmallVector<const Tensor *> Interpreter::operandsOf(Operation *op) {
  SmallVector<const Tensor *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(&valueOf(operand));
  return operands;
}

//===--- Arguments --------------------------------------------------------===//

LogicalResult Interpreter::bindArgument(FunctionOpInterface entry, unsigned i) {
  auto source = entry.getArgAttrOfType<StringAttr>(i, "blocks.source");
  auto state = entry.getArgAttrOfType<StringAttr>(i, "blocks.state");
  if (!source && !state)
    return entry.emitError()
           << "argument " << i << " has neither blocks.source nor blocks.state";
  std::string name = (source ? source : state).str();
  StringRef kind = source ? "source" : "state";
  const NamedTensors &from = source ? inputs.sources : inputs.state;
  auto found = from.find(name);
  if (found == from.end())
    return entry.emitError()
           << "there is no value for " << kind << " \"" << name << "\"";
  if (failed(checkValue(entry, Twine(kind) + " \"" + name + "\"", found->second,
                        entry.getArgumentTypes()[i])))
    return failure();
  bind(entry.getArgument(i), found->second);
  return success();
}

/// The axis names of a source; graphs know their defaults.
static SmallVector<StringRef> axisNames(FunctionOpInterface entry, unsigned i) {
  if (auto graph = dyn_cast<GraphOp>(*entry))
    return graph.getAxisNames(i);
  SmallVector<StringRef> names;
  if (auto axes = entry.getArgAttrOfType<ArrayAttr>(i, "blocks.axes"))
    for (Attribute axis : axes)
      names.push_back(cast<StringAttr>(axis).getValue());
  return names;
}

LogicalResult Interpreter::checkAxes(FunctionOpInterface entry) {
  std::map<StringRef, int64_t> extents;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    for (auto [axis, name] : llvm::enumerate(axisNames(entry, i))) {
      int64_t extent = valueOf(entry.getArgument(i)).extent(int64_t(axis));
      if (name.empty())
        continue;
      auto [known, isNew] = extents.try_emplace(name, extent);
      if (!isNew && known->second != extent)
        return entry.emitError()
               << "axis \"" << name << "\" has extent " << known->second
               << " in one source and " << extent << " in another";
    }
  return success();
}

LogicalResult Interpreter::bindArguments(FunctionOpInterface entry) {
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    if (failed(bindArgument(entry, i)))
      return failure();
  return checkAxes(entry);
}

//===--- Parameters, outputs, gradients -----------------------------------===//

LogicalResult Interpreter::runGet(GetOp op) {
  std::string path = parameterPath(op.getParameter());
  auto found = inputs.state.find(path);
  if (found == inputs.state.end())
    return op.emitError() << "there is no value for state \"" << path << "\"";
  if (failed(checkValue(op, "state \"" + Twine(path) + "\"", found->second,
                        op.getType())))
    return failure();
  bind(op.getResult(), found->second);
  return success();
}

/// `get` goes on yielding the old value, so updates are kept apart.
LogicalResult Interpreter::runAssign(AssignOp op) {
  results.updates.insert_or_assign(parameterPath(op.getParameter()),
                                   valueOf(op.getValue()));
  return success();
}

LogicalResult Interpreter::runStep(StepOp op) {
  results.gradients.insert_or_assign(parameterPath(op.getParameter()),
                                     valueOf(op.getGradient()));
  return success();
}

/// The results of a function carry their names in attributes.
LogicalResult Interpreter::runReturn(func::ReturnOp op) {
  auto function = op->getParentOfType<func::FuncOp>();
  for (auto [i, value] : llvm::enumerate(op.getOperands())) {
    auto state =
        function.getResultAttrOfType<StringAttr>(unsigned(i), "blocks.state");
    auto output =
        function.getResultAttrOfType<StringAttr>(unsigned(i), "blocks.output");
    if (state)
      results.updates.insert_or_assign(state.str(), valueOf(value));
    else
      results.outputs.emplace_back(output ? output.str()
                                          : "result " + std::to_string(i),
                                   valueOf(value));
  }
  return success();
}

//===--- Random numbers ---------------------------------------------------===//

/// The seed or the step: state of the algorithm, 0 if the module has none.
FailureOr<int64_t> Interpreter::counter(Operation *op, StringRef path) {
  auto found = inputs.state.find(path.str());
  if (found == inputs.state.end())
    return 0;
  if (found->second.isReal() || found->second.rank() != 0)
    return op->emitError() << "state \"" << path << "\" is "
                           << typeText(found->second) << ", expected i64";
  return found->second.integer(0);
}

LogicalResult Interpreter::runRandom(RandomOp op) {
  FailureOr<int64_t> seed = counter(op, "/algorithm.seed");
  FailureOr<int64_t> step = counter(op, "/algorithm.step");
  if (failed(seed) || failed(step))
    return failure();
  uint32_t loopIndex = 0;
  for (Value position : op.getIndex())
    loopIndex =
        philoxLoopIndex(loopIndex, uint64_t(valueOf(position).integer(0)));
  RandomPlace place{uint64_t(*seed), op.getSite(), uint32_t(*step), loopIndex};
  bind(op.getResult(),
       random(op.getKind(), place, valueOf(op.getLike()).shape(),
              op.getType().getElementType()));
  return success();
}

//===--- Scan -------------------------------------------------------------===//

/// The shape of one step's value, stacked over `steps`.
static Index stackedShape(int64_t steps, ArrayRef<int64_t> slice) {
  Index shape{steps};
  llvm::append_range(shape, slice);
  return shape;
}

/// One step of `op` at `position`: its yielded values are bound behind it.
LogicalResult Interpreter::runScanStep(ScanOp op, int64_t position,
                                       ArrayRef<Tensor> slices,
                                       ArrayRef<Tensor> states) {
  bind(op.getPosition(), Tensor::index(op.getContext(), position));
  for (auto [argument, slice] : llvm::zip(op.getSliceArguments(), slices))
    bind(argument, slice);
  for (auto [argument, state] : llvm::zip(op.getStateArguments(), states))
    bind(argument, state);
  return runBlock(op.getBody().front());
}

/// Results of no steps. Their other extents are those of a step's values, which
/// a step over zeros has, too; it leaves nothing else behind.
void Interpreter::bindNoSteps(ScanOp op, ArrayRef<Tensor> sequences,
                              ArrayRef<Tensor> states) {
  SmallVector<Tensor> zeros;
  for (const Tensor &sequence : sequences)
    zeros.emplace_back(sequence.elementType(),
                       Index(sequence.shape().drop_front()));
  StepStatus status = results.status;
  bool known;
  {
    ScopedDiagnosticHandler silence(op.getContext(),
                                    [](Diagnostic &) { return success(); });
    known = succeeded(runScanStep(op, 0, zeros, states));
  }
  results.status = status;
  auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
  for (auto [result, value] : llvm::zip(op.getResults(), yield.getOperands())) {
    Index shape(cast<RankedTensorType>(result.getType()).getShape());
    if (known)
      shape = stackedShape(0, valueOf(value).shape());
    shape[0] = 0;
    // What a step cannot be computed for (it takes an element of an empty axis)
    // keeps no extent of what is not there.
    llvm::replace(shape, ShapedType::kDynamic, int64_t(0));
    bind(result, Tensor(getElementTypeOrSelf(result), shape));
  }
}

LogicalResult Interpreter::runScan(ScanOp op) {
  SmallVector<Tensor> sequences, states, stacked(op.getNumResults());
  for (Value sequence : op.getSequences())
    sequences.push_back(valueOf(sequence));
  for (Value state : op.getStates())
    states.push_back(valueOf(state));
  int64_t steps = op.getSteps() ? valueOf(op.getSteps()).integer(0)
                                : sequences[0].extent(0);
  for (const Tensor &sequence : sequences)
    if (sequence.extent(0) != steps)
      return op.emitError() << "sequences have " << steps << " and "
                            << sequence.extent(0) << " steps";
  if (steps == 0) {
    bindNoSteps(op, sequences, states);
    return success();
  }
  auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
  for (int64_t step = 0; step < steps; ++step) {
    int64_t t = op.getReverse() ? steps - 1 - step : step;
    SmallVector<Tensor> slices;
    for (const Tensor &sequence : sequences)
      slices.push_back(sequence.slice(t));
    if (failed(runScanStep(op, t, slices, states)))
      return failure();
    for (auto [state, value] : llvm::zip(states, yield.getStates()))
      state = valueOf(value);
    for (auto [tensor, value] : llvm::zip(stacked, yield.getOperands())) {
      const Tensor &slice = valueOf(value);
      if (step == 0)
        tensor =
            Tensor(slice.elementType(), stackedShape(steps, slice.shape()));
      tensor.setSlice(t, slice);
    }
  }
  for (auto [result, tensor] : llvm::zip(op.getResults(), stacked))
    bind(result, std::move(tensor));
  return success();
}

/// One slice of a scan's stacked states when there were no steps: the initial
/// state, which compiled code keeps beside them.
bool Interpreter::bindInitialState(tensor::ExtractSliceOp op) {
  Value source = op.getSource();
  while (auto tag = source.getDefiningOp<TagOp>())
    source = tag.getInput();
  auto scan = source.getDefiningOp<ScanOp>();
  if (!scan || valueOf(source).extent(0) != 0)
    return false;
  unsigned number = cast<OpResult>(source).getResultNumber();
  if (number >= scan.getStates().size() || !op.getDroppedDims().test(0) ||
      op.getType() != scan.getStates()[number].getType())
    return false;
  bind(op, valueOf(scan.getStates()[number]));
  return true;
}

//===--- Kernels ----------------------------------------------------------===//

/// A kernel is its body. Axes of one name have one extent.
LogicalResult Interpreter::runKernel(CallKernelOp op) {
  KernelOp kernel = op.getCallee();
  Block &body = kernel.getBody().front();
  std::map<StringRef, int64_t> extents;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    const Tensor &input = valueOf(op.getInputs()[i]);
    for (auto [axis, name] : llvm::enumerate(kernel.getArgumentAxes(i))) {
      int64_t extent = input.extent(int64_t(axis));
      auto [known, isNew] = extents.try_emplace(name, extent);
      if (!name.empty() && !isNew && known->second != extent)
        return op.emitError()
               << "axis \"" << name << "\" of kernel @" << op.getKernel()
               << " has extent " << known->second << " in one input and "
               << extent << " in another";
    }
    bind(body.getArgument(i), input);
  }
  if (failed(runBlock(body)))
    return failure();
  for (auto [result, value] :
       llvm::zip(op.getResults(), body.getTerminator()->getOperands()))
    bind(result, valueOf(value));
  return success();
}

//===--- Walking ----------------------------------------------------------===//

/// Keeps the first label out of range, in the order of the program.
void Interpreter::checkLabels(Operation *op, Operands in) {
  auto brick = op->getAttrOfType<StringAttr>("brick");
  if (!isa<SoftmaxCrossEntropyOp, PickOp, GatherOp>(op) || in[1]->isReal() ||
      !results.status.ok)
    return;
  int64_t limit = isa<GatherOp>(op) ? in[0]->extent(0) : in[0]->shape().back();
  if (std::optional<BadLabel> bad = findBadLabel(*in[1], limit))
    results.status = {false,
                      op->getName().stripDialect().str(),
                      brick ? brick.str() : "",
                      bad->row,
                      bad->value,
                      bad->limit};
}

LogicalResult Interpreter::runPure(Operation *op) {
  SmallVector<const Tensor *> in = operandsOf(op);
  if (op->getNumResults() == 0 && unknown)
    return unknown(op, in);
  auto computed = evaluate(op, in);
  if (failed(computed))
    return failure();
  checkLabels(op, in);
  for (auto [result, tensor] : llvm::zip(op->getResults(), *computed))
    bind(result, std::move(tensor));
  return success();
}

LogicalResult Interpreter::runOperation(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](GetOp o) { return runGet(o); })
      .Case([&](AssignOp o) { return runAssign(o); })
      .Case([&](StepOp o) { return runStep(o); })
      .Case([&](RandomOp o) { return runRandom(o); })
      .Case([&](ScanOp o) { return runScan(o); })
      .Case([&](tensor::ExtractSliceOp o) {
        return bindInitialState(o) ? success() : runPure(o);
      })
      .Case([&](func::ReturnOp o) { return runReturn(o); })
      .Case([&](OutputOp o) {
        results.outputs.emplace_back(o.getName().str(), valueOf(o.getValue()));
        return success();
      })
      .Case([&](YieldOp) { return success(); }) // read by runScan
      .Case([&](CallKernelOp o) { return runKernel(o); })
      .Case([&](ReturnOp) { return success(); }) // read by runKernel
      .Case([](ApplyOp o) {
        return o.emitError("applications must be inlined before the graph is "
                           "interpreted; run blocks-inline-applications");
      })
      .Default([&](Operation *) { return runPure(op); });
}

LogicalResult Interpreter::runBlock(Block &block) {
  for (Operation &op : block)
    if (failed(runOperation(&op)))
      return failure();
  return success();
}

FailureOr<RunResults> Interpreter::run(FunctionOpInterface entry) {
  if (failed(bindArguments(entry)) ||
      failed(runBlock(entry.getFunctionBody().front())))
    return failure();
  return std::move(results);
}

FailureOr<RunResults> run(FunctionOpInterface entry, const RunInputs &inputs,
                          const UnknownOp &unknown) {
  return Interpreter(inputs, unknown).run(entry);
}

} // namespace blocks::reference
