//===- CompiledRun.h - A compiled program with its state, for tests -------===//
//
// Compiles a model for the processor or for a GPU and runs its entries as a
// user would, through blocks::Program, with the reference's tensors going in
// and out.
//
//===----------------------------------------------------------------------===//
#ifndef TEST_LIB_REFERENCE_RANDOM_GRAPHS_COMPILEDRUN_H
#define TEST_LIB_REFERENCE_RANDOM_GRAPHS_COMPILEDRUN_H

#include "test/lib/Reference/random_graphs/Agreement.h"

#include "lib/API/CompileModel.h"

namespace blocks::testing {

/// A request for what the model's text says, on the model's device.
CompileRequest requestFor(mlir::ModuleOp module, const RandomModel &model);

class CompiledRun {
public:
  /// Compiles; the state has its initial values.
  CompiledRun(CompileRequest request, uint64_t seed);

  const ProgramSpec &spec() const { return program->spec(); }
  const CompileArtifact &parts() const { return artifact; }

  /// All state by path.
  reference::NamedTensors state(mlir::MLIRContext &context);
  /// Gives the state new values where `values` has some.
  void setState(const reference::NamedTensors &values);

  /// Runs entry `name` on the sources; outputs in the entry's order. On a GPU
  /// it runs three times from the same state (as it comes, captured as a graph,
  /// and that graph again), and throws an InputError if the bits of outputs or
  /// state differ.
  NamedList run(const std::string &name, const reference::NamedTensors &sources,
                mlir::MLIRContext &context);

private:
  std::vector<Array> copyState();
  void restore(const std::vector<Array> &arrays);
  void checkRepeats(size_t entry, const std::vector<ArrayView> &views,
                    const std::vector<Array> &first,
                    const std::vector<Array> &outputs);

  CompileArtifact artifact;
  std::unique_ptr<Program> program;
  ProgramState arrays;
};

} // namespace blocks::testing

#endif
