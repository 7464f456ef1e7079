// EntryRunner: see EntryRunner.h.
#include "runtime/Train/EntryRunner.h"

#include "blocks/Error.h"
#include "runtime/Base/Text.h"

namespace blocks {

namespace {
/// For quotedNames.
constexpr auto nameOf = [](const auto &item) { return item.name; };

bool fits(const SourceSpec &wanted, const fuel::SourceInfo &found) {
  if (wanted.dtype != found.dtype || wanted.shape.size() != found.shape.size())
    return false;
  for (size_t i = 0; i < wanted.shape.size(); ++i)
    if (wanted.shape[i] >= 0 && found.shape[i] >= 0 &&
        wanted.shape[i] != found.shape[i])
      return false;
  return true;
}

std::string describe(DType dtype, const Shape &shape) {
  return std::string(dtypeName(dtype)) + " " + formatShape(shape);
}

size_t findSource(const SourceSpec &wanted, const std::string &entry,
                  const fuel::DataStream &stream,
                  const std::string &streamName) {
  const std::vector<fuel::SourceInfo> &sources = stream.sources();
  for (size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].name != wanted.name)
      continue;
    if (sources[i].ragged)
      throw InputError("source '" + wanted.name + "' of '" + streamName +
                       "' has items of different shapes, but entry '" + entry +
                       "' expects " + describe(wanted.dtype, wanted.shape) +
                       "; add a transformer that makes them equal: padding, "
                       "or for images a crop");
    if (fits(wanted, sources[i]))
      return i;
    throw InputError(
        "source '" + wanted.name + "' of '" + streamName + "' delivers " +
        describe(sources[i].dtype, sources[i].shape) + ", but entry '" + entry +
        "' expects " + describe(wanted.dtype, wanted.shape) +
        "; declare the source as the data are and cast or reshape in the "
        "graph, or add a --transform");
  }
  throw InputError("entry '" + entry + "' needs the source '" + wanted.name +
                   "', but '" + streamName + "' has only " +
                   quotedNames(sources, nameOf));
}
} // namespace

size_t findEntryIndex(const ProgramSpec &spec, const std::string &name) {
  for (size_t i = 0; i < spec.entries.size(); ++i)
    if (spec.entries[i].name == name)
      return i;
  throw InputError("the program has no entry '" + name + "'; it has " +
                   quotedNames(spec.entries, nameOf));
}

EntryRunner::EntryRunner(Program &program, const std::string &entryName,
                         const fuel::DataStream &stream,
                         const std::string &streamName)
    : theProgram(program), entry(findEntryIndex(program.spec(), entryName)) {
  if (stream.producesExamples())
    throw InputError("'" + streamName + "' delivers single examples, but '" +
                     entryName + "' needs batches; add a batch transformer");
  for (const SourceSpec &source : spec().sources)
    sourceIndex.push_back(findSource(source, entryName, stream, streamName));
  inputs.resize(sourceIndex.size());
  staged.resize(sourceIndex.size());
  outputArrays.resize(spec().outputs.size());
}

void EntryRunner::view(const fuel::Batch &batch,
                       std::vector<ArrayView> &views) const {
  for (size_t i = 0; i < views.size(); ++i) {
    const Array &source = batch.sources[sourceIndex[i]];
    views[i].dtype = source.dtype();
    views[i].shape = source.shape();
    views[i].data = source.data();
  }
}

void EntryRunner::stage(const fuel::Batch &batch) {
  view(batch, staged);
  theProgram.stage(entry, staged);
}

void EntryRunner::run(ProgramState &state, const fuel::Batch &batch) {
  view(batch, inputs);
  StepStatus status = theProgram.run(entry, state, inputs, outputArrays);
  if (!status.ok)
    throw NumericError(status.message());
}

} // namespace blocks
