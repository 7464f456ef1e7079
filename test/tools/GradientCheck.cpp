//===- GradientCheck.cpp - Gradients against differences of the cost ------===//
#include "test/tools/GradientCheck.h"
#include "test/tools/Checks.h"

#include <algorithm>
#include <cmath>

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

/// What the gradient should be where the cost is `below`, `at` and `above` for
/// the parameter's element less h, itself, and plus h. Smooth costs have the
/// central difference; at a kink (the two sides disagree by more than a second
/// derivative explains) anything between the two sides is right.
static double expectedGradient(double below, double at, double above, double h,
                               double gradient) {
  double left = (at - below) / h, right = (above - at) / h;
  double central = (above - below) / (2 * h);
  if (std::fabs(right - left) <= 100 * h * std::fmax(1, std::fabs(central)))
    return central;
  return std::clamp(gradient, std::fmin(left, right), std::fmax(left, right));
}

/// The expected gradient of every element of one parameter.
static FailureOr<Tensor> differences(FunctionOpInterface graph,
                                     RunInputs inputs, const std::string &path,
                                     const GradientCheck &check, double cost,
                                     const Tensor &gradient) {
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
    result.setReal(i, expectedGradient(*below, cost, *above, check.step,
                                       gradient.real(i)));
  }
  return result;
}

FailureOr<int64_t> checkGradients(ModuleOp module, FunctionOpInterface graph,
                                  const GradientCheck &check, uint64_t seed) {
  llvm::Expected<NamedTensors> state = randomState(module, seed);
  if (!state)
    return module.emitError(llvm::toString(state.takeError()));
  RunInputs inputs{randomSources(graph, check.extents, seed, check.ranges),
                   std::move(*state)};
  FailureOr<RunResults> results = reference::run(graph, inputs, runCheck);
  if (failed(results))
    return failure();
  if (results->gradients.empty())
    return graph.emitError("has no blocks.step; nothing was differentiated");
  FailureOr<double> cost = costOf(graph, inputs, check.cost);
  if (failed(cost))
    return failure();
  int64_t compared = 0;
  for (auto &[path, gradient] : results->gradients) {
    if (!gradient.elementType().isF64())
      return graph.emitError()
             << "the gradient of " << path << " is " << typeText(gradient)
             << "; gradient checks need f64";
    FailureOr<Tensor> expected =
        differences(graph, inputs, path, check, *cost, gradient);
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
