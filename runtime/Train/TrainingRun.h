// TrainingRun: one call of blocks::train: finds where to start, sets up a
// MainLoop with the usual extensions, and runs it. The order of the steps is
// that of the calls in `run`.
#pragma once

#include "blocks/MainLoop.h"
#include "blocks/Training.h"
#include "runtime/Train/Checkpointer.h"
#include "runtime/Train/Extensions/Schedules.h"
#include "runtime/Train/Extensions/TrackBest.h"
#include "runtime/Train/Signals.h"

#include <map>
#include <memory>
#include <optional>

namespace blocks {

class TrainingRun {
public:
  /// Everything is borrowed.
  TrainingRun(Program &program, fuel::DataStream &stream,
              const std::vector<NamedStream> &valid,
              const TrainOptions &options, EventSink &events,
              std::ostream &text, std::ostream &messages)
      : program(program), stream(stream), valid(valid), options(options),
        events(events), text(text), messages(messages) {}

  /// Returns the signal that ended training, or 0.
  int run();
  int64_t iterations() const;

private:
  void checkOptions() const;
  void makeSchedules();
  /// That a row of an epoch will have the value `name`.
  void checkMonitored(const std::string &name, const char *option) const;
  std::map<std::string, double> constantHyperparameters() const;
  void findCheckpoint();
  void loadState();
  void startAfresh(Checkpointer &checkpointer);
  /// A place that the stream refuses is told with the checkpoint's name.
  void restoreStream();
  void resume(MainLoop &loop);
  std::vector<std::string> monitoredIn(const std::string &entry) const;
  void addExtensions(MainLoop &loop);
  const TrackBest *addTrackBest(MainLoop &loop) const;

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

} // namespace blocks
