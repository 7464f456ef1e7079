// MainLoop: pulls a batch, runs the program's training entry, calls the
// extensions; until one of them, or a signal, ends it. `blocks::train` in
// blocks/Training.h sets one up with the usual extensions. Single-threaded; it
// owns its extensions, and borrows program, state and stream.
#pragma once

#include "blocks/EventSink.h"
#include "blocks/Extension.h"
#include "blocks/Program.h"
#include "fuel/DataStream.h"

#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace blocks {

class BatchReader;
class EntryRunner;
class InterruptSignals;

/// Seconds spent since the loop was made. Kept apart from the log, whose rows
/// are the same for every run.
struct LoopTimes {
  double readData = 0, train = 0;
};

/// Writes a checkpoint of a loop, whose stream stood at `position`. `best` if
/// it is to be kept until a better one comes.
class CheckpointSink {
public:
  virtual ~CheckpointSink() = default;
  virtual void write(MainLoop &loop, const std::string &position,
                     bool best) = 0;
};

class MainLoop {
public:
  /// Throws InputError if the stream's sources do not fit the entry.
  MainLoop(Program &program, ProgramState &state, fuel::DataStream &stream,
           std::ostream &messages, const std::string &entry = "train");
  ~MainLoop();

  void add(std::unique_ptr<Extension> extension);
  /// Signals that end the loop; without, none do. Not owned.
  void setSignals(const InterruptSignals *signals) { this->signals = signals; }
  /// Where requested checkpoints go; one is also written when training ends.
  /// Not owned.
  void setCheckpoints(CheckpointSink *sink) { checkpoints = sink; }

  /// Trains until something ends it. On an error `onError` of every extension
  /// is called, and the error goes on to the caller.
  void run();

  // For extensions.
  const LoopStatus &status() const { return loopStatus; }
  const LoopTimes &times() const { return loopTimes; }
  Program &program() { return theProgram; }
  ProgramState &state() { return theState; }
  fuel::DataStream &stream() { return theStream; }
  const EntrySpec &entry() const;
  /// Outputs and size of the last batch.
  const std::vector<Array> &outputs() const;
  int64_t examples() const;
  /// The row that monitoring extensions fill during afterBatch or afterEpoch,
  /// and that those after them write and print. Cleared by the loop.
  std::vector<NamedValue> row;
  RowView rowView() const;
  /// Ends training after the extensions have run; the first reason stays.
  void requestFinish(const std::string &reason);
  const std::string &finishReason() const { return reason; }
  /// Asks for a checkpoint once every extension has run.
  void requestCheckpoint() { checkpointRequested = true; }
  /// The same, for the best model so far.
  void requestBestCheckpoint() {
    checkpointRequested = bestCheckpointRequested = true;
  }
  const std::vector<std::unique_ptr<Extension>> &extensions() const {
    return theExtensions;
  }
  bool resumed() const { return wasResumed; }
  /// The signal that ended training, or 0.
  int interruptedBy() const { return interrupt; }

  /// State for checkpoints: progress and every extension's.
  void save(StateRecords &records) const;
  void restore(const StateRecords &records);

private:
  void start();
  void beginEpoch();
  bool fetchBatch();
  void runIteration();
  void processBatch();
  void runStep();
  void prepareNext();
  void settle();
  void endEpoch();
  void finish();
  void pollSignals(bool epochEnded);
  void writeCheckpoint(const std::string &position);
  void reportError(const std::exception &error);
  bool stopping() const { return !reason.empty(); }

  Program &theProgram;
  ProgramState &theState;
  fuel::DataStream &theStream;
  std::ostream &messages;
  std::unique_ptr<EntryRunner> runner;
  std::vector<std::unique_ptr<Extension>> theExtensions;
  const InterruptSignals *signals = nullptr;
  CheckpointSink *checkpoints = nullptr;

  std::unique_ptr<BatchReader> reader;
  LoopStatus loopStatus;
  LoopTimes loopTimes;
  std::string reason;
  bool checkpointRequested = false, bestCheckpointRequested = false;
  bool changedSinceCheckpoint = false;
  bool wasResumed = false;
  int interrupt = 0;
};

} // namespace blocks
