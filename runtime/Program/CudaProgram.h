// CudaProgram: blocks::Program over an object whose entries hand out work to a
// GPU. State stays there between runs, inputs come and outputs go by pinned
// memory; a run with arguments that it has seen is replayed as a CUDA graph.
#pragma once

#include "blocks/CompiledProgram.h"
#include "runtime/Device/Cuda/CudaStep.h"
#include "runtime/Program/CudaInputs.h"
#include "runtime/Program/CudaOutputs.h"
#include "runtime/Program/CudaState.h"
#include "runtime/Program/EntryCall.h"
#include "runtime/Program/UserKernels.h"

namespace blocks {

class CudaProgram : public Program {
public:
  /// Throws UnsupportedError if this machine's GPU or driver cannot run it.
  CudaProgram(Manifest manifest, LoadedObject object,
              std::string_view deviceText, const ProgramOptions &options);

  const ProgramSpec &spec() const override { return manifest.spec; }
  StepStatus run(size_t entry, ProgramState &state,
                 std::span<const ArrayView> inputs,
                 std::vector<Array> &outputs) override;
  void stage(size_t entry, std::span<const ArrayView> inputs) override;

  /// Graphs that were captured, and how often they ran.
  size_t graphs() { return step.graphs().graphs(); }
  int64_t replays() { return step.graphs().replays(); }
  /// True if the kernels were linked here, and not by the driver.
  bool runsImage() const { return step.runsImage(); }

private:
  CudaState &mirrorOf(ProgramState &state);
  void setArguments(size_t entry, const CudaState &state,
                    std::span<const ArrayView> inputs,
                    std::vector<Array> &outputs);
  void execute(size_t entry);
  void announcePlan(const EntryCall &call);
  void waitBusily();

  Manifest manifest;
  LoadedObject object;
  std::vector<EntryCall> calls; ///< Beside manifest.entries.
  std::shared_ptr<cuda::CudaDevice> device;
  UserKernels userKernels;
  cuda::CudaStep step;
  CudaInputs inputs;
  CudaOutputs results;
  BlocksStepContext context;
  int64_t largestPlan = 0;
};

} // namespace blocks
