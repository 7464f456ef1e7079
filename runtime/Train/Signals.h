// Signals: SIGINT once asks to finish the epoch; twice, or SIGTERM, to finish
// the batch; a third signal kills. The handlers only count (that is all that
// is safe in one); the main loop looks between batches, tools between their
// stages. SIGXFSZ is ignored meanwhile, so that a file size limit is an error
// of the write, like a full disk, and the previous checkpoint stays.
#pragma once

namespace blocks {

class InterruptSignals {
public:
  enum class Level { None, FinishEpoch, FinishBatch };

  /// Installs the handlers; an inner one joins the outermost, which restores
  /// the former handlers when it goes.
  InterruptSignals();
  ~InterruptSignals();
  InterruptSignals(const InterruptSignals &) = delete;
  InterruptSignals &operator=(const InterruptSignals &) = delete;

  Level level() const;
  /// The deciding signal: SIGTERM if it came, else SIGINT; 0 without any.
  int signal() const;
  /// What a shell expects of a program ended by it: 130 or 143.
  static int exitStatus(int signal) { return 128 + signal; }
};

} // namespace blocks
