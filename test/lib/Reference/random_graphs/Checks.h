//===- Checks.h - What is checked of a random model -----------------------===//
#ifndef TEST_LIB_REFERENCE_RANDOM_GRAPHS_CHECKS_H
#define TEST_LIB_REFERENCE_RANDOM_GRAPHS_CHECKS_H

#include "test/lib/Reference/random_graphs/Coverage.h"
#include "test/tools/RandomInputs.h"

#include <string>

namespace blocks::testing {

/// A random model as text, and how to run it.
struct RandomModel {
  uint64_t seed;
  std::string text;
  Extents extents; ///< Batch: 1, a few, or more than a vector's lanes. Time:
                   ///< 0 to 5.
  Ranges ranges;   ///< Labels below 3, bytes below 256.
  std::string device = "cpu"; ///< What compiled code runs on.
  /// Empty: this processor's level.
  std::string cpuLevel = {};
  /// The least that programs for GPUs are made for: the strictest.
  std::string cudaArch = "sm_75";
  /// Parameters have random values, as `check.range` asks, not initial ones.
  bool randomParameters = false;
  /// Where programs, inputs and results are stored (StoredCase.h): a folder and
  /// the beginning of files' names; empty: nowhere.
  std::string store = {};
  Coverage *coverage = nullptr; ///< If not null, notes what was compared.
};
RandomModel makeRandomModel(uint64_t seed, unsigned graphs);

/// Outputs in f32 agree with those of the same model in f64 to 1e-4: the graph
/// is well-conditioned, and the interpreter rounds without harm.
bool checkRounding(mlir::MLIRContext &context, const RandomModel &model);

/// Gradients in f64 agree with differences of the cost to 1e-6.
bool checkRandomGradients(mlir::MLIRContext &context, const RandomModel &model);

#ifdef BLOCKS_HAVE_COMPILE
/// Relative to max(1, |expected|).
struct Tolerances {
  double output, gradient;
};
constexpr Tolerances singleTolerances{2e-5, 2e-4};
constexpr Tolerances doubleTolerances{1e-12, 1e-11};

/// Compiled code agrees with the reference: the outputs of all graphs, and the
/// gradients of the graph @cost if there is one (by a step of learning rate 1).
bool checkCompiled(mlir::MLIRContext &context, const RandomModel &model,
                   Tolerances tolerances = singleTolerances);
#endif

/// Prints how outputs differ; true if they do not.
bool sameOutputs(
    const std::string &entry,
    const std::vector<std::pair<std::string, reference::Tensor>> &found,
    const std::vector<std::pair<std::string, reference::Tensor>> &expected,
    double tolerance);

} // namespace blocks::testing

#endif
