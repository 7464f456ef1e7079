// Training: the whole of `blocks-run train` and `blocks-run eval` as functions,
// for tools and for programs that embed Blocks. They put the usual extensions
// around a MainLoop (blocks/MainLoop.h), which can also be driven by hand.
//
// Conventions for programs: the training entry is called "train", the
// evaluating one "eval"; state "/algorithm.step" counts the steps (i64, the
// training entry increments it), "/algorithm.seed" (i64) is set from the seed.
#pragma once

#include "blocks/EventSink.h"
#include "blocks/Program.h"
#include "fuel/DataStream.h"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace blocks {

/// A stream to evaluate on; `name` is the SPLIT of "SPLIT/NAME".
struct NamedStream {
  std::string name;
  fuel::DataStream *stream = nullptr; ///< Not owned.
};

/// When to write checkpoints: every so many epochs, batches or minutes,
/// whichever comes first; 0 switches one off.
struct CheckpointInterval {
  int64_t epochs = 0;
  int64_t batches = 0;
  double minutes = 0;
};
/// "1epoch", "500batches", "10min"; several joined by commas. Throws
/// UsageError.
CheckpointInterval parseCheckpointInterval(const std::string &text);

enum class OnNan { Stop, Continue };
/// "stop" or "continue"; throws UsageError.
OnNan parseOnNan(const std::string &text);

struct TrainOptions {
  /// Totals, counting what a resumed run has done; with 0 nothing is trained.
  /// One of them must be given.
  std::optional<int64_t> epochs, batches;
  uint64_t seed = 1;
  /// Outputs to monitor; empty means every scalar output.
  std::vector<std::string> monitor;
  /// SPLIT of the training values.
  std::string trainName = "train";

  std::string checkpointPath; ///< Empty: no checkpoints.
  CheckpointInterval checkpointEvery{1, 0, 0};
  int64_t keep = 2; ///< Checkpoints kept: PATH, PATH.1, …
  bool resume = false;
  /// Resume although the model's text is not the checkpoint's.
  bool allowChangedModel = false;

  /// How hyperparameters change while training: "warmup(over=500batches),
  /// cosine(over=10epochs)"; the names are in runtime/Train/Schedule.h. Each is
  /// a factor of the learning rate, or of what `for=NAME` names. Empty: none.
  std::string schedule;
  /// The value of an epoch's row ("test/cost") that says which model is best:
  /// its checkpoint stays as PATH.best. Empty: not tracked.
  std::string best;
  std::string chooseBest = "lowest"; ///< Or "highest".
  /// Epochs without a better value after which training ends; 0: it goes on.
  int64_t patience = 0;

  std::string logPath;   ///< JSON lines; empty: none.
  int64_t logEvery = 0;  ///< Also a row every so many batches; 0: none.
  std::string timesPath; ///< JSON lines of times; empty: none.
  std::string plotPath;  ///< HTML page of the curves; empty: none. Needs a log.
  OnNan onNan = OnNan::Stop;
  bool profile = false; ///< Tell at the end where the time went.

  std::string setParametersPath;  ///< NPZ or checkpoint; ignored on resume.
  std::string saveParametersPath; ///< NPZ, written at the end.

  /// Hyperparameters given explicitly, by path ("/algorithm.learning_rate").
  /// On resume they win over the checkpoint's and are announced.
  std::map<std::string, double> hyperparameters;
  /// What a resumed run must have in common with the one that wrote the
  /// checkpoint, by the option's name ("--batch-size" → "128"). The training
  /// stream's fingerprint is added by `train`.
  std::vector<std::pair<std::string, std::string>> fixed;
  /// Kind of device and CPU level; a resumed run on another one says so.
  std::string platform;

  /// Progress bar: unset means only if standard output is a terminal.
  std::optional<bool> progressBar;
};

/// Trains, and returns the exit status: 0 done, 1 failed, 2 wrong options,
/// 130/143 interrupted after a clean checkpoint. `text` gets what a person
/// reads, `messages` notices and errors.
int train(Program &program, fuel::DataStream &stream,
          const std::vector<NamedStream> &valid, const TrainOptions &options,
          EventSink &events, std::ostream &text, std::ostream &messages);

struct EvaluateOptions {
  uint64_t seed = 1;
  std::string parametersPath; ///< NPZ or checkpoint; empty: initial values.
  std::vector<std::string> monitor;
};

/// Runs the evaluating entry over each stream once; returns the exit status.
int evaluate(Program &program, const std::vector<NamedStream> &streams,
             const EvaluateOptions &options, EventSink &events,
             std::ostream &text, std::ostream &messages);

/// Writes a self-contained HTML page with the curves of a log.
void plotLog(const std::string &logPath, const std::string &htmlPath);

} // namespace blocks
