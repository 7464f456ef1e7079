// Checkpointer: what a checkpoint of a training run consists of, and how a run
// continues from one: progress and extensions (from the main loop), the
// stream's position, the log's, and the options that must not change.
#pragma once

#include "blocks/MainLoop.h"
#include "blocks/Training.h"
#include "runtime/Train/TrainingLog.h"

#include <optional>

namespace blocks {

class Checkpointer : public CheckpointSink {
public:
  /// `log` may be null. All are borrowed.
  Checkpointer(const TrainOptions &options, const fuel::DataStream &stream,
               TrainingLog *log, EventSink &events);

  /// The best one also becomes PATH.best.
  void write(MainLoop &loop, const std::string &position, bool best) override;
  /// The next write leaves no other checkpoint under this path.
  void discardOlder() { discard = true; }

private:
  const TrainOptions &options;
  const fuel::DataStream &stream;
  TrainingLog *log;
  EventSink &events;
  bool discard = false;
};

/// The newest checkpoint that is whole.
struct FoundCheckpoint {
  std::string path;
  StateRecords records;
};

/// Looks at PATH, PATH.1, …; says on `messages` which damaged ones it passed
/// over. Nothing if there are none at all; CorruptError if none is whole.
std::optional<FoundCheckpoint> findNewestValid(const std::string &path,
                                               std::ostream &messages);

/// A record that every checkpoint of a training run has; CorruptError if not.
const StateRecord &findRecord(const FoundCheckpoint &found,
                              const std::string &name);

/// Throws UsageError, with both values of each, if options differ that must
/// not.
void checkSameOptions(const FoundCheckpoint &found, const TrainOptions &options,
                      const fuel::DataStream &stream);

/// Throws InputError, naming the parts, if the text of the model is not the
/// checkpoint's. A notice on `messages` instead if the options allow it, or if
/// the checkpoint is too old to tell. Names and shapes of the state are checked
/// where it is read.
void checkSameText(const FoundCheckpoint &found, const ProgramSpec &spec,
                   bool allowChanged, std::ostream &messages);

/// Opens the log of a resumed run: continues the checkpoint's, or starts a new
/// one under another name.
TrainingLog resumeLog(const FoundCheckpoint &found, const std::string &path,
                      std::ostream &messages);

} // namespace blocks
