// CompiledProgram: blocks::Program over a loaded object. Per entry it keeps a
// table of argument descriptors that is filled anew for each run, so that a
// steady run allocates nothing.
#pragma once

#include "blocks/CompiledProgram.h"
#include "runtime/Abi/StepContext.h"
#include "runtime/Program/AxisExtents.h"
#include "runtime/Program/Manifest.h"
#include "runtime/Program/ObjectLoader.h"

namespace blocks {

/// The arguments of an entry as compiled code wants them: pointers to memref
/// descriptors {base, aligned, offset, sizes[rank], strides[rank]}.
class ArgumentTable {
public:
  void add(size_t rank);
  void set(size_t argument, const void *data, const Shape &shape);
  /// Pointers into the table; valid until the next `add`.
  void **pointers();

private:
  std::vector<int64_t> words;
  std::vector<size_t> starts;
  std::vector<void *> table;
};

class CompiledProgram : public Program {
public:
  CompiledProgram(Manifest manifest, LoadedObject object, int threads,
                  CpuLevel level);

  const ProgramSpec &spec() const override { return manifest.spec; }
  StepStatus run(size_t entry, ProgramState &state,
                 std::span<const ArrayView> inputs,
                 std::vector<Array> &outputs) override;

private:
  struct Call {
    BlocksEntry function = nullptr;
    AxisExtents axes;
    ArgumentTable arguments;
  };

  void prepare(size_t entry);
  void setState(size_t entry, ProgramState &state);
  void setSources(size_t entry, std::span<const ArrayView> inputs);
  void setOutputs(size_t entry, std::vector<Array> &outputs);
  void execute(size_t entry);
  StepStatus status() const;

  Manifest manifest;
  LoadedObject object;
  std::vector<Call> calls; ///< Beside manifest.entries.
  BlocksStepContext context;
  int64_t largestPlan = 0;
};

} // namespace blocks
