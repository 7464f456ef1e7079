// FinishAfter: ends training after a total number of epochs or batches, counted
// over all runs that a resumed one continues.
#pragma once

#include "blocks/MainLoop.h"

namespace blocks {

class FinishAfter : public SimpleExtension {
public:
  /// 0 means no limit of that kind.
  FinishAfter(int64_t epochs, int64_t batches)
      : SimpleExtension({.fromEpochs = epochs, .fromBatches = batches}),
        epochs(epochs) {}
  std::string name() const override { return "finish after"; }

  void act(MainLoop &loop, Moment) override {
    bool byEpochs = epochs > 0 && loop.status().epochs >= epochs;
    loop.requestFinish(byEpochs ? "all epochs done" : "all batches done");
  }

private:
  int64_t epochs;
};

} // namespace blocks
