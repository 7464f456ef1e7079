// Extension: what a main loop calls around its batches and epochs, in the order
// in which extensions were added. SimpleExtension runs one action when one of
// its triggers holds.
#pragma once

#include "blocks/StateRecord.h"

#include <cstdint>
#include <exception>
#include <string>

namespace blocks {

class MainLoop;

/// How far the training is; part of every checkpoint.
struct LoopStatus {
  int64_t iterations = 0;     ///< Batches done, in all epochs.
  int64_t epochs = 0;         ///< Epochs done.
  int64_t batchesInEpoch = 0; ///< Batches done in the running epoch.
  bool epochStarted = false;  ///< False once an epoch has ended.
  /// 1-based epoch of the last batch.
  int64_t epochOfLastBatch() const { return epochs + (epochStarted ? 1 : 0); }
};

/// The callbacks that happen once a batch (`beforeBatch`, `afterBatch`) must
/// not allocate when nothing is due: a steady step allocates nothing.
class Extension {
public:
  virtual ~Extension() = default;
  /// Unique in a loop; the key of the state in a checkpoint.
  virtual std::string name() const = 0;

  virtual void beforeTraining(MainLoop &loop) {}
  /// After `beforeTraining`, when the loop continues from a checkpoint.
  virtual void onResumption(MainLoop &loop) {}
  virtual void beforeEpoch(MainLoop &loop) {}
  virtual void beforeBatch(MainLoop &loop) {}
  virtual void afterBatch(MainLoop &loop) {}
  virtual void afterEpoch(MainLoop &loop) {}
  /// When training ends by itself or by a signal, not by an error.
  virtual void afterTraining(MainLoop &loop) {}
  /// When a signal ends training, before `afterTraining`.
  virtual void onInterrupt(MainLoop &loop) {}
  virtual void onError(MainLoop &loop, const std::exception &error) {}

  /// State for exact resuming. `restore` gets what `save` wrote; it is not
  /// called if the checkpoint has nothing of this extension.
  virtual void save(StateRecord &record) const {}
  virtual void restore(const StateRecord &record) {}
};

/// The moments at which a SimpleExtension can act.
enum class Moment {
  BeforeTraining,
  OnResumption,
  BeforeEpoch,
  BeforeBatch,
  AfterBatch,
  AfterEpoch,
  AfterTraining,
  OnInterrupt,
  OnError,
};

/// When a SimpleExtension acts: any of these. Numbers of 0 are off.
struct Triggers {
  bool beforeTraining = false, beforeFirstEpoch = false, beforeEpoch = false,
       beforeBatch = false, afterBatch = false, afterEpoch = false,
       afterTraining = false, onResumption = false, onInterrupt = false,
       onError = false;
  int64_t everyEpochs = 0, everyBatches = 0;
  /// From this many on (≥, never ==, so that a resumed run cannot miss it):
  /// after the epoch or batch, and before the first one of a (resumed) run.
  int64_t fromEpochs = 0, fromBatches = 0;

  bool hold(Moment moment, const LoopStatus &status) const;
};

class SimpleExtension : public Extension {
public:
  explicit SimpleExtension(const Triggers &triggers) : triggers(triggers) {}

  /// The action.
  virtual void act(MainLoop &loop, Moment moment) = 0;

  void beforeTraining(MainLoop &loop) override;
  void onResumption(MainLoop &loop) override;
  void beforeEpoch(MainLoop &loop) override;
  void beforeBatch(MainLoop &loop) override;
  void afterBatch(MainLoop &loop) override;
  void afterEpoch(MainLoop &loop) override;
  void afterTraining(MainLoop &loop) override;
  void onInterrupt(MainLoop &loop) override;
  void onError(MainLoop &loop, const std::exception &error) override;

private:
  void check(MainLoop &loop, Moment moment);
  Triggers triggers;
};

} // namespace blocks
