//===- Model.h - Reads a test's module and runs passes on it --------------===//
//
// What the numeric test tools share. A test's module may hold operations of no
// dialect (Checks.h), so unregistered ones are allowed. A file may hold several
// modules, separated by `// -----`.
//
//===----------------------------------------------------------------------===//
#ifndef TEST_TOOLS_MODEL_H
#define TEST_TOOLS_MODEL_H

#include "test/tools/RandomInputs.h"

#include <llvm/Support/CommandLine.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/OwningOpRef.h>
#include <mlir/Interfaces/FunctionInterfaces.h>

#include <memory>
#include <string>
#include <vector>

namespace blocks::testing {

/// The options that all tools have that run graphs.
struct ModelOptions {
  llvm::cl::opt<std::string> file{
      llvm::cl::Positional, llvm::cl::desc("FILE.mlir"), llvm::cl::init("-")};
  llvm::cl::list<std::string> shape{
      "shape", llvm::cl::desc("Extents of dynamic axes of random sources"),
      llvm::cl::value_desc("AXIS=N"), llvm::cl::CommaSeparated};

  /// The values of --shape; throws UsageError if one is not AXIS=N.
  Extents extents() const;
};

/// "NAME=VALUE" in its two parts; throws UsageError if there is no "=".
std::pair<std::string, std::string> splitPair(const std::string &text);

/// Parses the command line, runs `action` on each module of the file, and
/// returns the worst status; errors that are thrown are printed.
int runTool(int argc, char **argv, const char *overview,
            const ModelOptions &options,
            llvm::function_ref<int(mlir::ModuleOp)> action);

/// A context with all dialects and passes; diagnostics go to standard error.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// The modules of `path` ("-": standard input); empty after an error.
std::vector<mlir::OwningOpRef<mlir::ModuleOp>>
readModules(mlir::MLIRContext &context, const std::string &path);

/// Runs a comma-separated pipeline of passes.
mlir::LogicalResult runPasses(mlir::ModuleOp module,
                              const std::string &pipeline);

/// The graphs and functions of a module, in order.
std::vector<mlir::FunctionOpInterface> entriesOf(mlir::ModuleOp module);

/// The entry called `name`; reports if there is none.
mlir::FailureOr<mlir::FunctionOpInterface> findEntry(mlir::ModuleOp module,
                                                     const std::string &name);

} // namespace blocks::testing

#endif
