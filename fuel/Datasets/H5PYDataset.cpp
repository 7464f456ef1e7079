// H5PYDataset: see H5PYDataset.h.
#include "fuel/Datasets/H5PYDataset.h"

#include "fuel/Datasets/H5PYDatasetOpener.h"
#include "runtime/Base/Sha256.h"

#include <algorithm>

namespace fuel {

using blocks::InputError;

std::string joinNames(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "'" : ", '") + name + "'";
  return text.empty() ? "none" : text;
}

std::unique_ptr<Dataset> openH5PYDataset(const H5PYDatasetOptions &options) {
  return std::make_unique<H5PYDataset>(options);
}

H5PYDataset::H5PYDataset(const H5PYDatasetOptions &options) {
  Opener(*this, options).run();
}

void H5PYDataset::checkRow(int64_t row) const {
  if (row < 0 || row >= examples)
    throw InputError("row " + std::to_string(row) + " of '" + file +
                     "' (split " + joinNames(splits) +
                     ") was asked for; expected 0 to " +
                     std::to_string(examples - 1));
}

void H5PYDataset::getRows(std::span<const int64_t> rows, Batch &batch) const {
  if (rows.empty())
    throw InputError("a request for no rows of '" + file + "'");
  for (int64_t row : rows)
    if (uint64_t(row) >= uint64_t(examples)) [[unlikely]]
      checkRow(row);
  batch.resize(readers.size());
  batch.examples = int64_t(rows.size());
  for (size_t i = 0; i < readers.size(); ++i) {
    const Source &source = readers[i];
    batch.sources[i].resizeRows(source.dtype, batch.examples, source.item);
    source.reader->gather(rows, batch.sources[i].data());
  }
}

void H5PYDataset::getSlice(int64_t start, int64_t stop, Batch &batch) const {
  if (start < 0 || start >= stop || stop > examples)
    throw InputError("rows " + std::to_string(start) + " to " +
                     std::to_string(stop) + " of '" + file + "' (split " +
                     joinNames(splits) +
                     ") were asked for; expected a range that is not empty "
                     "within 0 to " +
                     std::to_string(examples));
  batch.resize(readers.size());
  batch.examples = stop - start;
  for (size_t i = 0; i < readers.size(); ++i) {
    const Source &source = readers[i];
    batch.sources[i].resizeRows(source.dtype, batch.examples, source.item);
    source.reader->slice(start, batch.examples, batch.sources[i].data());
  }
}

void H5PYDataset::getExample(int64_t row, Batch &batch) const {
  checkRow(row);
  batch.resize(readers.size());
  batch.examples = 1;
  for (size_t i = 0; i < readers.size(); ++i) {
    const Source &source = readers[i];
    batch.sources[i].resize(source.dtype, source.item);
    source.reader->slice(row, 1, batch.sources[i].data());
  }
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
    for (const blocks::Array &array : batch.sources)
      hash.update(array.data(), array.bytes());
  }
  std::string text = "bytes=" + std::to_string(fileBytes) +
                     " examples=" + std::to_string(examples) + rowsText;
  for (const SourceInfo &info : infos)
    text += " " + info.name + "=" + std::string(blocks::dtypeName(info.dtype)) +
            ":" + blocks::formatShape(info.shape);
  return text + " sample=" + hash.hex().substr(0, 16);
}

bool H5PYDataset::usableFromAnyThread() const {
  return blocks::hdf5::isThreadSafe() ||
         std::none_of(readers.begin(), readers.end(), [](const Source &source) {
           return source.reader->entersHdf5();
         });
}

} // namespace fuel
