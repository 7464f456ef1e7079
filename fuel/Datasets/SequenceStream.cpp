// SequenceStream: see SequenceStream.h.
#include "fuel/Datasets/SequenceStream.h"

#include "blocks/Error.h"

namespace fuel {

void SequenceStream::startEpoch() {
  rewind();
  ++epoch;
  consumed = 0;
  ended = false;
}

bool SequenceStream::next(Batch &batch) {
  batch.resize(infos.size());
  batch.examples = 1;
  batch.request.assign(1, consumed);
  if (ended || !produce(batch)) {
    ended = true;
    return false;
  }
  ++consumed;
  return true;
}

std::string SequenceStream::state() const {
  StreamState state;
  state.epoch = epoch;
  state.consumed = consumed;
  return state.text();
}

void SequenceStream::restore(const std::string &text) {
  StreamState state = StreamState::parse(text);
  epoch = state.epoch;
  consumed = 0;
  ended = epoch == 0;
  if (ended)
    return;
  rewind();
  Batch skipped;
  while (consumed < state.consumed)
    if (!next(skipped))
      throw blocks::InputError(
          "the saved state is at example " + std::to_string(state.consumed) +
          " of an epoch, but this sequence has only " +
          std::to_string(consumed) + ": it belongs to other data");
}

} // namespace fuel
