// DatasetLayer and StreamLayer: see DatasetLayer.h.
#include "fuel/Streams/DatasetLayer.h"

#include "blocks/Error.h"

#include <algorithm>

namespace fuel {

DatasetLayer::DatasetLayer(std::shared_ptr<const Dataset> data,
                           std::unique_ptr<IterationScheme> order)
    : dataset(std::move(data)), scheme(std::move(order)) {
  if (scheme->kind() == RequestKind::BatchSize)
    throw blocks::UsageError("the scheme '" + scheme->describe() +
                             "' asks for numbers of examples, not for rows; "
                             "use a sequential or shuffled scheme");
  infos = dataset->sources();
  if (!producesExamples())
    return;
  for (SourceInfo &info : infos) {
    info.shape.erase(info.shape.begin());
    // The axis of the batch goes by position: it need not have a label.
    if (!info.axisLabels.empty())
      info.axisLabels.erase(info.axisLabels.begin());
    info.ragged = false;
  }
}

std::unique_ptr<Layer::Work> DatasetLayer::makeWork() const {
  return std::make_unique<Request>();
}

void DatasetLayer::startEpoch() {
  scheme->startEpoch();
  made = 0;
  started = true;
}

// Before the first epoch there is nothing to deliver, as after its end.
bool DatasetLayer::prepare(Work &work) {
  auto &request = static_cast<Request &>(work);
  if (!started || !scheme->next(request.rows))
    return false;
  request.examples = int64_t(request.rows.size());
  ++made;
  return true;
}

void DatasetLayer::produce(Work &work, Batch &batch) {
  auto &request = static_cast<Request &>(work);
  batch.request = request.rows;
  if (producesExamples())
    dataset->getExample(batch.request.front(), batch);
  else
    dataset->getRows(batch.request, batch);
}

bool DatasetLayer::divisible() const {
  return !producesExamples() && std::ranges::all_of(infos, haveOneShape);
}

void DatasetLayer::producePart(Work &work, int64_t start, int64_t count,
                               Part &part) {
  auto &request = static_cast<Request &>(work);
  part.request = std::span<const int64_t>(request.rows)
                     .subspan(size_t(start), size_t(count));
  if (count == 1 && dataset->viewRow(part.request[0], part.sources))
    return;
  dataset->getRows(part.request, request.some);
  part.sources.resize(infos.size());
  for (size_t i = 0; i < infos.size(); ++i) {
    const blocks::Array &array = request.some.sources[i];
    part.sources[i].dtype = array.dtype();
    part.sources[i].shape = array.shape();
    part.sources[i].data = array.data();
  }
}

void DatasetLayer::loadPosition(PositionReader &reader) {
  int64_t count = reader.count();
  std::optional<int64_t> total = scheme->requestsPerEpoch();
  if (count < 0 || (total && count > *total))
    throw blocks::InputError("the saved state is at item " +
                             std::to_string(count) +
                             " of an epoch, but an epoch of this stream has "
                             "only " +
                             std::to_string(total.value_or(0)) +
                             ": it belongs to other data or another batch "
                             "size");
  scheme->skip(count);
  made = count;
}

//===-- StreamLayer -------------------------------------------------------===//

StreamLayer::StreamLayer(std::unique_ptr<DataStream> source)
    : stream(std::move(source)) {
  infos = stream->sources();
}

std::unique_ptr<Layer::Work> StreamLayer::makeWork() const {
  return std::make_unique<Item>();
}

bool StreamLayer::prepare(Work &work) {
  auto &item = static_cast<Item &>(work);
  if (!stream->next(item.batch))
    return false;
  item.examples = item.batch.examples;
  return true;
}

void StreamLayer::produce(Work &work, Batch &batch) {
  std::swap(batch, static_cast<Item &>(work).batch);
}

} // namespace fuel
