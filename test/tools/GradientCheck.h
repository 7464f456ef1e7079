//===- GradientCheck.h - Gradients against differences of the cost --------===//
//
// Compares the gradient of every trained parameter with central differences of
// the training graph's cost, both by the reference interpreter in double
// precision: (cost(p + h) - cost(p - h)) / 2h with h = 1e-5. The error of the
// difference is about h² of the third derivative plus 1e-16/h of the cost,
// together near 1e-10, far below the tolerance.
//
//===----------------------------------------------------------------------===//
#ifndef TEST_TOOLS_GRADIENTCHECK_H
#define TEST_TOOLS_GRADIENTCHECK_H

#include "test/tools/RandomInputs.h"

namespace blocks::testing {

struct GradientCheck {
  std::string cost = "cost"; ///< The output to differentiate.
  Extents extents;
  Ranges ranges;
  double tolerance = 1e-6; ///< Relative to max(1, |gradient|).
  double step = 1e-5;
};

/// Checks the training graph of a differentiated module for one seed. Reports
/// the parameter, the element and both numbers. Returns how many elements were
/// compared.
mlir::FailureOr<int64_t> checkGradients(mlir::ModuleOp module,
                                        mlir::FunctionOpInterface graph,
                                        const GradientCheck &check,
                                        uint64_t seed);

} // namespace blocks::testing

#endif
