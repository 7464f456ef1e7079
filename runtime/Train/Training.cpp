// train and evaluate: see include/blocks/Training.h. A run is set up here, in
// the order of the calls in `Run::run`; the loop itself is MainLoop's.
#include "blocks/Training.h"

#include "blocks/Error.h"
#include "blocks/MainLoop.h"
#include "blocks/Parameters.h"
#include "runtime/Base/NamedCalls.h"
#include "runtime/Checkpoint/CheckpointFile.h"
#include "runtime/Train/Checkpointer.h"
#include "runtime/Train/Extensions/Checkpoint.h"
#include "runtime/Train/Extensions/DataStreamMonitoring.h"
#include "runtime/Train/Extensions/FinishAfter.h"
#include "runtime/Train/Extensions/LogRows.h"
#include "runtime/Train/Extensions/NanGuard.h"
#include "runtime/Train/Extensions/Plot.h"
#include "runtime/Train/Extensions/Printing.h"
#include "runtime/Train/Extensions/Profile.h"
#include "runtime/Train/Extensions/ProgressBar.h"
#include "runtime/Train/Extensions/Schedules.h"
#include "runtime/Train/Extensions/Timing.h"
#include "runtime/Train/Extensions/TrackBest.h"
#include "runtime/Train/Extensions/TrainingDataMonitoring.h"
#include "runtime/Train/Hyperparameters.h"
#include "runtime/Train/Signals.h"

#include <algorithm>
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
    makeSchedules();
    loadState();
    applyHyperparameters(program.spec(), state, constantHyperparameters(),
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
    if (options.patience < 0)
      throw UsageError("--patience takes a number of epochs from 0");
    if (options.patience > 0 && options.best.empty())
      throw UsageError("--patience needs --best SPLIT/OUTPUT, the value that "
                       "is to improve");
  }

  // What schedules start from is given by the options, not by a checkpoint,
  // which has the values as they were then.
  void makeSchedules() {
    if (options.schedule.empty())
      return;
    applyHyperparameters(program.spec(), state, options.hyperparameters,
                         nullptr);
    schedules = std::make_unique<Schedules>(options.schedule, program.spec(),
                                            state, messages);
    for (const std::string &name : schedules->watched())
      checkMonitored(name, "--schedule");
  }

  /// That a row of an epoch will have the value `name`.
  void checkMonitored(const std::string &name, const char *option) const {
    std::vector<std::string> known;
    for (const std::string &output : monitoredIn("train"))
      known.push_back(options.trainName + "/" + output);
    for (const NamedStream &one : valid)
      for (const std::string &output : monitoredIn("eval"))
        known.push_back(one.name + "/" + output);
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UsageError("'" + name + "' of " + option +
                       " is not monitored; there are " + listOf(known) +
                       ", and --valid-split adds other splits");
  }

  std::map<std::string, double> constantHyperparameters() const {
    std::map<std::string, double> values = options.hyperparameters;
    if (schedules)
      for (const std::string &path : schedules->paths())
        values.erase(path);
    return values;
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

  /// A place that the stream refuses is told with the checkpoint's name.
  void restoreStream() {
    const StateRecord &record = findRecord(*found, "stream");
    try {
      stream.restore(record.getText("position"));
    } catch (const InputError &error) {
      throw InputError("cannot resume from '" + found->path +
                       "': " + error.what());
    }
  }

  void resume(MainLoop &loop) {
    loop.restore(found->records);
    restoreStream();
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
    if (schedules)
      loop.add(std::move(schedules));
    const TrackBest *best = addTrackBest(loop);
    loop.add(std::make_unique<LogRows>(log, events));
    if (options.progressBar.value_or(::isatty(STDOUT_FILENO)))
      loop.add(std::make_unique<ProgressBar>(text, options.epochs.value_or(0)));
    auto timing =
        std::make_unique<Timing>(options.timesPath, found.has_value());
    const Timing &times = *timing;
    loop.add(std::move(timing));
    loop.add(
        std::make_unique<Printing>(text, options.epochs.value_or(0), times));
    if (options.profile)
      loop.add(std::make_unique<Profile>(text, events));
    if (!options.plotPath.empty())
      loop.add(std::make_unique<Plot>(log, options.plotPath));
    loop.add(std::make_unique<FinishAfter>(options.epochs, options.batches));
    if (options.patience > 0)
      loop.add(
          std::make_unique<FinishIfNoImprovement>(*best, options.patience));
    if (!options.checkpointPath.empty())
      loop.add(std::make_unique<Checkpoint>(options.checkpointEvery));
  }

  const TrackBest *addTrackBest(MainLoop &loop) const {
    if (options.best.empty())
      return nullptr;
    checkMonitored(options.best, "--best");
    auto best = std::make_unique<TrackBest>(options.best,
                                            parseChoice(options.chooseBest));
    const TrackBest *added = best.get();
    loop.add(std::move(best));
    return added;
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
  std::unique_ptr<Schedules> schedules; ///< Until the loop has it.
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
