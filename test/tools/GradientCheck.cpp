//===- GradientCheck.cpp - Gradients against differences of the cost ------===//
#include "test/tools/GradientCheck.h"
#include "test/tools/Checks.h"

using namespace mlir;

namespace blocks::testing {

using reference::NamedTensors;
using reference::RunInputs;
using reference::RunResults;
using reference::Tensor;

static FailureOr<double> costOf(FunctionOpInterface graph,
                                const RunInputs &inputs,
                                const std::string &name) {
  FailureOr<RunResults> results = reference::run(graph, inputs, runCheck);
  if (failed(results))
    return failure();
  for (auto &[output, value] : results->outputs)
    if (output == name)
      return value.real(0);
  return graph.emitError() << "has no output \"" << name << "\"";
}

/// The central difference in every element of one parameter.
static FailureOr<Tensor> differences(FunctionOpInterface graph,
                                     RunInputs inputs, const std::string &path,
                                     const GradientCheck &check) {
  Tensor &parameter = inputs.state[path];
  Tensor result(parameter.elementType(), parameter.shape());
  for (int64_t i = 0; i < parameter.size(); ++i) {
    double value = parameter.real(i);
    parameter.setReal(i, value + check.step);
    FailureOr<double> above = costOf(graph, inputs, check.cost);
    parameter.setReal(i, value - check.step);
    FailureOr<double> below = costOf(graph, inputs, check.cost);
    parameter.setReal(i, value);
    if (failed(above) || failed(below))
      return failure();
    result.setReal(i, (*above - *below) / (2 * check.step));
  }
  return result;
}

FailureOr<int64_t> checkGradients(ModuleOp module, FunctionOpInterface graph,
                                  const GradientCheck &check, uint64_t seed) {
  llvm::Expected<NamedTensors> state = randomState(module, seed);
  if (!state)
    return module.emitError(llvm::toString(state.takeError()));
  RunInputs inputs{randomSources(graph, check.extents, seed),
                   std::move(*state)};
  FailureOr<RunResults> results = reference::run(graph, inputs, runCheck);
  if (failed(results))
    return failure();
  if (results->gradients.empty())
    return graph.emitError("has no blocks.step; nothing was differentiated");
  int64_t compared = 0;
  for (auto &[path, gradient] : results->gradients) {
    if (!gradient.elementType().isF64())
      return graph.emitError()
             << "the gradient of " << path << " is " << typeText(gradient)
             << "; gradient checks need f64";
    FailureOr<Tensor> expected = differences(graph, inputs, path, check);
    if (failed(expected))
      return failure();
    if (auto text = difference(gradient, *expected, check.tolerance))
      return graph.emitError()
             << "the gradient of " << path << " (seed " << seed
             << ") disagrees with the cost's differences " << *text;
    compared += gradient.size();
  }
  return compared;
}

} // namespace blocks::testing
