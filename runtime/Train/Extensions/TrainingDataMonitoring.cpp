// TrainingDataMonitoring: see TrainingDataMonitoring.h.
#include "runtime/Train/Extensions/TrainingDataMonitoring.h"

namespace blocks {

TrainingDataMonitoring::TrainingDataMonitoring(
    const EntrySpec &entry, const std::vector<std::string> &names,
    const std::string &split, int64_t rowEvery)
    : overEpoch(entry, names, split), overBatches(entry, names, split),
      rowEvery(rowEvery) {}

void TrainingDataMonitoring::afterBatch(MainLoop &loop) {
  overEpoch.accumulate(loop.outputs(), loop.examples());
  if (rowEvery <= 0)
    return;
  overBatches.accumulate(loop.outputs(), loop.examples());
  if (loop.status().iterations % rowEvery == 0)
    overBatches.flush(loop.row);
}

void TrainingDataMonitoring::afterEpoch(MainLoop &loop) {
  overEpoch.flush(loop.row);
}

void TrainingDataMonitoring::save(StateRecord &record) const {
  overEpoch.save(record, "epoch");
  if (rowEvery <= 0)
    return;
  overBatches.save(record, "batches");
  record.setInt("row every", rowEvery);
}

void TrainingDataMonitoring::restore(const StateRecord &record) {
  overEpoch.restore(record, "epoch");
  // With another interval the sums of the old one would be no interval's.
  if (rowEvery > 0 && record.has("row every") &&
      record.getInt("row every") == rowEvery)
    overBatches.restore(record, "batches");
}

} // namespace blocks
