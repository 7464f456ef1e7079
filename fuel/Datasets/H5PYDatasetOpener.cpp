// H5PYDataset::Opener: see H5PYDatasetOpener.h.
#include "fuel/Datasets/H5PYDatasetOpener.h"

#include "blocks/Error.h"
#include "runtime/Base/Text.h"

#include <algorithm>
#include <array>
#include <new>
#include <numeric>
#include <sys/stat.h>

namespace fuel {

using blocks::InputError;
using blocks::hdf5::ElementType;
using blocks::hdf5::StoredArray;

H5PYDataset::Opener::Opener(H5PYDataset &dataset,
                            const H5PYDatasetOptions &options)
    : dataset(dataset), options(options),
      order(options.preserveOrder ? RowSet::Order::Kept
                                  : RowSet::Order::Sorted) {
  file.path = options.file;
  readFile();
}

/// What tells a file from another, and from itself when it was written to.
using Identity = std::array<int64_t, 5>;

static Identity identityOf(const std::string &path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0)
    return {};
  return {int64_t(info.st_dev), int64_t(info.st_ino), int64_t(info.st_size),
          int64_t(info.st_mtim.tv_sec), int64_t(info.st_mtim.tv_nsec)};
}

/// Catalogue and bytes must be of the same file, although each is opened by its
/// name: a converter may put a new one in its place in between.
void H5PYDataset::Opener::readFile() {
  constexpr int attempts = 10;
  for (int i = 0; i < attempts; ++i) {
    Identity before = identityOf(options.file);
    try {
      catalog = readCatalog(options.file);
      file.mapping = std::make_shared<const blocks::MappedFile>(options.file);
      if (identityOf(options.file) == before)
        return;
    } catch (const blocks::Error &) {
      if (identityOf(options.file) == before)
        throw;
    }
  }
  throw blocks::IoError("'" + options.file + "' changed " +
                        std::to_string(attempts) +
                        " times while it was opened; wait until whatever "
                        "writes it is done");
}

void H5PYDataset::Opener::run() {
  dataset.file = options.file;
  dataset.fileBytes = file.mapping->size();
  dataset.splits = options.whichSets;
  checkSplits();
  findProvidedSources();
  readAxisLabels();
  for (const std::string &name : chooseSources())
    addSource(name);
}

std::string H5PYDataset::Opener::where(const std::string &source) const {
  return "source '" + source + "' of '" + options.file + "'";
}

std::string H5PYDataset::Opener::where(const std::string &split,
                                       const std::string &source) const {
  return "'" + options.file + "', split '" + split + "', source '" + source +
         "'";
}

//===-- Which sources -----------------------------------------------------===//

void H5PYDataset::Opener::checkSplits() const {
  std::vector<std::string> known = catalog.splits();
  if (options.whichSets.empty())
    throw blocks::UsageError(
        "no split of '" + options.file +
        "' was asked for; it has: " + blocks::quotedNames(known));
  for (const std::string &split : options.whichSets)
    if (std::find(known.begin(), known.end(), split) == known.end())
      throw InputError("'" + options.file + "' has no split '" + split +
                       "'; it has: " + blocks::quotedNames(known));
}

void H5PYDataset::Opener::findProvidedSources() {
  std::vector<std::string> common =
      catalog.sourcesOf(options.whichSets.front());
  for (const std::string &split : options.whichSets) {
    std::vector<std::string> here = catalog.sourcesOf(split), both;
    std::set_intersection(common.begin(), common.end(), here.begin(),
                          here.end(), std::back_inserter(both));
    common = both;
  }
  if (common.empty())
    throw InputError("the splits " + blocks::quotedNames(options.whichSets) +
                     " of '" + options.file + "' have no source in common");
  dataset.provided = common;
}

void H5PYDataset::Opener::readAxisLabels() {
  for (const Catalog::Source &source : catalog.sources)
    if (source.problem.empty())
      dataset.labels[source.name] = source.batchLabels();
}

std::vector<std::string> H5PYDataset::Opener::chooseSources() const {
  if (!options.sources)
    return dataset.provided;
  for (const std::string &name : *options.sources)
    if (std::find(dataset.provided.begin(), dataset.provided.end(), name) ==
        dataset.provided.end())
      throw InputError("'" + options.file + "' has no source '" + name +
                       "' in split " + blocks::quotedNames(options.whichSets) +
                       "; it has: " + blocks::quotedNames(dataset.provided));
  if (options.sources->empty())
    throw blocks::UsageError(
        "no source of '" + options.file +
        "' was asked for; it has: " + blocks::quotedNames(dataset.provided));
  return *options.sources;
}

const Catalog::Source &
H5PYDataset::Opener::sourceOf(const std::string &name) const {
  const Catalog::Source &source = *catalog.find(name);
  if (!source.problem.empty())
    throw InputError(source.problem + " (split " +
                     blocks::quotedNames(options.whichSets) +
                     "); choose other sources, of: " +
                     blocks::quotedNames(dataset.provided));
  if (source.data.element.kind == ElementType::Kind::Other)
    throw blocks::UnsupportedError(
        where(name) + " stores elements of type " + source.data.element.name +
        "; expected booleans, integers of 8 to 64 bits, floats of 16, 32 or "
        "64 bits, strings, or lists of such numbers");
  if (source.data.shape.empty())
    throw InputError(where(name) +
                     " is a scalar; expected its axis 0 to count examples");
  return source;
}

//===-- Which rows --------------------------------------------------------===//

RowSet H5PYDataset::Opener::rowsOf(const std::string &split,
                                   const std::string &name,
                                   int64_t available) const {
  const Catalog::SplitPart &part = *catalog.find(split, name);
  if (part.index < 0)
    return RowSet::slice(part.start, part.stop, available, where(split, name));
  const StoredArray &index = catalog.indices.at(size_t(part.index));
  return RowSet::list(
      readIntegers(file, index,
                   "the index '" + index.path + "' of " + where(split, name)),
      available, where(split, name), order);
}

RowSet H5PYDataset::Opener::rowsOf(const std::string &name,
                                   int64_t available) const {
  RowSet rows;
  for (const std::string &split : options.whichSets)
    rows = rows.unite(rowsOf(split, name, available), order);
  return rows;
}

void H5PYDataset::Opener::checkLength(const std::string &name, int64_t length) {
  if (dataset.infos.empty())
    splitLength = length;
  if (length != splitLength)
    throw InputError(
        "the sources of '" + options.file + "' (split " +
        blocks::quotedNames(options.whichSets) + ") have different lengths: '" +
        dataset.infos.front().name + "' has " + std::to_string(splitLength) +
        " rows, '" + name + "' has " + std::to_string(length));
}

void H5PYDataset::Opener::addSource(const std::string &name) {
  const Catalog::Source &stored = sourceOf(name);
  RowSet rows = rowsOf(name, stored.data.shape[0]);
  // Streams keep a number for each row.
  requirePlausible(file, uint64_t(rows.size()), "the rows of " + where(name));
  checkLength(name, rows.size());
  if (options.subset)
    rows = rows.select(*options.subset,
                       "subset of " +
                           where(blocks::quotedNames(options.whichSets), name),
                       order);
  dataset.examples = rows.size();
  dataset.rowsText += " " + name + ":" + rows.describe();
  if (stored.data.element.isVariable())
    addRagged(stored, std::move(rows));
  else
    addFixed(stored, std::move(rows));
}

//===-- How to read them --------------------------------------------------===//

void H5PYDataset::Opener::addFixed(const Catalog::Source &stored, RowSet rows) {
  const StoredArray &data = stored.data;
  Source source;
  source.dtype = data.element.dtype;
  source.item = rowShape(data);
  SourceInfo info{stored.name, source.dtype, source.item, stored.axisLabels};
  info.shape.insert(info.shape.begin(), -1);
  info.text = data.element.isText();
  info.axisLabels.resize(info.shape.size());
  dataset.infos.push_back(std::move(info));
  int64_t count = rows.size();
  source.reader = makeRows(file, data, std::move(rows), where(stored.name));
  if (options.loadInMemory)
    source.reader = load(*source.reader, source, count);
  dataset.readers.push_back(std::move(source));
}

void H5PYDataset::Opener::addRagged(const Catalog::Source &stored,
                                    RowSet rows) {
  RaggedLayout layout = raggedLayoutOf(file, stored, where(stored.name));
  Source source;
  source.dtype = layout.dtype;
  SourceInfo info{stored.name, layout.dtype,
                  blocks::Shape(size_t(layout.rank + 1), -1),
                  stored.batchLabels()};
  info.ragged = true;
  info.text = layout.text;
  info.axisLabels.resize(info.shape.size());
  dataset.infos.push_back(std::move(info));
  int64_t count = rows.size();
  source.ragged =
      std::make_unique<HeapRows>(file, catalog.userBlock, std::move(layout),
                                 std::move(rows), where(stored.name));
  if (options.loadInMemory)
    source.ragged = load(*source.ragged, count);
  dataset.readers.push_back(std::move(source));
}

static RowSet allRows(int64_t count, const std::string &where) {
  return count > 0 ? RowSet::slice(0, count, count, where) : RowSet();
}

std::unique_ptr<RowReader> H5PYDataset::Opener::load(const RowReader &reader,
                                                     const Source &source,
                                                     int64_t count) const {
  auto array = std::make_shared<blocks::Array>();
  size_t rowBytes = size_t(blocks::numElements(source.item)) *
                    blocks::dtypeSize(source.dtype);
  try {
    requirePlausible(file, uint64_t(count) * rowBytes,
                     "'" + options.file + "'");
    array->resizeRows(source.dtype, count, source.item);
  } catch (const std::bad_alloc &) {
    throw blocks::IoError("'" + options.file +
                          "' does not fit into memory; read it from disk");
  }
  if (count > 0)
    reader.slice(0, count, array->data());
  const std::byte *base = array->data();
  return std::make_unique<DenseRows>(
      base, rowBytes, allRows(count, options.file), std::move(array));
}

std::unique_ptr<RaggedReader>
H5PYDataset::Opener::load(const RaggedReader &reader, int64_t count) const {
  auto values = std::make_shared<blocks::Array>();
  auto items = std::make_shared<RaggedItems>();
  std::vector<int64_t> positions(static_cast<size_t>(count));
  std::iota(positions.begin(), positions.end(), 0);
  reader.gather(positions, *values, *items);
  return std::make_unique<HeldItems>(std::move(values), std::move(items),
                                     allRows(count, options.file));
}

} // namespace fuel
