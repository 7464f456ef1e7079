// FinishAfter: ends training after a total number of epochs or batches, counted
// over all runs that a resumed one continues. It also looks before training: a
// total of 0, or one that is reached already, trains nothing.
#pragma once

#include "blocks/MainLoop.h"

#include <optional>

namespace blocks {

class FinishAfter : public SimpleExtension {
public:
  FinishAfter(std::optional<int64_t> epochs, std::optional<int64_t> batches)
      : SimpleExtension(
            {.beforeTraining = true, .afterBatch = true, .afterEpoch = true}),
        epochs(epochs), batches(batches) {}
  std::string name() const override { return "finish after"; }

  void act(MainLoop &loop, Moment) override {
    if (epochs && loop.status().epochs >= *epochs)
      loop.requestFinish("all epochs done");
    else if (batches && loop.status().iterations >= *batches)
      loop.requestFinish("all batches done");
  }

private:
  std::optional<int64_t> epochs, batches;
};

} // namespace blocks
