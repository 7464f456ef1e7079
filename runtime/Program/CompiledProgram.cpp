// Runs compiled entries: see CompiledProgram.h.
#include "runtime/Program/CompiledProgram.h"

#include "blocks/Error.h"

namespace blocks {

void ArgumentTable::add(size_t rank) {
  starts.push_back(words.size());
  words.resize(words.size() + 3 + 2 * rank);
  table.clear();
}

void ArgumentTable::set(size_t argument, const void *data, const Shape &shape) {
  int64_t *word = words.data() + starts[argument];
  word[0] = word[1] = reinterpret_cast<int64_t>(data);
  word[2] = 0;
  size_t rank = shape.size();
  int64_t stride = 1;
  for (size_t d = rank; d-- > 0;) {
    word[3 + d] = shape[d];
    word[3 + rank + d] = stride;
    stride *= shape[d];
  }
}

void **ArgumentTable::pointers() {
  if (table.empty())
    for (size_t start : starts)
      table.push_back(words.data() + start);
  return table.data();
}

CompiledProgram::CompiledProgram(Manifest newManifest, LoadedObject newObject,
                                 int threads, CpuLevel level)
    : manifest(std::move(newManifest)), object(std::move(newObject)),
      calls(manifest.entries.size()), context(threads, level) {
  for (size_t entry = 0; entry < calls.size(); ++entry)
    prepare(entry);
}

void CompiledProgram::prepare(size_t entry) {
  Call &call = calls[entry];
  const EntrySpec &spec = manifest.spec.entries[entry];
  call.function = reinterpret_cast<BlocksEntry>(
      object.function(manifest.entries[entry].symbol));
  for (int64_t index : manifest.entries[entry].state)
    call.arguments.add(manifest.spec.state[size_t(index)].shape.size());
  for (const SourceSpec &source : spec.sources) {
    call.axes.declare(source);
    call.arguments.add(source.shape.size());
  }
  std::string problem; // parseManifest has made sure that there is none.
  for (const OutputSpec &output : spec.outputs) {
    call.axes.knows(output, problem);
    call.arguments.add(output.shape.size());
  }
}

StepStatus CompiledProgram::run(size_t entry, ProgramState &state,
                                std::span<const ArrayView> inputs,
                                std::vector<Array> &outputs) {
  if (entry >= calls.size())
    throw UsageError("the program has " + std::to_string(calls.size()) +
                     " entries, but entry number " + std::to_string(entry) +
                     " was asked for");
  setSources(entry, inputs);
  setState(entry, state);
  setOutputs(entry, outputs);
  execute(entry);
  return status();
}

void CompiledProgram::setState(size_t entry, ProgramState &state) {
  const std::vector<StateSpec> &specs = manifest.spec.state;
  if (state.arrays.size() != specs.size())
    throw UsageError("the program has " + std::to_string(specs.size()) +
                     " state arrays, but it was given " +
                     std::to_string(state.arrays.size()));
  size_t argument = 0;
  for (int64_t index : manifest.entries[entry].state) {
    const StateSpec &spec = specs[size_t(index)];
    Array &array = state.arrays[size_t(index)];
    if (array.dtype() != spec.dtype || array.shape() != spec.shape)
      throw InputError("'" + spec.path + "' has shape " +
                       formatShape(array.shape()) + " of " +
                       std::string(dtypeName(array.dtype())) +
                       ", the program expects " + formatShape(spec.shape) +
                       " of " + std::string(dtypeName(spec.dtype)) +
                       "; were the parameters saved by another model?");
    calls[entry].arguments.set(argument++, array.data(), array.shape());
  }
}

void CompiledProgram::setSources(size_t entry,
                                 std::span<const ArrayView> inputs) {
  const EntrySpec &spec = manifest.spec.entries[entry];
  if (inputs.size() != spec.sources.size())
    throw InputError(
        "entry '" + spec.name + "' has " + std::to_string(spec.sources.size()) +
        " sources, but it was given " + std::to_string(inputs.size()));
  Call &call = calls[entry];
  call.axes.begin();
  size_t first = manifest.entries[entry].state.size();
  for (size_t i = 0; i < inputs.size(); ++i) {
    call.axes.take(i, spec.name, spec.sources[i], inputs[i]);
    call.arguments.set(first + i, inputs[i].data, inputs[i].shape);
  }
}

void CompiledProgram::setOutputs(size_t entry, std::vector<Array> &outputs) {
  const EntrySpec &spec = manifest.spec.entries[entry];
  outputs.resize(spec.outputs.size());
  Call &call = calls[entry];
  size_t first = manifest.entries[entry].state.size() + spec.sources.size();
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Shape &shape = call.axes.shapeOf(i);
    outputs[i].resize(spec.outputs[i].dtype, shape);
    call.arguments.set(first + i, outputs[i].data(), shape);
  }
}

void CompiledProgram::execute(size_t entry) {
  Call &call = calls[entry];
  const std::string &name = manifest.spec.entries[entry].name;
  if (!context.run(call.function, call.arguments.pointers()))
    throw UnsupportedError(
        "entry '" + name + "' needs " +
        std::to_string(context.arena.requested()) +
        " bytes of memory for these shapes, more than the system has; use a "
        "smaller batch");
  if (context.arena.largestRequest() <= largestPlan)
    return;
  largestPlan = context.arena.largestRequest();
  if (!onPlan)
    return;
  MemoryPlan plan{name, {}, largestPlan};
  for (size_t i = 0; i < call.axes.names().size(); ++i)
    plan.shapes[call.axes.names()[i]] = call.axes.extents()[i];
  onPlan(plan);
}

StepStatus CompiledProgram::status() const {
  const BlocksReport &report = context.report;
  StepStatus status;
  if (!report.present)
    return status;
  status.ok = false;
  if (report.site >= 0 && size_t(report.site) < manifest.sites.size()) {
    status.operation = manifest.sites[size_t(report.site)].operation;
    status.brick = manifest.sites[size_t(report.site)].brick;
  }
  status.row = report.row;
  status.value = report.value;
  status.limit = report.limit;
  return status;
}

std::unique_ptr<Program> loadProgram(std::string_view manifestJson,
                                     std::span<const std::byte> object,
                                     const ProgramOptions &options) {
  CpuInfo cpu = detectCpu();
  Manifest manifest = parseManifest(manifestJson);
  std::optional<CpuLevel> made = parseLevel(manifest.cpu);
  if (!made || *made > cpu.level)
    throw UnsupportedError(
        "the compiled program is for a processor of level '" + manifest.cpu +
        "', but this one has '" + levelName(cpu.level) +
        "'; compile the model on this machine");
  int threads = options.threads > 0 ? options.threads : cpu.usableCpus;
  return std::make_unique<CompiledProgram>(
      std::move(manifest), LoadedObject(object, runtimeSymbols()), threads,
      *made);
}

} // namespace blocks
