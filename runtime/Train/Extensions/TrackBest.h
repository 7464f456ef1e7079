// TrackBest and FinishIfNoImprovement: the best value of a record so far, a
// checkpoint of the model that had it, and the end of a training that has not
// found a better one for a number of epochs.
#pragma once

#include "blocks/MainLoop.h"
#include "runtime/Train/BestValue.h"

namespace blocks {

class TrackBest : public Extension {
public:
  TrackBest(const std::string &record, Choice choice, std::ostream &messages)
      : value(record, choice), column("best/" + record), messages(messages) {}
  std::string name() const override { return "best"; }

  /// After what monitors, before what writes rows.
  void afterEpoch(MainLoop &loop) override {
    if (value.observe(loop.row)) {
      epoch = loop.status().epochs;
      loop.requestBestCheckpoint();
    }
    if (value.best())
      loop.row.push_back({column, value.best()->value, value.best()->dtype});
  }

  void save(StateRecord &record) const override {
    value.save(record, "value");
    record.setInt("epoch", epoch);
  }
  void restore(const StateRecord &record) override {
    value.restore(record, "value");
    epoch = value.best() ? record.getInt("epoch") : 0;
    if (!value.best() && record.has("value"))
      messages << "the checkpoint's best was the " << record.getText("value of")
               << "; the best " << value.name() << " is found anew"
               << std::endl;
  }

  /// Epochs since the best one, or all if there is none.
  int64_t epochsSince(const LoopStatus &status) const {
    return status.epochs - epoch;
  }
  const std::string &record() const { return value.name(); }

private:
  BestValue value;
  std::string column;
  std::ostream &messages;
  int64_t epoch = 0;
};

class FinishIfNoImprovement : public Extension {
public:
  FinishIfNoImprovement(const TrackBest &best, int64_t patience)
      : best(best), patience(patience) {}
  std::string name() const override { return "finish if no improvement"; }

  // A resumed run that had ended has nothing to do.
  void onResumption(MainLoop &loop) override { check(loop); }
  void afterEpoch(MainLoop &loop) override { check(loop); }

private:
  void check(MainLoop &loop) {
    if (best.epochsSince(loop.status()) >= patience)
      loop.requestFinish(best.record() + " has not improved for " +
                         std::to_string(patience) + " epochs");
  }

  const TrackBest &best;
  int64_t patience;
};

} // namespace blocks
