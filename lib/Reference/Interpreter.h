//===- Interpreter.h - Runs a graph or a function, plainly ----------------===//
//
// The oracle of every lowering: evaluates the tensor form, before to-linalg,
// one operation after the other. It runs a `blocks.graph` whose applications
// were inlined, and a `func.func` that materialize-state made; both take their
// sources and state by name, so that one call serves both.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_REFERENCE_INTERPRETER_H
#define LIB_REFERENCE_INTERPRETER_H

#include "blocks/Program.h"
#include "lib/Reference/Ops.h"

#include <mlir/IR/BuiltinOps.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace blocks::reference {

/// Values by name: sources by their names, state by path.
using NamedTensors = std::map<std::string, Tensor>;

struct RunInputs {
  NamedTensors sources, state;
};

struct RunResults {
  std::vector<std::pair<std::string, Tensor>> outputs; ///< As in the graph.
  NamedTensors updates;   ///< State after the step, where it was assigned.
  NamedTensors gradients; ///< By parameter path: the operands of blocks.step.
  StepStatus status;      ///< The first label out of range.
};

/// Called for operations that the interpreter does not know and that have no
/// results: a test's own checks.
using UnknownOp =
    std::function<mlir::LogicalResult(mlir::Operation *, Operands)>;

/// Runs `entry`, a blocks.graph or func.func, once. Reports on operations.
mlir::FailureOr<RunResults> run(mlir::FunctionOpInterface entry,
                                const RunInputs &inputs,
                                const UnknownOp &unknown = {});

/// The initial value of every parameter of the module by path, as the runtime
/// makes them from `seed`.
llvm::Expected<NamedTensors> initialState(mlir::ModuleOp module, uint64_t seed);

} // namespace blocks::reference

#endif
