// Runs compiled entries on the processor: see CompiledProgram.h.
#include "runtime/Program/CompiledProgram.h"

#include "blocks/Error.h"

namespace blocks {

CompiledProgram::CompiledProgram(Manifest newManifest, LoadedObject newObject,
                                 int threads, CpuLevel level)
    : manifest(std::move(newManifest)), object(std::move(newObject)),
      calls(entryCalls(manifest, object)), context(threads, level) {}

StepStatus CompiledProgram::run(size_t entry, ProgramState &state,
                                std::span<const ArrayView> inputs,
                                std::vector<Array> &outputs) {
  checkEntryNumber(entry, calls.size());
  EntryCall &call = calls[entry];
  call.checkSources(inputs);
  call.checkState(state);
  if (state.mirror) // It was on a GPU before.
    state.leaveDevice();
  setArguments(call, state, inputs, outputs);
  execute(call);
  return statusOf(context.report, manifest);
}

void CompiledProgram::setArguments(EntryCall &call, ProgramState &state,
                                   std::span<const ArrayView> inputs,
                                   std::vector<Array> &outputs) {
  for (size_t i = 0; i < call.state().size(); ++i) {
    Array &array = state.arrays[size_t(call.state()[i])];
    call.setState(i, array.data(), array.shape());
  }
  for (size_t i = 0; i < inputs.size(); ++i)
    call.setSource(i, inputs[i].data, inputs[i].shape);
  outputs.resize(call.spec().outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Shape &shape = call.outputShape(i);
    outputs[i].resize(call.spec().outputs[i].dtype, shape);
    call.setOutput(i, outputs[i].data(), shape);
  }
}

void CompiledProgram::execute(EntryCall &call) {
  if (!context.run(call.function, call.arguments.pointers()))
    throw UnsupportedError(
        "entry '" + call.spec().name + "' needs " +
        std::to_string(context.arena.requested()) +
        " bytes of memory for these shapes, more than the system has; use a "
        "smaller batch");
  if (context.arena.largestRequest() <= largestPlan)
    return;
  largestPlan = context.arena.largestRequest();
  if (onPlan)
    onPlan(call.plan(largestPlan));
}

} // namespace blocks
