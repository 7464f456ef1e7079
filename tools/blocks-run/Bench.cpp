// blocks-run bench: times an entry, on synthetic data or on a file's batches.
#include "tools/blocks-run/Bench.h"
#include "tools/blocks-run/Commands.h"
#include "tools/blocks-run/DataOptions.h"
#include "tools/blocks-run/Measure.h"
#include "tools/blocks-run/SyntheticData.h"

#include "blocks/Error.h"
#include "blocks/Parameters.h"
#include "runtime/Train/Hyperparameters.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iostream>
#include <memory>

namespace blocks::cli {

using Clock = std::chrono::steady_clock;
static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

//===--- BenchRun ---------------------------------------------------------===//

static ProgramState cloneState(const ProgramState &state) {
  ProgramState copy;
  for (const Array &array : state.arrays)
    copy.arrays.push_back(array.clone());
  return copy;
}

BenchRun::BenchRun(Program &program, size_t entry, ProgramState first,
                   std::vector<std::vector<Array>> data)
    : program(program), entry(entry), initial(std::move(first)),
      state(cloneState(initial)), batches(std::move(data)) {
  // A device gets the next batch while it works, as from the main loop.
  program.whileBusy = [this] {
    this->program.stage(this->entry, views[(next + 1) % views.size()]);
  };
  for (const auto &batch : batches) {
    auto &view = views.emplace_back();
    for (const Array &array : batch)
      view.push_back(array.view());
  }
}

void BenchRun::reset() {
  for (size_t i = 0; i < state.arrays.size(); ++i)
    std::memcpy(state.arrays[i].data(), initial.arrays[i].data(),
                initial.arrays[i].bytes());
  state.changed();
  next = 0;
}

void BenchRun::step() {
  StepStatus status = program.run(entry, state, views[next], outputs);
  if (!status.ok)
    throw NumericError(status.message());
  next = (next + 1) % views.size();
}

double BenchRun::scalarOutput(size_t i) const {
  const Array &value = outputs.at(i);
  return value.dtype() == DType::Float64 ? *value.as<double>()
                                         : double(*value.as<float>());
}

double BenchRun::cost() const {
  const auto &specs = program.spec().entries[entry].outputs;
  for (size_t i = 0; i < specs.size(); ++i)
    if (specs[i].shape.empty() &&
        std::count(specs[i].roles.begin(), specs[i].roles.end(), "cost"))
      return scalarOutput(i);
  for (size_t i = 0; i < specs.size(); ++i)
    if (specs[i].shape.empty())
      return scalarOutput(i);
  return 0;
}

//===--- The command ------------------------------------------------------===//

namespace {

struct BenchCommand {
  ModelOptions model;
  DataOptions data;
  std::string entry = "train", cost = "cost", split = "train", shape;
  std::string stepRule = "scale(learning_rate=0.1)", setParameters, monitor;
  std::vector<std::string> regularizers;
  int64_t steps = 100, batches = 20;
  bool serveProtocol = false;
  Clock::time_point start = Clock::now();

  void addTo(CLI::App &command);
  int run();
  CompileRequest makeRequest() const;
  /// Extents of synthetic data; those given must be of the entry's axes.
  std::map<std::string, int64_t> extents(const EntrySpec &spec) const;
  std::vector<std::vector<Array>> readBatches(const EntrySpec &spec) const;
  void report(BenchRun &run, const ServeInfo &info,
              const PrivateMemorySampler &memory);
};

void BenchCommand::addTo(CLI::App &command) {
  model.addTo(command);
  data.addTo(command, /*required=*/false);
  command.add_option("--entry", entry, "train, eval or a graph of the model")
      ->capture_default_str();
  command.add_option("--steps", steps, "Steps to time")
      ->check(wholeNumber<int64_t>(1))
      ->capture_default_str();
  command.add_option("--shape", shape,
                     "Extents of the named axes (default: batch=128)");
  command.add_option("--cost", cost, "The output to minimize")
      ->capture_default_str();
  command.add_option("--step-rule", stepRule, "As for train")
      ->capture_default_str();
  command.add_option("--regularize", regularizers, "As for train");
  command.add_option("--monitor", monitor, "Outputs to compute")
      ->check(nameList());
  command.add_option("--set-parameters", setParameters,
                     "NPZ file or checkpoint");
  command.add_option("--split", split, "Split of --data")
      ->capture_default_str();
  command
      .add_option("--data-batches", batches,
                  "Batches of --data to cycle through")
      ->check(wholeNumber<int64_t>(1))
      ->capture_default_str();
  command.add_flag("--serve", serveProtocol,
                   "Answer the line protocol of benchmark workers");
  command.footer("Example:\n  blocks-run bench docs/examples/mnist_mlp.mlir "
                 "--entry train --steps 200 --shape batch=128");
}

CompileRequest BenchCommand::makeRequest() const {
  CompileRequest request = model.request();
  request.training = entry == "train";
  request.evaluation = entry == "eval";
  request.cost = cost;
  request.stepRule = stepRule;
  request.regularizers = regularizers;
  request.outputs = splitList(monitor);
  if (!request.training && !request.evaluation)
    request.graphs = {{entry, splitList(monitor)}};
  return request;
}

std::map<std::string, int64_t>
BenchCommand::extents(const EntrySpec &spec) const {
  if (shape.empty())
    return {{"batch", 128}};
  std::map<std::string, int64_t> given = parseExtents(shape);
  checkAxes(spec, given);
  return given;
}

std::vector<std::vector<Array>>
BenchCommand::readBatches(const EntrySpec &spec) const {
  std::vector<std::vector<Array>> result;
  if (data.file.empty()) {
    result.push_back(syntheticBatch(spec, extents(spec), model.seed));
    return result;
  }
  auto stream = openFor(spec, forEvaluation(data.describe(model.seed), split));
  stream->startEpoch();
  fuel::Batch batch;
  while (int64_t(result.size()) < batches && stream->next(batch)) {
    auto &copy = result.emplace_back();
    for (const Array &source : batch.sources)
      copy.push_back(source.clone());
  }
  if (result.empty())
    throw InputError("split '" + split + "' of " + data.file + " is empty");
  return result;
}

void BenchCommand::report(BenchRun &run, const ServeInfo &info,
                          const PrivateMemorySampler &memory) {
  std::vector<double> times(static_cast<size_t>(steps));
  run.step();
  run.step();
  AllocationCounts before = allocationCounts();
  Clock::time_point begin = Clock::now();
  for (double &time : times) {
    Clock::time_point stepBegin = Clock::now();
    run.step();
    time = secondsSince(stepBegin);
  }
  double elapsed = secondsSince(begin);
  AllocationCounts after = allocationCounts();
  std::sort(times.begin(), times.end());
  double perStep = double(steps) / elapsed;
  double own = double(after.own - before.own) / double(steps);
  double libraries = double(after.libraries - before.libraries) / double(steps);
  if (!model.json) {
    std::cout << perStep << " steps/s, median " << times[times.size() / 2] * 1e3
              << " ms, compile " << info.compileSeconds << " s, first step "
              << info.firstStepSeconds << " s\npeak resident "
              << peakResidentMb() << " MB, private " << memory.peakMb()
              << " MB; allocations per step: own " << own << ", libraries "
              << libraries << "\n";
    return;
  }
  std::cout << "{\"event\":\"bench\",\"entry\":" << quoteJson(entry)
            << ",\"shapes\":{";
  const char *separator = "";
  if (data.file.empty())
    for (const auto &[axis, extent] : extents(run.spec())) {
      std::cout << separator << quoteJson(axis) << ":" << extent;
      separator = ",";
    }
  std::cout << "},\"steps_per_s\":" << perStep
            << ",\"median_ms\":" << times[times.size() / 2] * 1e3
            << ",\"first_step_s\":" << info.firstStepSeconds
            << ",\"compile_s\":" << info.compileSeconds
            << ",\"start_s\":" << info.startSeconds
            << ",\"peak_rss_mb\":" << peakResidentMb()
            << ",\"peak_private_mb\":" << memory.peakMb()
            << ",\"allocations_per_step\":" << own
            << ",\"library_allocations_per_step\":" << libraries << "}"
            << std::endl;
}

int BenchCommand::run() {
  auto memory = std::make_unique<PrivateMemorySampler>();
  // The line protocol owns standard output, so nothing is reported there.
  CompiledModel compiled =
      serveProtocol ? compileOrLoad(makeRequest(), model.loadOptions())
                    : model.compile(makeRequest());
  if (!compiled.program)
    return 0;
  Program &program = *compiled.program;
  if (!serveProtocol)
    program.onPlan = [this](const MemoryPlan &plan) {
      model.events().plan(plan);
    };
  size_t index = findEntry(program, entry);
  ProgramState state = makeInitialState(program.spec(), model.seed);
  if (!setParameters.empty())
    loadParameters(program.spec(), state, setParameters);
  for (const auto &[path, value] :
       explicitHyperparameters(stepRule, program.spec()))
    setScalar(state.arrays[size_t(program.spec().findState(path))], value);
  ServeInfo info;
  info.compileSeconds = compiled.seconds;
  BenchRun run(program, index, std::move(state),
               readBatches(program.spec().entries[index]));
  Clock::time_point first = Clock::now();
  run.step();
  info.firstStepSeconds = secondsSince(first);
  info.startSeconds = secondsSince(start);
  if (serveProtocol) {
    memory.reset();
    return serve(run, info);
  }
  report(run, info, *memory);
  model.events().end(0, steps, secondsSince(start));
  return 0;
}

} // namespace

void addBenchCommand(CLI::App &app, Action &action) {
  auto *command = app.add_subcommand("bench", "Times an entry of a model");
  auto state = std::make_shared<BenchCommand>();
  state->addTo(*command);
  command->callback([=, &action] { action = [=] { return state->run(); }; });
}

} // namespace blocks::cli
