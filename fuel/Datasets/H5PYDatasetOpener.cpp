// H5PYDataset::Opener: see H5PYDatasetOpener.h.
#include "fuel/Datasets/H5PYDatasetOpener.h"

#include "fuel/Hdf5/AxisLabels.h"

#include <algorithm>
#include <filesystem>

namespace fuel {

using blocks::InputError;
using blocks::UnsupportedError;

H5PYDataset::Opener::Opener(H5PYDataset &dataset,
                            const H5PYDatasetOptions &options)
    : dataset(dataset), options(options),
      file(blocks::hdf5::File::open(options.file)), root(file.root()),
      table(SplitTable::read(root)) {}

void H5PYDataset::Opener::run() {
  dataset.file = options.file;
  dataset.fileBytes = std::filesystem::file_size(options.file);
  dataset.splits = options.whichSets;
  checkSplits();
  findProvidedSources();
  readAxisLabels();
  for (const std::string &name : chooseSources())
    addSource(name);
}

std::string H5PYDataset::Opener::where(const std::string &split,
                                       const std::string &source) const {
  return "'" + options.file + "', split '" + split + "', source '" + source +
         "'";
}

void H5PYDataset::Opener::checkSplits() const {
  std::vector<std::string> known = table.splits();
  if (options.whichSets.empty())
    throw blocks::UsageError("no split of '" + options.file +
                             "' was asked for; it has: " + joinNames(known));
  for (const std::string &split : options.whichSets)
    if (std::find(known.begin(), known.end(), split) == known.end())
      throw InputError("'" + options.file + "' has no split '" + split +
                       "'; it has: " + joinNames(known));
}

void H5PYDataset::Opener::findProvidedSources() {
  std::vector<std::string> common = table.sourcesOf(options.whichSets.front());
  for (const std::string &split : options.whichSets) {
    std::vector<std::string> here = table.sourcesOf(split), both;
    std::set_intersection(common.begin(), common.end(), here.begin(),
                          here.end(), std::back_inserter(both));
    common = both;
  }
  if (common.empty())
    throw InputError("the splits " + joinNames(options.whichSets) + " of '" +
                     options.file + "' have no source in common");
  dataset.provided = common;
}

void H5PYDataset::Opener::readAxisLabels() {
  for (const std::string &name : table.sources())
    if (root.isDataset(name))
      dataset.labels[name] = readAxisLabelsOf(root.dataset(name));
}

std::vector<std::string> H5PYDataset::Opener::chooseSources() const {
  if (!options.sources)
    return dataset.provided;
  for (const std::string &name : *options.sources)
    if (std::find(dataset.provided.begin(), dataset.provided.end(), name) ==
        dataset.provided.end())
      throw InputError("'" + options.file + "' has no source '" + name +
                       "' in split " + joinNames(options.whichSets) +
                       "; it has: " + joinNames(dataset.provided));
  if (options.sources->empty())
    throw blocks::UsageError(
        "no source of '" + options.file +
        "' was asked for; it has: " + joinNames(dataset.provided));
  return *options.sources;
}

blocks::hdf5::Dataset
H5PYDataset::Opener::openSource(const std::string &name) const {
  if (!root.isDataset(name))
    throw InputError("the split table of '" + options.file +
                     "' names the source '" + name + "' (split " +
                     joinNames(options.whichSets) +
                     "), but the file has no such dataset");
  blocks::hdf5::Dataset stored = root.dataset(name);
  if (stored.type().kind() == H5T_VLEN)
    throw UnsupportedError(
        "source '" + name + "' of '" + options.file +
        "' has items of varying length, which this version does not read; "
        "choose other sources, of: " +
        joinNames(dataset.provided));
  if (stored.shape().empty())
    throw InputError("source '" + name + "' of '" + options.file +
                     "' is a scalar; expected its axis 0 to count examples");
  return stored;
}

RowSet H5PYDataset::Opener::rowsOf(const std::string &split,
                                   const std::string &name,
                                   int64_t available) const {
  const SplitRow &row = *table.find(split, name);
  if (row.indices == 0)
    return RowSet::slice(row.start, row.stop, available, where(split, name));
  blocks::hdf5::Dataset stored =
      root.dereference(row.indices, "the index of " + where(split, name));
  if (stored.shape().size() != 1 || stored.type().kind() != H5T_INTEGER)
    throw InputError("the index '" + stored.path() + "' of " +
                     where(split, name) + " is a " + stored.type().describe() +
                     " array of shape " + blocks::formatShape(stored.shape()) +
                     "; expected a 1-D array of integers");
  std::vector<int64_t> rows(size_t(stored.shape()[0]));
  stored.readRows(0, stored.shape()[0], rows.data(),
                  blocks::hdf5::Type::of(blocks::DType::Int64));
  return RowSet::list(std::move(rows), available, where(split, name));
}

RowSet H5PYDataset::Opener::rowsOf(const std::string &name,
                                   int64_t available) const {
  RowSet rows;
  for (const std::string &split : options.whichSets)
    rows = rows.unite(rowsOf(split, name, available));
  return rows;
}

void H5PYDataset::Opener::checkLength(const std::string &name, int64_t length) {
  if (dataset.infos.empty())
    splitLength = length;
  if (length != splitLength)
    throw InputError(
        "the sources of '" + options.file + "' (split " +
        joinNames(options.whichSets) + ") have different lengths: '" +
        dataset.infos.front().name + "' has " + std::to_string(splitLength) +
        " rows, '" + name + "' has " + std::to_string(length));
}

void H5PYDataset::Opener::addSource(const std::string &name) {
  blocks::hdf5::Dataset stored = openSource(name);
  const blocks::Shape &shape = stored.shape();
  RowSet rows = rowsOf(name, shape[0]);
  checkLength(name, rows.size());
  if (options.subset)
    rows =
        rows.select(*options.subset,
                    "subset of " + where(joinNames(options.whichSets), name));

  dataset.examples = rows.size();

  Source source;
  source.dtype = stored.dtype();
  source.item.assign(shape.begin() + 1, shape.end());
  source.rowBytes = size_t(blocks::numElements(source.item)) *
                    blocks::dtypeSize(source.dtype);
  SourceInfo info{name, source.dtype, shape, dataset.labels.at(name)};
  info.shape[0] = -1;
  dataset.infos.push_back(std::move(info));
  dataset.rowsText += " " + name + ":" + rows.describe();
  source.reader = makeReader(std::move(stored), source, std::move(rows));
  dataset.readers.push_back(std::move(source));
}

std::unique_ptr<RowReader>
H5PYDataset::Opener::makeReader(blocks::hdf5::Dataset stored,
                                const Source &source, RowSet rows) {
  int64_t count = rows.size();
  std::optional<uint64_t> offset = stored.mappableOffset();
  uint64_t bytes = uint64_t(stored.shape()[0]) * source.rowBytes;
  if (offset && !mapping)
    mapping = std::make_shared<const blocks::MappedFile>(options.file);
  std::unique_ptr<RowReader> reader;
  if (offset && *offset + bytes <= mapping->size())
    reader = std::make_unique<DenseRows>(
        mapping->data() + *offset, source.rowBytes, std::move(rows), mapping);
  else
    reader = std::make_unique<StoredRows>(std::move(stored), source.rowBytes,
                                          std::move(rows));
  return options.loadInMemory ? load(*reader, source, count)
                              : std::move(reader);
}

std::unique_ptr<RowReader> H5PYDataset::Opener::load(const RowReader &reader,
                                                     const Source &source,
                                                     int64_t count) const {
  auto array = std::make_shared<blocks::Array>();
  array->resizeRows(source.dtype, count, source.item);
  if (count > 0)
    reader.slice(0, count, array->data());
  RowSet all =
      count > 0 ? RowSet::slice(0, count, count, options.file) : RowSet();
  const std::byte *base = array->data();
  return std::make_unique<DenseRows>(base, source.rowBytes, std::move(all),
                                     std::move(array));
}

} // namespace fuel
