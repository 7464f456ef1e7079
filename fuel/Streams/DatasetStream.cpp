// DatasetStream: see DatasetStream.h.
#include "fuel/Streams/DatasetStream.h"

#include "blocks/Error.h"

#include <algorithm>

namespace fuel {

DatasetStream::DatasetStream(std::shared_ptr<const Dataset> data,
                             std::unique_ptr<IterationScheme> order)
    : dataset(std::move(data)), scheme(std::move(order)),
      infos(dataset->sources()) {
  if (scheme->kind() == RequestKind::BatchSize)
    throw blocks::UsageError("the scheme '" + scheme->describe() +
                             "' asks for numbers of examples, not for rows; "
                             "use a sequential or shuffled scheme");
  if (!producesExamples())
    return;
  for (SourceInfo &info : infos) {
    info.shape.erase(info.shape.begin());
    std::erase(info.axisLabels, "batch");
    info.axisLabels.resize(info.shape.size());
  }
}

void DatasetStream::startEpoch() {
  scheme->startEpoch();
  ++epoch;
  consumed = 0;
}

// Before the first epoch there is nothing to deliver, as after its end.
bool DatasetStream::next(Batch &batch) {
  if (epoch == 0 || !scheme->next(batch.request))
    return false;
  if (producesExamples())
    dataset->getExample(batch.request.front(), batch);
  else
    dataset->getRows(batch.request, batch);
  ++consumed;
  return true;
}

std::string DatasetStream::state() const {
  return StreamState{epoch, consumed, scheme->epochState()}.text();
}

void DatasetStream::restore(const std::string &text) {
  StreamState state = StreamState::parse(text);
  std::optional<int64_t> total = scheme->requestsPerEpoch();
  if (total && state.consumed > *total)
    throw blocks::InputError(
        "the saved state is at item " + std::to_string(state.consumed) +
        " of an epoch, but an epoch of this stream has only " +
        std::to_string(*total) +
        ": it belongs to other data or another "
        "batch size");
  scheme->restoreEpoch(state.scheme);
  epoch = state.epoch;
  consumed = state.consumed;
  if (epoch == 0)
    return;
  scheme->startEpoch();
  scheme->skip(consumed);
}

std::string DatasetStream::fingerprint() const {
  return dataset->fingerprint() + "; " + scheme->describe();
}

std::unique_ptr<DataStream>
makeDatasetStream(std::shared_ptr<const Dataset> dataset,
                  std::unique_ptr<IterationScheme> scheme) {
  return std::make_unique<DatasetStream>(std::move(dataset), std::move(scheme));
}

} // namespace fuel
