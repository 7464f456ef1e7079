// blocks-run generate: the sequences of a generator, by beam search or by
// sampling.
#include "tools/blocks-run/Commands.h"
#include "tools/blocks-run/ModelOptions.h"

#include "blocks/BeamSearch.h"
#include "blocks/Error.h"
#include "blocks/NpzFile.h"
#include "blocks/Parameters.h"
#include "runtime/Base/Text.h"

#include <algorithm>
#include <iostream>
#include <memory>

namespace blocks::cli {

namespace {

struct GenerateCommand {
  ModelOptions model;
  std::string parameters, entry = "generate";
  std::vector<std::string> inputs;
  BeamSearchOptions search;
  bool sample = false;

  void addTo(CLI::App &command);
  int run();

private:
  void loadState(const ProgramSpec &spec, ProgramState &state) const;
  void runSearch(Program &program, ProgramState &state,
                 const std::map<std::string, ArrayView> &views) const;
  void runSample(Program &program, ProgramState &state,
                 const std::map<std::string, ArrayView> &views) const;
  void print(size_t sentence, size_t rank, const Hypothesis &hypothesis) const;
};

void GenerateCommand::addTo(CLI::App &command) {
  model.addTo(command);
  command.add_option("--parameters", parameters,
                     "NPZ file or checkpoint (default: initial values)");
  command.add_option("--input", inputs, "SOURCE=FILE.npy; repeatable");
  // More than this would only run on: a search holds so many at each length.
  constexpr int64_t widestBeam = 1 << 16;
  auto *beam = command
                   .add_option("--beam-size", search.beamSize,
                               "Hypotheses for a sentence")
                   ->check(wholeNumber<int64_t>(1, widestBeam))
                   ->capture_default_str();
  command
      .add_option(
          "--end", search.endOfLine,
          "The output that ends a sequence (1 for fuel-convert's texts)")
      ->check(wholeNumber<int64_t>(0))
      ->capture_default_str();
  auto *longest =
      command.add_option("--max-length", search.maxLength, "Outputs at most")
          ->check(wholeNumber<int64_t>(1))
          ->capture_default_str();
  auto *penalty =
      command
          .add_option("--length-penalty", search.lengthPenalty,
                      "A in cost / length^A, by which hypotheses compete")
          ->capture_default_str();
  command.add_flag("--ignore-first-end", search.ignoreFirstEol,
                   "The first output ends no sequence");
  command.add_option("--start", search.start, "The graph of search_start")
      ->capture_default_str();
  command.add_option("--step", search.step, "The graph of search_step")
      ->capture_default_str();
  command
      .add_flag("--sample", sample,
                "Draw sequences by --entry instead of searching: as long "
                "as its n_steps says")
      ->excludes(beam, longest, penalty);
  command.add_option("--entry", entry, "The graph that samples")
      ->capture_default_str();
  command.footer("Example:\n  blocks-run generate nmt.mlir --parameters "
                 "nmt.ckpt --input attended=x.npy \\\n    --beam-size 12 "
                 "--end 0 --length-penalty 1");
}

/// The arrays that --input names.
std::map<std::string, Array> readNamed(const std::vector<std::string> &texts) {
  std::map<std::string, Array> arrays;
  for (const std::string &text : texts) {
    size_t equal = text.find('=');
    if (equal == std::string::npos || equal == 0)
      throw UsageError("--input takes SOURCE=FILE.npy, found '" + text + "'");
    if (!arrays.emplace(text.substr(0, equal), readNpy(text.substr(equal + 1)))
             .second)
      throw UsageError("--input " + text.substr(0, equal) + " is given twice");
  }
  return arrays;
}

std::string nameOf(const EntrySpec &entry) { return entry.name; }

/// Refuses arrays that no graph of the program takes.
void checkInputs(const ProgramSpec &spec,
                 const std::map<std::string, ArrayView> &views) {
  for (const auto &[name, view] : views) {
    auto isNamed = [&](const SourceSpec &source) {
      return source.name == name;
    };
    auto takes = [&](const EntrySpec &entry) {
      return std::any_of(entry.sources.begin(), entry.sources.end(), isNamed);
    };
    if (std::none_of(spec.entries.begin(), spec.entries.end(), takes))
      throw UsageError("--input " + name + ": there is no source '" + name +
                       "' in " + quotedNames(spec.entries, nameOf));
  }
}

size_t outputNamed(const EntrySpec &entry, const std::string &name) {
  for (size_t i = 0; i < entry.outputs.size(); ++i)
    if (entry.outputs[i].name == name)
      return i;
  throw InputError("entry '" + entry.name + "' has no output '" + name +
                   "', which sampling prints");
}

/// Refuses outputs that are no sequences of numbered outputs with their costs.
void checkSamples(const std::string &entry, const Array &outputs,
                  const Array &costs) {
  bool isFloat =
      costs.dtype() == DType::Float32 || costs.dtype() == DType::Float64;
  if (outputs.dtype() == DType::Int64 && outputs.shape().size() == 2 &&
      isFloat && costs.shape() == outputs.shape())
    return;
  auto describe = [](const Array &array) {
    return formatShape(array.shape()) + " " +
           std::string(dtypeName(array.dtype()));
  };
  throw InputError(
      "sampling needs 'outputs' of i64 and 'costs' of floats, both "
      "(time, batch), as a generator of classes gives them; entry "
      "'" +
      entry + "' has 'outputs' " + describe(outputs) + " and 'costs' " +
      describe(costs) + "; blocks-run infer writes any output to a file");
}

void GenerateCommand::loadState(const ProgramSpec &spec,
                                ProgramState &state) const {
  if (!parameters.empty())
    loadParameters(spec, state, parameters);
  else
    std::cerr << "note: no --parameters, so these are the initial values of "
                 "seed "
              << model.seed << "\n";
}

void GenerateCommand::print(size_t sentence, size_t rank,
                            const Hypothesis &hypothesis) const {
  std::string outputs;
  for (int64_t output : hypothesis.outputs)
    outputs += (outputs.empty() ? ""
                : model.json    ? ","
                                : " ") +
               std::to_string(output);
  char cost[64];
  std::snprintf(cost, sizeof cost, "%.9g", hypothesis.cost);
  if (model.json)
    std::cout << "{\"event\":\"hypothesis\",\"sentence\":" << sentence
              << ",\"rank\":" << rank << ",\"cost\":" << cost
              << ",\"finished\":" << (hypothesis.finished ? "true" : "false")
              << ",\"outputs\":[" << outputs << "]}\n";
  else
    std::cout << "sentence " << sentence << ", cost " << cost
              << (hypothesis.finished ? ": " : " (cut off): ") << outputs
              << "\n";
}

void GenerateCommand::runSearch(
    Program &program, ProgramState &state,
    const std::map<std::string, ArrayView> &views) const {
  auto found = BeamSearch(program, state, search).search(views);
  for (size_t sentence = 0; sentence < found.size(); ++sentence)
    for (size_t rank = 0; rank < found[sentence].size(); ++rank)
      print(sentence, rank, found[sentence][rank]);
}

/// One sequence for each row of the batch, up to its end.
void GenerateCommand::runSample(
    Program &program, ProgramState &state,
    const std::map<std::string, ArrayView> &views) const {
  size_t index = findEntry(program, entry);
  const EntrySpec &spec = program.spec().entries[index];
  std::vector<ArrayView> ordered;
  for (const SourceSpec &source : spec.sources) {
    auto found = views.find(source.name);
    if (found == views.end())
      throw UsageError("entry '" + entry + "' needs source '" + source.name +
                       "'; add --input " + source.name + "=FILE.npy");
    ordered.push_back(found->second);
  }
  std::vector<Array> results;
  StepStatus status = program.run(index, state, ordered, results);
  if (!status.ok)
    throw NumericError(status.message());
  const Array &outputs = results[outputNamed(spec, "outputs")],
              &costs = results[outputNamed(spec, "costs")];
  checkSamples(entry, outputs, costs);
  int64_t steps = outputs.shape()[0], batch = outputs.shape()[1];
  for (int64_t row = 0; row < batch; ++row) {
    Hypothesis hypothesis;
    for (int64_t t = 0; t < steps && !hypothesis.finished; ++t) {
      hypothesis.outputs.push_back(outputs.as<int64_t>()[t * batch + row]);
      hypothesis.cost += costs.dtype() == DType::Float64
                             ? costs.as<double>()[t * batch + row]
                             : double(costs.as<float>()[t * batch + row]);
      hypothesis.finished = hypothesis.outputs.back() == search.endOfLine &&
                            !(search.ignoreFirstEol && t == 0);
    }
    print(size_t(row), 0, hypothesis);
  }
}

int GenerateCommand::run() {
  std::map<std::string, Array> arrays = readNamed(inputs);
  std::map<std::string, ArrayView> views;
  for (auto &[name, array] : arrays)
    views.emplace(name, array.view());
  CompileRequest request = model.request();
  if (sample)
    request.graphs = {{entry, {"outputs", "costs"}}};
  else
    request.graphs = {{search.start, {}}, {search.step, {}}};
  CompiledModel compiled = model.compile(request);
  if (!compiled.program)
    return 0;
  Program &program = *compiled.program;
  checkInputs(program.spec(), views);
  ProgramState state = makeInitialState(program.spec(), model.seed);
  loadState(program.spec(), state);
  if (sample)
    runSample(program, state, views);
  else
    runSearch(program, state, views);
  model.events().end(0, 0, 0);
  return 0;
}

} // namespace

void addGenerateCommand(CLI::App &app, Action &action) {
  auto *command = app.add_subcommand(
      "generate", "Sequences of a generator, by beam search or sampling");
  auto state = std::make_shared<GenerateCommand>();
  state->addTo(*command);
  command->callback([=, &action] { action = [=] { return state->run(); }; });
}

} // namespace blocks::cli
