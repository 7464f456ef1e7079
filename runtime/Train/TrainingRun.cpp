// TrainingRun: see TrainingRun.h.
#include "runtime/Train/TrainingRun.h"

#include "blocks/Error.h"
#include "blocks/Parameters.h"
#include "runtime/Base/NamedCalls.h"
#include "runtime/Checkpoint/CheckpointFile.h"
#include "runtime/Train/Extensions/Checkpoint.h"
#include "runtime/Train/Extensions/DataStreamMonitoring.h"
#include "runtime/Train/Extensions/FinishAfter.h"
#include "runtime/Train/Extensions/LogRows.h"
#include "runtime/Train/Extensions/NanGuard.h"
#include "runtime/Train/Extensions/Plot.h"
#include "runtime/Train/Extensions/Printing.h"
#include "runtime/Train/Extensions/Profile.h"
#include "runtime/Train/Extensions/ProgressBar.h"
#include "runtime/Train/Extensions/Timing.h"
#include "runtime/Train/Extensions/TrainingDataMonitoring.h"
#include "runtime/Train/Hyperparameters.h"
#include "runtime/Train/Monitored.h"

#include <algorithm>
#include <unistd.h>

namespace blocks {

int TrainingRun::run() {
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

int64_t TrainingRun::iterations() const {
  return theLoop ? theLoop->status().iterations : 0;
}

void TrainingRun::checkOptions() const {
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
void TrainingRun::makeSchedules() {
  if (options.schedule.empty())
    return;
  applyHyperparameters(program.spec(), state, options.hyperparameters, nullptr);
  schedules = std::make_unique<Schedules>(options.schedule, program.spec(),
                                          state, messages);
  for (const std::string &name : schedules->watched())
    checkMonitored(name, "--schedule");
}

void TrainingRun::checkMonitored(const std::string &name,
                                 const char *option) const {
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

std::map<std::string, double> TrainingRun::constantHyperparameters() const {
  std::map<std::string, double> values = options.hyperparameters;
  if (schedules)
    for (const std::string &path : schedules->paths())
      values.erase(path);
  return values;
}

void TrainingRun::findCheckpoint() {
  if (!options.resume)
    return;
  found = findNewestValid(options.checkpointPath, messages);
  if (!found)
    messages << "there is no checkpoint '" << options.checkpointPath
             << "' yet; starting afresh" << std::endl;
}

void TrainingRun::loadState() {
  if (found) {
    // Another step rule has other state: say so by its option.
    checkSameOptions(*found, options, stream);
    readCheckpointState(found->path, program.spec(), state);
    checkSameText(*found, program.spec(), options.allowChangedModel, messages);
    if (!options.setParametersPath.empty())
      messages << "the parameters of the checkpoint are used, not those of '"
               << options.setParametersPath << "'" << std::endl;
  } else if (!options.setParametersPath.empty()) {
    loadParameters(program.spec(), state, options.setParametersPath);
  }
}

void TrainingRun::startAfresh(Checkpointer &checkpointer) {
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

void TrainingRun::restoreStream() {
  const StateRecord &record = findRecord(*found, "stream");
  try {
    stream.restore(record.getText("position"));
  } catch (const InputError &error) {
    throw InputError("cannot resume from '" + found->path +
                     "': " + error.what());
  }
}

void TrainingRun::resume(MainLoop &loop) {
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

std::vector<std::string>
TrainingRun::monitoredIn(const std::string &entry) const {
  const ProgramSpec &spec = program.spec();
  return monitored(spec, spec.entries[findEntryIndex(spec, entry)],
                   options.monitor);
}

// The order matters: values first, then what shows them, then what ends or
// saves the run.
void TrainingRun::addExtensions(MainLoop &loop) {
  loop.add(std::make_unique<NanGuard>(loop.entry(), options.onNan, messages));
  loop.add(std::make_unique<TrainingDataMonitoring>(
      loop.entry(), monitoredIn("train"), options.trainName, options.logEvery));
  for (const NamedStream &one : valid)
    loop.add(std::make_unique<DataStreamMonitoring>(
        program, *one.stream, one.name, monitoredIn("eval")));
  if (schedules)
    loop.add(std::move(schedules));
  const TrackBest *best = addTrackBest(loop);
  loop.add(std::make_unique<LogRows>(log, events));
  if (options.progressBar.value_or(::isatty(STDOUT_FILENO)))
    loop.add(std::make_unique<ProgressBar>(text, options.epochs.value_or(0)));
  auto timing = std::make_unique<Timing>(options.timesPath, found.has_value());
  const Timing &times = *timing;
  loop.add(std::move(timing));
  loop.add(std::make_unique<Printing>(text, options.epochs.value_or(0), times));
  if (options.profile)
    loop.add(std::make_unique<Profile>(text, events));
  if (!options.plotPath.empty())
    loop.add(std::make_unique<Plot>(log, options.plotPath));
  loop.add(std::make_unique<FinishAfter>(options.epochs, options.batches));
  if (options.patience > 0)
    loop.add(std::make_unique<FinishIfNoImprovement>(*best, options.patience));
  if (!options.checkpointPath.empty())
    loop.add(std::make_unique<Checkpoint>(options.checkpointEvery));
}

const TrackBest *TrainingRun::addTrackBest(MainLoop &loop) const {
  if (options.best.empty())
    return nullptr;
  checkMonitored(options.best, "--best");
  auto best = std::make_unique<TrackBest>(
      options.best, parseChoice(options.chooseBest), messages);
  const TrackBest *added = best.get();
  loop.add(std::move(best));
  return added;
}

} // namespace blocks
