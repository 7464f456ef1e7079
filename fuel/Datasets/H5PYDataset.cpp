// H5PYDataset: see H5PYDataset.h.
#include "fuel/Datasets/H5PYDataset.h"

#include "fuel/Datasets/H5PYDatasetOpener.h"
#include "runtime/Base/Sha256.h"
#include "runtime/Base/Text.h"

#include <algorithm>
#include <new>
#include <numeric>

namespace fuel {

using blocks::InputError;

std::unique_ptr<Dataset> openH5PYDataset(const H5PYDatasetOptions &options) {
  return std::make_unique<H5PYDataset>(options);
}

H5PYDataset::H5PYDataset(const H5PYDatasetOptions &options) {
  Opener(*this, options).run();
}

void H5PYDataset::checkRow(int64_t row) const {
  if (row < 0 || row >= examples)
    throw InputError("row " + std::to_string(row) + " of '" + file +
                     "' (split " + blocks::quotedNames(splits) +
                     ") was asked for; expected 0 to " +
                     std::to_string(examples - 1));
}

/// Calls `fillSource` for each source; room that cannot be had is an error that
/// says for what.
template <typename Fill>
void H5PYDataset::fill(Batch &batch, Fill fillSource) const {
  batch.resize(readers.size());
  for (size_t i = 0; i < readers.size(); ++i)
    try {
      fillSource(readers[i], batch.sources[i], batch.items[i]);
    } catch (const std::bad_alloc &) {
      throw blocks::IoError("not enough memory for " +
                            std::to_string(batch.examples) +
                            " rows of source '" + infos[i].name + "' (" +
                            blocks::formatShape(infos[i].shape) + ") of '" +
                            file + "'; take smaller batches");
    }
}

void H5PYDataset::getRows(std::span<const int64_t> rows, Batch &batch) const {
  if (rows.empty())
    throw InputError("a request for no rows of '" + file + "'");
  for (int64_t row : rows)
    if (uint64_t(row) >= uint64_t(examples)) [[unlikely]]
      checkRow(row);
  batch.examples = int64_t(rows.size());
  fill(batch,
       [&](const Source &source, blocks::Array &array, RaggedItems &items) {
         if (source.ragged)
           return source.ragged->gather(rows, array, items);
         array.resizeRows(source.dtype, batch.examples, source.item);
         source.reader->gather(rows, array.data());
       });
}

void H5PYDataset::getSlice(int64_t start, int64_t stop, Batch &batch) const {
  if (start < 0 || start >= stop || stop > examples)
    throw InputError("rows " + std::to_string(start) + " to " +
                     std::to_string(stop) + " of '" + file + "' (split " +
                     blocks::quotedNames(splits) +
                     ") were asked for; expected a range that is not empty "
                     "within 0 to " +
                     std::to_string(examples));
  batch.examples = stop - start;
  fill(batch,
       [&](const Source &source, blocks::Array &array, RaggedItems &items) {
         if (source.ragged) {
           std::vector<int64_t> rows(size_t(stop - start));
           std::iota(rows.begin(), rows.end(), start);
           return source.ragged->gather(rows, array, items);
         }
         array.resizeRows(source.dtype, batch.examples, source.item);
         source.reader->slice(start, batch.examples, array.data());
       });
}

void H5PYDataset::getExample(int64_t row, Batch &batch) const {
  checkRow(row);
  batch.examples = 1;
  fill(batch, [&](const Source &source, blocks::Array &array, RaggedItems &) {
    if (source.ragged)
      return source.ragged->example(row, array);
    array.resize(source.dtype, source.item);
    source.reader->slice(row, 1, array.data());
  });
}

bool H5PYDataset::viewRow(int64_t row,
                          std::vector<blocks::ArrayView> &views) const {
  checkRow(row);
  views.resize(readers.size());
  for (size_t i = 0; i < readers.size(); ++i)
    if (!viewRowOf(readers[i].reader.get(), row, readers[i].dtype,
                   readers[i].item, views[i]))
      return false;
  return true;
}

// A sample of the contents tells files of equal shape apart without reading
// all of them: evenly spaced rows of every source.
std::string H5PYDataset::fingerprint() const {
  constexpr int64_t samples = 64;
  blocks::Sha256 hash;
  std::vector<int64_t> rows;
  for (int64_t i = 0; i < std::min(samples, examples); ++i)
    rows.push_back(examples * i / std::min(samples, examples));
  if (!rows.empty()) {
    Batch batch;
    getRows(rows, batch);
    for (size_t i = 0; i < batch.sources.size(); ++i) {
      hash.update(batch.sources[i].data(), batch.sources[i].bytes());
      const std::vector<int64_t> &shapes = batch.items[i].shapes;
      if (infos[i].ragged)
        hash.update(shapes.data(), shapes.size() * sizeof(int64_t));
    }
  }
  std::string text = "bytes=" + std::to_string(fileBytes) +
                     " examples=" + std::to_string(examples) + rowsText;
  for (const SourceInfo &info : infos)
    text += " " + info.name + "=" + std::string(blocks::dtypeName(info.dtype)) +
            ":" + blocks::formatShape(info.shape);
  return text + " sample=" + hash.hex().substr(0, 16);
}

} // namespace fuel
