// train and evaluate: see include/blocks/Training.h. A run is set up here, in
// the order of the calls in `Run::run`; the loop itself is MainLoop's.
#include "blocks/Training.h"

#include "blocks/Error.h"
#include "blocks/MainLoop.h"
#include "blocks/Parameters.h"
#include "runtime/Checkpoint/CheckpointFile.h"
#include "runtime/Train/Checkpointer.h"
#include "runtime/Train/Extensions/Checkpoint.h"
#include "runtime/Train/Extensions/DataStreamMonitoring.h"
#include "runtime/Train/Extensions/FinishAfter.h"
#include "runtime/Train/Extensions/LogRows.h"
#include "runtime/Train/Extensions/NanGuard.h"
#include "runtime/Train/Extensions/Plot.h"
#include "runtime/Train/Extensions/Printing.h"
#include "runtime/Train/Extensions/ProgressBar.h"
#include "runtime/Train/Extensions/Timing.h"
#include "runtime/Train/Extensions/TrainingDataMonitoring.h"
#include "runtime/Train/Hyperparameters.h"
#include "runtime/Train/Signals.h"

#include <chrono>
#include <unistd.h>

namespace blocks {

namespace {
bool hasOutput(const EntrySpec &entry, const std::string &name) {
  for (const OutputSpec &output : entry.outputs)
    if (output.name == name)
      return true;
  return false;
}

/// The outputs of `entry` to monitor: those asked for that it has (a penalty
/// exists in training only), or every scalar one.
std::vector<std::string> monitored(const ProgramSpec &spec,
                                   const EntrySpec &entry,
                                   const std::vector<std::string> &names) {
  if (names.empty())
    return scalarOutputs(entry);
  const EntrySpec *eval = spec.findEntry("eval"),
                  *train = spec.findEntry("train");
  std::vector<std::string> chosen;
  for (const std::string &name : names) {
    bool elsewhere =
        (eval && hasOutput(*eval, name)) || (train && hasOutput(*train, name));
    if (hasOutput(entry, name) || !elsewhere) // Unknown everywhere: an error.
      chosen.push_back(name);
  }
  return chosen;
}

class Run {
public:
  Run(Program &program, fuel::DataStream &stream,
      const std::vector<NamedStream> &valid, const TrainOptions &options,
      EventSink &events, std::ostream &text, std::ostream &messages)
      : program(program), stream(stream), valid(valid), options(options),
        events(events), text(text), messages(messages) {}

  /// Returns the signal that ended training, or 0.
  int run() {
    checkOptions();
    program.onPlan = [this](const MemoryPlan &plan) { events.plan(plan); };
    state = makeInitialState(program.spec(), options.seed);
    findCheckpoint();
    loadState();
    applyHyperparameters(program.spec(), state, options.hyperparameters,
                         found ? &messages : nullptr);
    theLoop = std::make_unique<MainLoop>(program, state, stream, messages);
    MainLoop &loop = *theLoop;
    Checkpointer checkpointer(options, stream, &log, events);
    addExtensions(loop);
    if (found)
      resume(loop);
    else
      startAfresh(checkpointer);
    loop.setSignals(&signals);
    if (!options.checkpointPath.empty())
      loop.setCheckpoints(&checkpointer);
    loop.run();
    if (loop.interruptedBy() && options.checkpointPath.empty())
      messages << "nothing was saved: no --checkpoint PATH was given"
               << std::endl;
    if (!loop.interruptedBy() && !options.saveParametersPath.empty()) {
      state.download();
      saveParameters(program.spec(), state, options.saveParametersPath);
    }
    return loop.interruptedBy();
  }

  int64_t iterations() const {
    return theLoop ? theLoop->status().iterations : 0;
  }

private:
  void checkOptions() const {
    if (!options.epochs && !options.batches)
      throw UsageError("say how long to train: --epochs N or --batches N");
    if (options.epochs.value_or(0) < 0 || options.batches.value_or(0) < 0)
      throw UsageError("--epochs and --batches take numbers from 0");
    if (options.keep < 1)
      throw UsageError("at least one checkpoint must be kept");
    if (options.resume && options.checkpointPath.empty())
      throw UsageError("--resume needs --checkpoint PATH");
    if (!options.plotPath.empty() && options.logPath.empty())
      throw UsageError("a plot needs the log it shows: add --log FILE");
  }

  void findCheckpoint() {
    if (!options.resume)
      return;
    found = findNewestValid(options.checkpointPath, messages);
    if (!found)
      messages << "there is no checkpoint '" << options.checkpointPath
               << "' yet; starting afresh" << std::endl;
  }

  void loadState() {
    if (found) {
      // Another step rule has other state: say so by its option.
      checkSameOptions(*found, options, stream);
      readCheckpointState(found->path, program.spec(), state);
      checkSameText(*found, program.spec(), options.allowChangedModel,
                    messages);
      if (!options.setParametersPath.empty())
        messages << "the parameters of the checkpoint are used, not those of '"
                 << options.setParametersPath << "'" << std::endl;
    } else if (!options.setParametersPath.empty()) {
      loadParameters(program.spec(), state, options.setParametersPath);
    }
  }

  void startAfresh(Checkpointer &checkpointer) {
    if (!options.logPath.empty())
      log = TrainingLog(options.logPath);
    if (options.checkpointPath.empty() ||
        findCheckpoints(options.checkpointPath).empty())
      return;
    // They must not be taken for older ones of this run.
    checkpointer.discardOlder();
    messages << "the checkpoint '" << options.checkpointPath
             << "' of an earlier run will be replaced (--resume continues it)"
             << std::endl;
  }

  void resume(MainLoop &loop) {
    loop.restore(found->records);
    stream.restore(findRecord(*found, "stream").getText("position"));
    log = resumeLog(*found, options.logPath, messages);
    std::string former = findRecord(*found, "platform").getText("platform");
    if (former != options.platform)
      messages << "the checkpoint is from " << former << ", this is "
               << options.platform
               << ": the run continues with equal batches and random numbers, "
                  "but last bits of results may differ"
               << std::endl;
    text << "resuming from '" << found->path << "'" << std::endl;
  }

  std::vector<std::string> monitoredIn(const std::string &entry) const {
    const ProgramSpec &spec = program.spec();
    return monitored(spec, spec.entries[findEntryIndex(spec, entry)],
                     options.monitor);
  }

  // The order matters: values first, then what shows them, then what ends or
  // saves the run.
  void addExtensions(MainLoop &loop) {
    loop.add(std::make_unique<NanGuard>(loop.entry(), options.onNan, messages));
    loop.add(std::make_unique<TrainingDataMonitoring>(
        loop.entry(), monitoredIn("train"), options.trainName,
        options.logEvery));
    for (const NamedStream &one : valid)
      loop.add(std::make_unique<DataStreamMonitoring>(
          program, *one.stream, one.name, monitoredIn("eval")));
    loop.add(std::make_unique<LogRows>(log, events));
    if (options.progressBar.value_or(::isatty(STDOUT_FILENO)))
      loop.add(std::make_unique<ProgressBar>(text, options.epochs.value_or(0)));
    auto timing =
        std::make_unique<Timing>(options.timesPath, found.has_value());
    const Timing &times = *timing;
    loop.add(std::move(timing));
    loop.add(
        std::make_unique<Printing>(text, options.epochs.value_or(0), times));
    if (!options.plotPath.empty())
      loop.add(std::make_unique<Plot>(log, options.plotPath));
    loop.add(std::make_unique<FinishAfter>(options.epochs, options.batches));
    if (!options.checkpointPath.empty())
      loop.add(std::make_unique<Checkpoint>(options.checkpointEvery));
  }

  Program &program;
  fuel::DataStream &stream;
  const std::vector<NamedStream> &valid;
  const TrainOptions &options;
  EventSink &events;
  std::ostream &text, &messages;

  InterruptSignals signals;
  ProgramState state;
  TrainingLog log;
  std::optional<FoundCheckpoint> found;
  std::unique_ptr<MainLoop> theLoop;
};

/// Runs `action`, which returns a status, and turns an error into one.
template <typename Action>
int guarded(Action action, EventSink &events, std::ostream &messages) {
  try {
    return action();
  } catch (const Error &error) {
    messages << "error: " << error.what() << std::endl;
    events.error(error.what());
    return error.exitStatus();
  } catch (const std::bad_alloc &) {
    constexpr const char *what = "not enough memory; use a smaller batch";
    messages << "error: " << what << std::endl;
    events.error(what);
  } catch (const std::exception &error) {
    messages << "error: " << error.what() << std::endl;
    events.error(error.what());
  }
  return 1;
}

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

void evaluateOn(Program &program, ProgramState &state,
                const NamedStream &stream, const EvaluateOptions &options,
                EventSink &events, std::ostream &text) {
  const ProgramSpec &spec = program.spec();
  const EntrySpec &eval = spec.entries[findEntryIndex(spec, "eval")];
  DataStreamMonitoring monitoring(program, *stream.stream, stream.name,
                                  monitored(spec, eval, options.monitor));
  std::vector<NamedValue> row;
  int64_t examples = monitoring.evaluate(state, row);
  text << stream.name << " (" << examples << " examples): " << formatValues(row)
       << std::endl;
  events.eval(stream.name, examples, row);
}
} // namespace

int train(Program &program, fuel::DataStream &stream,
          const std::vector<NamedStream> &valid, const TrainOptions &options,
          EventSink &events, std::ostream &text, std::ostream &messages) {
  auto begin = std::chrono::steady_clock::now();
  Run run(program, stream, valid, options, events, text, messages);
  auto action = [&] {
    int signal = run.run();
    return signal ? InterruptSignals::exitStatus(signal) : 0;
  };
  int status = guarded(action, events, messages);
  program.onPlan = nullptr;
  events.end(status, run.iterations(), secondsSince(begin));
  return status;
}

int evaluate(Program &program, const std::vector<NamedStream> &streams,
             const EvaluateOptions &options, EventSink &events,
             std::ostream &text, std::ostream &messages) {
  auto begin = std::chrono::steady_clock::now();
  auto action = [&] {
    program.onPlan = [&](const MemoryPlan &plan) { events.plan(plan); };
    ProgramState state = makeInitialState(program.spec(), options.seed);
    if (options.parametersPath.empty())
      messages << "no --parameters: evaluating the initial values of seed "
               << options.seed << std::endl;
    else
      loadParameters(program.spec(), state, options.parametersPath);
    for (const NamedStream &stream : streams)
      evaluateOn(program, state, stream, options, events, text);
    return 0;
  };
  int status = guarded(action, events, messages);
  program.onPlan = nullptr;
  events.end(status, 0, secondsSince(begin));
  return status;
}

} // namespace blocks
