//===- Checks.h - What is checked of a random model -----------------------===//
#ifndef TEST_LIB_REFERENCE_RANDOM_GRAPHS_CHECKS_H
#define TEST_LIB_REFERENCE_RANDOM_GRAPHS_CHECKS_H

#include "test/tools/RandomInputs.h"

#include <string>

namespace blocks::testing {

/// A random model as text, and how to run it.
struct RandomModel {
  uint64_t seed;
  std::string text;
  Extents extents; ///< The batch: 1, a few, or more than a vector's lanes.
  Ranges ranges;   ///< Labels below 3, bytes below 256.
};
RandomModel makeRandomModel(uint64_t seed, unsigned graphs);

/// Outputs in f32 agree with those of the same model in f64 to 1e-4: the graph
/// is well-conditioned, and the interpreter rounds without harm.
bool checkRounding(mlir::MLIRContext &context, const RandomModel &model);

/// Gradients in f64 agree with differences of the cost to 1e-6.
bool checkRandomGradients(mlir::MLIRContext &context, const RandomModel &model);

#ifdef BLOCKS_HAVE_COMPILE
/// Compiled code agrees with the reference: outputs to 2e-5, gradients (by a
/// step of learning rate 1) to 2e-4, relative to max(1, |expected|).
bool checkCompiled(mlir::MLIRContext &context, const RandomModel &model);
#endif

/// Prints how outputs differ; true if they do not.
bool sameOutputs(
    const std::string &entry,
    const std::vector<std::pair<std::string, reference::Tensor>> &found,
    const std::vector<std::pair<std::string, reference::Tensor>> &expected,
    double tolerance);

} // namespace blocks::testing

#endif
