// MainLoop: see include/blocks/MainLoop.h. The way of one batch is
// `runIteration`, and what may follow it (checkpoint, end) is `settle`.
#include "blocks/MainLoop.h"

#include "blocks/Error.h"
#include "runtime/Train/BatchReader.h"
#include "runtime/Train/EntryRunner.h"
#include "runtime/Train/Signals.h"

#include <chrono>
#include <utility>

namespace blocks {

namespace {
/// Adds the time until it goes out of scope.
class Stopwatch {
public:
  explicit Stopwatch(double &total) : total(total) {}
  ~Stopwatch() {
    total += std::chrono::duration<double>(Clock::now() - begin).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  double &total;
  Clock::time_point begin = Clock::now();
};

using Callback = void (Extension::*)(MainLoop &);
void dispatch(MainLoop &loop, Callback callback) {
  for (const auto &extension : loop.extensions())
    (extension.get()->*callback)(loop);
}
} // namespace

MainLoop::MainLoop(Program &program, ProgramState &state,
                   fuel::DataStream &stream, std::ostream &messages,
                   const std::string &entry)
    : theProgram(program), theState(state), theStream(stream),
      messages(messages), runner(std::make_unique<EntryRunner>(
                              program, entry, stream, "training stream")),
      reader(std::make_unique<BatchReader>(stream)) {}

MainLoop::~MainLoop() = default;

const EntrySpec &MainLoop::entry() const { return runner->spec(); }
const std::vector<Array> &MainLoop::outputs() const {
  return runner->outputs();
}
int64_t MainLoop::examples() const { return reader->batch().examples; }

void MainLoop::add(std::unique_ptr<Extension> extension) {
  for (const auto &other : theExtensions)
    if (other->name() == extension->name())
      throw UsageError("two extensions are called '" + extension->name() +
                       "'; their states would be mixed up in a checkpoint");
  theExtensions.push_back(std::move(extension));
}

RowView MainLoop::rowView() const {
  return {loopStatus.iterations, loopStatus.epochOfLastBatch(), row};
}

void MainLoop::requestFinish(const std::string &why) {
  if (reason.empty())
    reason = why;
}

void MainLoop::run() {
  try {
    start();
    while (!stopping()) {
      if (!loopStatus.epochStarted)
        beginEpoch();
      while (!stopping() && loopStatus.epochStarted) {
        if (fetchBatch())
          runIteration();
        else
          endEpoch();
        settle();
      }
    }
    finish();
  } catch (const std::exception &error) {
    reportError(error);
    throw;
  }
}

void MainLoop::start() {
  dispatch(*this, &Extension::beforeTraining);
  if (wasResumed)
    dispatch(*this, &Extension::onResumption);
}

void MainLoop::beginEpoch() {
  {
    Stopwatch watch(loopTimes.readData);
    reader->startEpoch();
  }
  loopStatus.epochStarted = true;
  loopStatus.batchesInEpoch = 0;
  dispatch(*this, &Extension::beforeEpoch);
}

bool MainLoop::fetchBatch() {
  Stopwatch watch(loopTimes.readData);
  return reader->next();
}

void MainLoop::runIteration() {
  dispatch(*this, &Extension::beforeBatch);
  processBatch();
  dispatch(*this, &Extension::afterBatch);
  row.clear();
  pollSignals(false);
}

void MainLoop::processBatch() {
  {
    Stopwatch watch(loopTimes.train);
    try {
      runStep();
    } catch (const NumericError &error) {
      throw NumericError("step " + std::to_string(loopStatus.iterations + 1) +
                         ": " + error.what());
    }
  }
  ++loopStatus.iterations;
  ++loopStatus.batchesInEpoch;
  changedSinceCheckpoint = true;
}

// While a device works on this batch the next one is read and sent after it. On
// the processor nothing is ever read while a step runs.
void MainLoop::runStep() {
  struct Busy {
    Program &program;
    ~Busy() { program.whileBusy = nullptr; }
  } busy{theProgram};
  theProgram.whileBusy = [this] { prepareNext(); };
  runner->run(theState, reader->batch());
}

void MainLoop::prepareNext() {
  if (reader->readAheadQuietly())
    runner->stage(reader->ahead());
}

void MainLoop::endEpoch() {
  if (loopStatus.batchesInEpoch == 0)
    throw InputError("the training stream delivered no batch in epoch " +
                     std::to_string(loopStatus.epochs + 1) +
                     "; is the split empty?");
  loopStatus.epochStarted = false;
  ++loopStatus.epochs;
  changedSinceCheckpoint = true;
  dispatch(*this, &Extension::afterEpoch);
  row.clear();
  pollSignals(true);
}

// Writes the checkpoint that an extension asked for. If the loop could go on,
// the next batch is fetched first: should the epoch end here, its end belongs
// to the checkpoint (and to a run that stops here). A signal must not wait for
// that; a resumed run then finds the end by itself.
void MainLoop::settle() {
  if (!checkpointRequested && !stopping())
    return;
  if (!checkpoints && interrupt)
    return;
  std::string position = reader->position();
  if (loopStatus.epochStarted && !interrupt && !reader->readAhead()) {
    endEpoch();
    position = theStream.state();
  }
  if (checkpointRequested || stopping())
    writeCheckpoint(position);
}

void MainLoop::writeCheckpoint(const std::string &position) {
  checkpointRequested = false;
  bool best = std::exchange(bestCheckpointRequested, false);
  if (!checkpoints || !changedSinceCheckpoint)
    return;
  checkpoints->write(*this, position, best);
  changedSinceCheckpoint = false;
}

void MainLoop::pollSignals(bool epochEnded) {
  using Level = InterruptSignals::Level;
  if (!signals)
    return;
  Level level = signals->level();
  if (level == Level::FinishBatch ||
      (level == Level::FinishEpoch && epochEnded)) {
    interrupt = signals->signal();
    requestFinish("interrupted");
  }
}

void MainLoop::finish() {
  if (interrupt)
    dispatch(*this, &Extension::onInterrupt);
  dispatch(*this, &Extension::afterTraining);
}

void MainLoop::reportError(const std::exception &error) {
  for (const auto &extension : theExtensions)
    try {
      extension->onError(*this, error);
    } catch (const std::exception &second) {
      messages << "warning: extension '" << extension->name()
               << "' failed while an error was handled: " << second.what()
               << std::endl;
    }
}

void MainLoop::save(StateRecords &records) const {
  StateRecord &record = records["loop"];
  record.setInt("iterations", loopStatus.iterations);
  record.setInt("epochs", loopStatus.epochs);
  record.setInt("batches in epoch", loopStatus.batchesInEpoch);
  record.setInt("epoch started", loopStatus.epochStarted);
  for (const auto &extension : theExtensions) {
    StateRecord own;
    extension->save(own);
    if (!own.numbers.empty() || !own.texts.empty())
      records["extension/" + extension->name()] = std::move(own);
  }
}

void MainLoop::restore(const StateRecords &records) {
  auto loop = records.find("loop");
  if (loop == records.end())
    throw CorruptError("the checkpoint has no progress counters");
  auto count = [&](const char *key) {
    int64_t value = loop->second.getInt(key);
    if (value < 0)
      throw CorruptError("the checkpoint's count '" + std::string(key) +
                         "' is negative");
    return value;
  };
  loopStatus.iterations = count("iterations");
  loopStatus.epochs = count("epochs");
  loopStatus.batchesInEpoch = count("batches in epoch");
  loopStatus.epochStarted = count("epoch started") != 0;
  for (const auto &extension : theExtensions) {
    auto it = records.find("extension/" + extension->name());
    if (it != records.end())
      extension->restore(it->second);
  }
  wasResumed = true;
}

} // namespace blocks
