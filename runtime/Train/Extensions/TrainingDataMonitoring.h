// TrainingDataMonitoring: aggregates what the training entry returns, which is
// computed on each batch before its update. A row at each epoch's end and, if
// asked, one every so many batches, each with its own accumulators.
#pragma once

#include "blocks/Extension.h"
#include "blocks/MainLoop.h"
#include "runtime/Train/Aggregator.h"

namespace blocks {

class TrainingDataMonitoring : public Extension {
public:
  /// `rowEvery` batches make a row of their own; 0: only epochs do.
  TrainingDataMonitoring(const EntrySpec &entry,
                         const std::vector<std::string> &names,
                         const std::string &split, int64_t rowEvery);
  std::string name() const override { return "training data monitoring"; }

  void afterBatch(MainLoop &loop) override;
  void afterEpoch(MainLoop &loop) override;
  void save(StateRecord &record) const override;
  void restore(const StateRecord &record) override;

private:
  Aggregator overEpoch, overBatches;
  int64_t rowEvery;
};

} // namespace blocks
