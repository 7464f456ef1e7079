// Checks and descriptors of an entry's arguments: see EntryCall.h.
#include "runtime/Program/EntryCall.h"

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

EntryCall::EntryCall(const Manifest &theManifest, size_t theEntry,
                     const LoadedObject &object)
    : manifest(theManifest), entry(theEntry) {
  function = reinterpret_cast<BlocksEntry>(
      object.function(manifest.entries[entry].symbol));
  for (int64_t index : state())
    arguments.add(manifest.spec.state[size_t(index)].shape.size());
  for (const SourceSpec &source : spec().sources) {
    axes.declare(source);
    arguments.add(source.shape.size());
  }
  std::string problem; // parseManifest has made sure that there is none.
  for (const OutputSpec &output : spec().outputs) {
    axes.knows(output, problem);
    arguments.add(output.shape.size());
  }
  for (const ManifestRequirement &needed : manifest.entries[entry].requirements)
    axes.require(needed.formula, needed.text);
}

void EntryCall::checkState(const ProgramState &given) const {
  const std::vector<StateSpec> &specs = manifest.spec.state;
  if (given.arrays.size() != specs.size())
    throw UsageError("the program has " + std::to_string(specs.size()) +
                     " state arrays, but it was given " +
                     std::to_string(given.arrays.size()));
  for (int64_t index : state()) {
    const StateSpec &expected = specs[size_t(index)];
    const Array &array = given.arrays[size_t(index)];
    if (array.dtype() != expected.dtype || array.shape() != expected.shape)
      throw InputError("'" + expected.path + "' has shape " +
                       formatShape(array.shape()) + " of " +
                       std::string(dtypeName(array.dtype())) +
                       ", the program expects " + formatShape(expected.shape) +
                       " of " + std::string(dtypeName(expected.dtype)) +
                       "; were the parameters saved by another model?");
  }
}

void EntryCall::checkSources(std::span<const ArrayView> inputs) {
  if (inputs.size() != spec().sources.size())
    throw InputError("entry '" + spec().name + "' has " +
                     std::to_string(spec().sources.size()) +
                     " sources, but it was given " +
                     std::to_string(inputs.size()));
  axes.begin();
  for (size_t i = 0; i < inputs.size(); ++i)
    axes.take(i, spec().name, spec().sources[i], inputs[i]);
  axes.check(spec().name);
}

void EntryCall::setState(size_t i, const void *data, const Shape &shape) {
  arguments.set(i, data, shape);
}

void EntryCall::setSource(size_t i, const void *data, const Shape &shape) {
  arguments.set(state().size() + i, data, shape);
}

void EntryCall::setOutput(size_t i, const void *data, const Shape &shape) {
  arguments.set(state().size() + spec().sources.size() + i, data, shape);
}

MemoryPlan EntryCall::plan(int64_t bytes) const {
  MemoryPlan plan{spec().name, {}, bytes};
  for (size_t i = 0; i < axes.names().size(); ++i)
    plan.shapes[axes.names()[i]] = axes.extents()[i];
  return plan;
}

StepStatus statusOf(const BlocksReport &report, const Manifest &manifest) {
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

std::vector<EntryCall> entryCalls(const Manifest &manifest,
                                  const LoadedObject &object) {
  std::vector<EntryCall> calls;
  calls.reserve(manifest.entries.size());
  for (size_t entry = 0; entry < manifest.entries.size(); ++entry)
    calls.emplace_back(manifest, entry, object);
  return calls;
}

void checkEntryNumber(size_t entry, size_t entries) {
  if (entry >= entries)
    throw UsageError("the program has " + std::to_string(entries) +
                     " entries, but entry number " + std::to_string(entry) +
                     " was asked for");
}

} // namespace blocks
