// CompiledProgram: blocks::Program over a loaded object that runs on the
// processor.
#pragma once

#include "blocks/CompiledProgram.h"
#include "runtime/Program/EntryCall.h"

namespace blocks {

class CompiledProgram : public Program {
public:
  CompiledProgram(Manifest manifest, LoadedObject object, int threads,
                  CpuLevel level);

  const ProgramSpec &spec() const override { return manifest.spec; }
  StepStatus run(size_t entry, ProgramState &state,
                 std::span<const ArrayView> inputs,
                 std::vector<Array> &outputs) override;

private:
  void setArguments(EntryCall &call, ProgramState &state,
                    std::span<const ArrayView> inputs,
                    std::vector<Array> &outputs);
  void execute(EntryCall &call);

  Manifest manifest;
  LoadedObject object;
  std::vector<EntryCall> calls; ///< Beside manifest.entries.
  BlocksStepContext context;
  int64_t largestPlan = 0;
};

} // namespace blocks
