// SpooledExamples: see SpooledExamples.h.
#include "fuel/Converters/Generic/SpooledExamples.h"

#include "fuel/Converters/Generic/ExampleReader.h"

#include <algorithm>

namespace fuel {

SpooledExamples::SpooledExamples(const std::vector<SourceInfo> &infos,
                                 const std::string &folder) {
  for (const SourceInfo &info : infos) {
    Source source{info, Spool(folder)};
    if (!info.ragged)
      source.rowBytes = size_t(blocks::numElements(
                            {info.shape.begin() + 1, info.shape.end()})) *
                        blocks::dtypeSize(info.dtype);
    rowsAtOnce = std::min(rowsAtOnce, rowsInPiece(source.rowBytes));
    sources.push_back(std::move(source));
  }
}

void SpooledExamples::append(const Batch &batch) {
  for (size_t i = 0; i < sources.size(); ++i) {
    Source &source = sources[i];
    source.file.append(batch.sources[i].data(), batch.sources[i].bytes());
    if (!source.info.ragged)
      continue;
    const RaggedItems &items = batch.items[i];
    for (int64_t item = 0; item < items.count(); ++item)
      source.offsets.push_back(source.offsets.back() + items.size(item));
    source.shapes.insert(source.shapes.end(), items.shapes.begin(),
                         items.shapes.end());
  }
  count += batch.examples;
}

void SpooledExamples::readFixed(const Source &source,
                                std::span<const int64_t> rows,
                                blocks::Array &out) const {
  out.resizeRows(source.info.dtype, int64_t(rows.size()),
                 {source.info.shape.begin() + 1, source.info.shape.end()});
  std::byte *to = out.data();
  for (int64_t row : rows) {
    source.file.read(to, source.rowBytes, uint64_t(row) * source.rowBytes);
    to += source.rowBytes;
  }
}

void SpooledExamples::readItems(const Source &source,
                                std::span<const int64_t> rows,
                                blocks::Array &out, RaggedItems &items) const {
  size_t rank = source.info.shape.size() - 1;
  items.clear(int64_t(rank));
  for (int64_t row : rows)
    items.append({source.shapes.data() + size_t(row) * rank, rank});
  out.resizeRows(source.info.dtype, items.offsets.back(), {});
  size_t width = blocks::dtypeSize(source.info.dtype);
  for (size_t i = 0; i < rows.size(); ++i)
    if (items.size(int64_t(i)) > 0)
      source.file.read(out.data() + size_t(items.offsets[i]) * width,
                       size_t(items.size(int64_t(i))) * width,
                       uint64_t(source.offsets[size_t(rows[i])]) * width);
}

void SpooledExamples::read(std::span<const int64_t> rows, Batch &batch) const {
  batch.resize(sources.size());
  batch.examples = int64_t(rows.size());
  for (size_t i = 0; i < sources.size(); ++i)
    if (sources[i].info.ragged)
      readItems(sources[i], rows, batch.sources[i], batch.items[i]);
    else
      readFixed(sources[i], rows, batch.sources[i]);
}

} // namespace fuel
