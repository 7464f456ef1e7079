//===- Checks.h - Expectations written into a test's graph ----------------===//
//
// Operations without a dialect, known to the test tools alone. `found` may have
// any element type; numbers are compared as doubles, NaN equals NaN.
//
//   "check.close"(%found) {expected = dense<…> : tensor<…xf64>,
//                          tolerance = 1.0e-6} : (tensor<…xf32>) -> ()
//   "check.close"(%found, %expected) {tolerance = 1.0e-6} : …
//
// Two numbers are close if |found - expected| ≤ tolerance·max(1, |expected|); a
// tolerance of 0, the default, asks for equality. Shapes must be equal.
//
//===----------------------------------------------------------------------===//
#ifndef TEST_TOOLS_CHECKS_H
#define TEST_TOOLS_CHECKS_H

#include "lib/Reference/Interpreter.h"

namespace blocks::testing {

/// The hook for reference::run.
mlir::LogicalResult runCheck(mlir::Operation *op, reference::Operands in);

/// Where two tensors differ most, or nothing if they are close everywhere.
std::optional<std::string> difference(const reference::Tensor &found,
                                      const reference::Tensor &expected,
                                      double tolerance);

} // namespace blocks::testing

#endif
