// IndexableDataset: arrays in memory as a Dataset. See include/fuel/Datasets.h.
#include "fuel/Datasets.h"

#include "blocks/Error.h"
#include "fuel/Datasets/RaggedRows.h"
#include "runtime/Base/Sha256.h"

#include <algorithm>
#include <numeric>

namespace fuel {

using blocks::UsageError;

namespace {
int64_t rowsOf(const HeldSource &source) {
  if (source.items)
    return source.items->count();
  return source.values.shape().empty() ? -1 : source.values.shape()[0];
}

class IndexableDataset : public Dataset {
public:
  IndexableDataset(std::vector<HeldSource> sources, int64_t start,
                   std::optional<int64_t> stop);
  const std::vector<SourceInfo> &sources() const override { return infos; }
  const std::vector<std::string> &providesSources() const override {
    return provided;
  }
  const std::map<std::string, std::vector<std::string>> &
  axisLabels() const override {
    return labels;
  }
  int64_t numExamples() const override { return rows.size(); }
  void getRows(std::span<const int64_t> rows, Batch &batch) const override;
  void getSlice(int64_t start, int64_t stop, Batch &batch) const override;
  void getExample(int64_t row, Batch &batch) const override;
  bool viewRow(int64_t row,
               std::vector<blocks::ArrayView> &views) const override;
  std::string fingerprint() const override;

private:
  struct Reader {
    std::unique_ptr<RowReader> fixed;
    std::unique_ptr<RaggedReader> ragged;
    blocks::DType dtype;
    blocks::Shape item;
  };
  void add(HeldSource source);
  void check(int64_t row) const;

  RowSet rows;
  std::vector<SourceInfo> infos;
  std::vector<Reader> readers;
  std::vector<std::string> provided;
  std::map<std::string, std::vector<std::string>> labels;
  std::string contents; ///< For the fingerprint.
};

IndexableDataset::IndexableDataset(std::vector<HeldSource> sources,
                                   int64_t start, std::optional<int64_t> stop) {
  if (sources.empty())
    throw UsageError("a data set in memory needs at least one source");
  int64_t count = rowsOf(sources.front());
  for (const HeldSource &source : sources)
    if (rowsOf(source) != count || count < 0)
      throw UsageError("the sources of a data set in memory have different "
                       "lengths: '" +
                       sources.front().name + "' has " + std::to_string(count) +
                       " rows, '" + source.name + "' has " +
                       std::to_string(rowsOf(source)));
  rows = RowSet::slice(start, stop.value_or(count), count,
                       "the rows of a data set in memory");
  for (HeldSource &source : sources)
    add(std::move(source));
}

void IndexableDataset::add(HeldSource source) {
  SourceInfo info{source.name, source.values.dtype(), source.values.shape(),
                  std::move(source.axisLabels)};
  blocks::Sha256 hash;
  hash.update(source.values.data(), source.values.bytes());
  Reader reader{nullptr, nullptr, info.dtype, {}};
  if (source.items) {
    info.ragged = true;
    info.shape.assign(size_t(source.items->rank + 1), -1);
    hash.update(source.items->shapes.data(), source.items->shapes.size() * 8);
    reader.ragged = std::make_unique<HeldItems>(
        std::make_shared<blocks::Array>(std::move(source.values)),
        std::make_shared<RaggedItems>(std::move(*source.items)), rows);
  } else {
    reader.item.assign(info.shape.begin() + 1, info.shape.end());
    auto array = std::make_shared<blocks::Array>(std::move(source.values));
    size_t bytes = size_t(blocks::numElements(reader.item)) *
                   blocks::dtypeSize(info.dtype);
    const std::byte *base = array->data();
    reader.fixed = std::make_unique<DenseRows>(base, bytes, rows, array);
  }
  info.shape[0] = -1;
  info.axisLabels.resize(info.shape.size());
  contents += " " + info.name + "=" + std::string(dtypeName(info.dtype)) + ":" +
              blocks::formatShape(info.shape) + ":" + hash.hex().substr(0, 16);
  labels[info.name] = info.axisLabels;
  provided.push_back(info.name);
  std::sort(provided.begin(), provided.end());
  infos.push_back(std::move(info));
  readers.push_back(std::move(reader));
}

void IndexableDataset::check(int64_t row) const {
  if (row < 0 || row >= numExamples())
    throw UsageError("row " + std::to_string(row) +
                     " of a data set in memory was asked for; expected 0 to " +
                     std::to_string(numExamples() - 1));
}

void IndexableDataset::getRows(std::span<const int64_t> asked,
                               Batch &batch) const {
  if (asked.empty())
    throw UsageError("a request for no rows of a data set in memory");
  for (int64_t row : asked)
    check(row);
  batch.resize(readers.size());
  batch.examples = int64_t(asked.size());
  for (size_t i = 0; i < readers.size(); ++i) {
    const Reader &reader = readers[i];
    if (reader.ragged) {
      reader.ragged->gather(asked, batch.sources[i], batch.items[i]);
      continue;
    }
    batch.sources[i].resizeRows(reader.dtype, batch.examples, reader.item);
    reader.fixed->gather(asked, batch.sources[i].data());
  }
}

void IndexableDataset::getSlice(int64_t start, int64_t stop,
                                Batch &batch) const {
  if (start >= stop)
    throw UsageError("rows " + std::to_string(start) + " to " +
                     std::to_string(stop) + " are no range");
  check(start);
  check(stop - 1);
  std::vector<int64_t> asked(static_cast<size_t>(stop - start));
  std::iota(asked.begin(), asked.end(), start);
  getRows(asked, batch);
}

void IndexableDataset::getExample(int64_t row, Batch &batch) const {
  check(row);
  batch.resize(readers.size());
  batch.examples = 1;
  for (size_t i = 0; i < readers.size(); ++i) {
    const Reader &reader = readers[i];
    if (reader.ragged) {
      reader.ragged->example(row, batch.sources[i]);
      continue;
    }
    batch.sources[i].resize(reader.dtype, reader.item);
    reader.fixed->slice(row, 1, batch.sources[i].data());
  }
}

bool IndexableDataset::viewRow(int64_t row,
                               std::vector<blocks::ArrayView> &views) const {
  check(row);
  views.resize(readers.size());
  for (size_t i = 0; i < readers.size(); ++i)
    if (!viewRowOf(readers[i].fixed.get(), row, readers[i].dtype,
                   readers[i].item, views[i]))
      return false;
  return true;
}

std::string IndexableDataset::fingerprint() const {
  return "memory rows=" + rows.describe() + contents;
}
} // namespace

std::unique_ptr<Dataset> makeIndexableDataset(std::vector<HeldSource> sources,
                                              int64_t start,
                                              std::optional<int64_t> stop) {
  return std::make_unique<IndexableDataset>(std::move(sources), start, stop);
}

} // namespace fuel
