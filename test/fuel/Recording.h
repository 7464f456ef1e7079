// Recording: what a stream delivers, as text, with the state before each item,
// so that a stream that continues from a state can be compared with it.
#pragma once

#include "fuel/DataStream.h"
#include "test/fuel/Reference.h"

namespace recording {

using namespace fuel;

/// Rows, shapes and a hash of the elements.
inline std::string describe(const DataStream &stream, const Batch &batch) {
  std::string text = std::to_string(batch.examples) + " " +
                     reference::Json(batch.request).dump();
  for (size_t i = 0; i < batch.sources.size(); ++i) {
    const blocks::Array &array = batch.sources[i];
    blocks::Sha256 hash;
    hash.update(array.data(), array.bytes());
    text += " " + std::string(blocks::dtypeName(array.dtype())) + " " +
            blocks::formatShape(array.shape()) + ":" + hash.hex();
    if (stream.sources()[i].ragged && !stream.producesExamples())
      text += reference::Json(batch.items[i].shapes).dump() +
              reference::Json(batch.items[i].offsets).dump();
  }
  return text;
}

struct Step {
  std::string state, next; ///< The state, and what came after it.
};

/// All items of `epochs` epochs; "end" where an epoch ends.
inline std::vector<Step> record(DataStream &stream, int epochs) {
  std::vector<Step> steps;
  Batch batch;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    stream.startEpoch();
    bool more = true;
    while (more) {
      std::string state = stream.state();
      more = stream.next(batch);
      steps.push_back({state, more ? describe(stream, batch) : "end"});
    }
  }
  return steps;
}

} // namespace recording
