//===- Coverage.h - Which operations and bricks a check has run -----------===//
#ifndef TEST_LIB_REFERENCE_RANDOM_GRAPHS_COVERAGE_H
#define TEST_LIB_REFERENCE_RANDOM_GRAPHS_COVERAGE_H

#include <mlir/IR/BuiltinOps.h>

#include <set>
#include <string>

namespace blocks::testing {

/// Lines "forward op blocks.matmul", "backward brick LSTM": the operations in
/// the graphs that were compared, and the kinds of bricks whose applications
/// were inlined into them. Backward counts what stands in a graph with the
/// gradients of its cost.
class Coverage {
public:
  void note(mlir::ModuleOp module, bool backward);
  const std::set<std::string> &lines() const { return found; }

private:
  std::set<std::string> found;
};

} // namespace blocks::testing

#endif
