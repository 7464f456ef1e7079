// saveStream: see include/fuel/Writer.h. Batches are written as they come. A
// source whose items differ from batch to batch (padded ones) is written as a
// ragged one.
#include "fuel/Writer.h"

#include "blocks/Error.h"

#include <algorithm>

namespace fuel {

namespace {
bool variesInside(const blocks::Shape &shape) {
  return std::any_of(shape.begin() + !shape.empty(), shape.end(),
                     [](int64_t extent) { return extent < 0; });
}

/// The source as it will be stored, with an axis of rows.
SourceInfo storedForm(SourceInfo info, bool examples) {
  if (examples) {
    info.shape.insert(info.shape.begin(), -1);
    info.axisLabels.insert(info.axisLabels.begin(), "batch");
  }
  info.ragged = info.ragged || variesInside(info.shape);
  return info;
}

/// Rows of an array as items of equal shape.
void asItems(const blocks::Array &array, const blocks::Shape &item,
             int64_t count, RaggedItems &items) {
  items.clear(int64_t(item.size()));
  for (int64_t i = 0; i < count; ++i)
    items.append(item);
}

void appendTo(Writer &writer, const SourceInfo &info, const Batch &batch,
              size_t index, bool example) {
  const blocks::Array &array = batch.sources[index];
  blocks::Shape shape = array.shape();
  if (example)
    shape.insert(shape.begin(), 1);
  blocks::ArrayView rows{array.dtype(), shape, array.data()};
  if (!info.ragged)
    return writer.append(info.name, rows);
  RaggedItems items;
  asItems(array, {shape.begin() + 1, shape.end()}, shape[0], items);
  writer.append(info.name, rows, items);
}
} // namespace

int64_t saveStream(DataStream &stream, const std::string &path,
                   const std::string &split, const std::string &command) {
  Writer writer(path);
  bool examples = stream.producesExamples();
  std::vector<SourceInfo> infos;
  for (const SourceInfo &info : stream.sources()) {
    infos.push_back(storedForm(info, examples));
    writer.addSource(infos.back(), {stream.examplesPerEpoch()});
  }
  Batch batch;
  stream.startEpoch();
  int64_t total = 0;
  while (stream.next(batch)) {
    for (size_t i = 0; i < infos.size(); ++i)
      if (stream.sources()[i].ragged && !examples)
        writer.append(infos[i].name, batch.sources[i].view(), batch.items[i]);
      else
        appendTo(writer, infos[i], batch, i, examples);
    total += examples ? 1 : batch.examples;
  }
  for (const SourceInfo &info : infos)
    writer.setSplit(split, info.name, 0, total);
  writer.commit(command);
  return total;
}

} // namespace fuel
