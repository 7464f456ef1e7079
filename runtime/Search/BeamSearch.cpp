// See include/blocks/BeamSearch.h. Each step runs the program once, on the rows
// of all hypotheses that are open, of all sentences: finished ones cost
// nothing. The sizes of the beams, and so the rows, change from step to step;
// compiled entries take any number of rows.
#include "blocks/BeamSearch.h"

#include "blocks/Error.h"
#include "runtime/Search/Beam.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace blocks {

namespace {

size_t findEntryOf(const Program &program, const std::string &name) {
  const auto &entries = program.spec().entries;
  for (size_t i = 0; i < entries.size(); ++i)
    if (entries[i].name == name)
      return i;
  throw InputError("the model has no graph '" + name +
                   "', which beam search runs; see docs/bricks.md, 'Beam "
                   "search'");
}

/// The number of an output, or -1.
int64_t findOutput(const EntrySpec &entry, const std::string &name) {
  for (size_t i = 0; i < entry.outputs.size(); ++i)
    if (entry.outputs[i].name == name)
      return int64_t(i);
  return -1;
}

size_t findCosts(const EntrySpec &entry) {
  int64_t found = findOutput(entry, "costs");
  if (found < 0 || entry.outputs[size_t(found)].shape.size() != 2 ||
      (entry.outputs[size_t(found)].dtype != DType::Float32 &&
       entry.outputs[size_t(found)].dtype != DType::Float64))
    throw InputError("graph '" + entry.name +
                     "' needs an output 'costs' of shape (batch, outputs)");
  return size_t(found);
}

/// Positions `rows` along `axis`.
void choose(const ArrayView &from, size_t axis,
            const std::vector<int64_t> &rows, Array &to) {
  Shape shape = from.shape;
  shape[axis] = int64_t(rows.size());
  to.resize(from.dtype, shape);
  size_t outer = 1, inner = dtypeSize(from.dtype);
  for (size_t i = 0; i < shape.size(); ++i)
    (i < axis ? outer : inner) *= i == axis ? 1 : size_t(shape[i]);
  size_t extent = size_t(from.shape[axis]);
  std::byte *out = to.data();
  for (size_t i = 0; i < outer; ++i)
    for (int64_t row : rows) {
      std::memcpy(out, from.data + (i * extent + size_t(row)) * inner, inner);
      out += inner;
    }
}

/// The rows of the next run: for each the row of its parent, its sentence and
/// its output.
struct Rows {
  std::vector<int64_t> parents, sentences, outputs;
};

/// Gives every open hypothesis a row.
Rows placeRows(std::vector<Beam> &beams) {
  Rows rows;
  for (size_t sentence = 0; sentence < beams.size(); ++sentence) {
    const auto &hypotheses = beams[sentence].hypotheses();
    for (size_t i = 0; i < hypotheses.size(); ++i) {
      if (hypotheses[i].hypothesis.finished)
        continue;
      rows.parents.push_back(hypotheses[i].row);
      rows.sentences.push_back(int64_t(sentence));
      rows.outputs.push_back(hypotheses[i].hypothesis.outputs.back());
      beams[sentence].place(i, int64_t(rows.parents.size()) - 1);
    }
  }
  return rows;
}

void extendAll(std::vector<Beam> &beams, const Array &costs,
               const BeamSearchOptions &options) {
  int64_t width = costs.shape()[1];
  if (options.endOfLine >= width)
    throw UsageError("the end of a sequence is output " +
                     std::to_string(options.endOfLine) +
                     ", but there are only " + std::to_string(width));
  for (Beam &beam : beams) {
    if (beam.isFinished())
      continue;
    if (costs.dtype() == DType::Float32)
      beam.extend(costs.as<float>(), width, options);
    else
      beam.extend(costs.as<double>(), width, options);
  }
}

void runEntry(Program &program, ProgramState &state, size_t entry,
              const std::vector<ArrayView> &inputs,
              std::vector<Array> &outputs) {
  outputs.resize(program.spec().entries[entry].outputs.size());
  StepStatus status = program.run(entry, state, inputs, outputs);
  if (!status.ok)
    throw NumericError(status.message());
}

const ArrayView &findInput(const std::map<std::string, ArrayView> &inputs,
                           const std::string &name, const std::string &entry) {
  auto found = inputs.find(name);
  if (found == inputs.end())
    throw UsageError("graph '" + entry + "' needs the input '" + name + "'");
  return found->second;
}

} // namespace

BeamSearch::BeamSearch(Program &program, ProgramState &state,
                       BeamSearchOptions given)
    : program(program), state(state), options(std::move(given)) {
  if (options.beamSize < 1 || options.maxLength < 1 || options.endOfLine < 0)
    throw UsageError("a beam search needs a beam size and a length of at least "
                     "1, and an end of 0 or more");
  if (!std::isfinite(options.lengthPenalty))
    throw UsageError("a beam search needs a length penalty that is a finite "
                     "number, found " +
                     std::to_string(options.lengthPenalty));
  startEntry = findEntryOf(program, options.start);
  stepEntry = findEntryOf(program, options.step);
  const auto &entries = program.spec().entries;
  startCosts = findCosts(entries[startEntry]);
  stepCosts = findCosts(entries[stepEntry]);
  for (const SourceSpec &source : entries[stepEntry].sources)
    sources.push_back(describe(source));
  if (std::none_of(sources.begin(), sources.end(), [](const Source &source) {
        return source.origin == Origin::Outputs;
      }))
    throw InputError("graph '" + options.step +
                     "' has no source 'outputs', by which it would know what "
                     "was chosen; see docs/bricks.md, 'Beam search'");
}

BeamSearch::Source BeamSearch::describe(const SourceSpec &spec) const {
  const auto &entries = program.spec().entries;
  Source source;
  auto batch = std::find(spec.axes.begin(), spec.axes.end(), "batch");
  if (batch == spec.axes.end())
    throw InputError("source '" + spec.name + "' of graph '" + options.step +
                     "' has no axis 'batch'; name its axes with blocks.axes = "
                     "[…]");
  source.axis = size_t(batch - spec.axes.begin());
  int64_t start = findOutput(entries[startEntry], spec.name);
  int64_t step = findOutput(entries[stepEntry], spec.name);
  if (spec.name == "outputs") {
    if (spec.dtype != DType::Int64 || spec.shape.size() != 1)
      throw InputError("source 'outputs' of graph '" + options.step +
                       "' must be (batch) of i64");
    source.origin = Origin::Outputs;
  } else if (start >= 0) {
    source.origin = step >= 0 ? Origin::State : Origin::Fixed;
    source.output = size_t(start);
    source.stepOutput = size_t(std::max<int64_t>(step, 0));
  }
  return source;
}

std::vector<std::vector<Hypothesis>>
BeamSearch::search(const std::map<std::string, ArrayView> &inputs) {
  const auto &entries = program.spec().entries;
  std::vector<ArrayView> views;
  for (const SourceSpec &source : entries[startEntry].sources)
    views.push_back(findInput(inputs, source.name, options.start));
  std::vector<Array> start, results;
  runEntry(program, state, startEntry, views, start);

  std::vector<Beam> beams;
  for (int64_t i = 0; i < start[startCosts].shape()[0]; ++i)
    beams.emplace_back(i);
  extendAll(beams, start[startCosts], options);

  std::vector<Array> chosen(sources.size());
  std::vector<int64_t> sentences;
  for (int64_t length = 1; length < options.maxLength; ++length) {
    Rows rows = placeRows(beams);
    if (rows.parents.empty())
      break;
    views.clear();
    for (size_t i = 0; i < sources.size(); ++i) {
      const Source &source = sources[i];
      if (source.origin == Origin::Outputs) {
        chosen[i].resize(DType::Int64, {int64_t(rows.outputs.size())});
        std::copy(rows.outputs.begin(), rows.outputs.end(),
                  chosen[i].as<int64_t>());
      } else if (source.origin == Origin::State) {
        const Array &from =
            length == 1 ? start[source.output] : results[source.stepOutput];
        choose(from.view(), source.axis, rows.parents, chosen[i]);
      } else if (rows.sentences != sentences) {
        choose(source.origin == Origin::Fixed
                   ? start[source.output].view()
                   : findInput(inputs, entries[stepEntry].sources[i].name,
                               options.step),
               source.axis, rows.sentences, chosen[i]);
      }
      views.push_back(chosen[i].view());
    }
    sentences = rows.sentences;
    runEntry(program, state, stepEntry, views, results);
    extendAll(beams, results[stepCosts], options);
  }

  std::vector<std::vector<Hypothesis>> found;
  for (const Beam &beam : beams) {
    found.emplace_back();
    for (const Beam::Open &open : beam.hypotheses())
      found.back().push_back(open.hypothesis);
  }
  return found;
}

} // namespace blocks
