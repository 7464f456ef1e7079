// FileInfo: see include/fuel/FileInfo.h.
#include "fuel/FileInfo.h"

#include "fuel/Hdf5/Catalog.h"

#include <filesystem>

namespace fuel {

static FileInfo::Split describeSplit(const Catalog &catalog,
                                     const std::string &name) {
  FileInfo::Split split{name, {}};
  for (const std::string &source : catalog.sourcesOf(name)) {
    const Catalog::SplitPart &row = *catalog.find(name, source);
    FileInfo::SplitPart part{source, row.index >= 0, row.start, row.stop,
                             row.comment == "." ? "" : row.comment};
    if (part.byIndex) {
      part.start = 0;
      part.stop =
          blocks::numElements(catalog.indices.at(size_t(row.index)).shape);
    }
    split.parts.push_back(part);
  }
  return split;
}

using blocks::hdf5::StoredArray;

static std::string storageOf(const StoredArray &array) {
  switch (array.layout) {
  case StoredArray::Layout::Contiguous:
    return "contiguous";
  case StoredArray::Layout::Inline:
    return "in its header";
  case StoredArray::Layout::Unwritten:
    return "never written";
  case StoredArray::Layout::Chunked:
    break;
  }
  std::string text = "chunks of " + blocks::formatShape(array.chunkShape);
  for (const blocks::hdf5::Filter &filter : array.filters)
    text += ", " + (filter.name.empty() ? "filter " + std::to_string(filter.id)
                                        : filter.name);
  return text;
}

static FileInfo::Source describeSource(const Catalog::Source &source) {
  FileInfo::Source info{source.name, "missing", {}, {}};
  info.problem = source.problem;
  if (!source.problem.empty())
    return info;
  const StoredArray &data = source.data;
  info.type = data.element.name;
  info.shape = data.shape;
  info.axisLabels = source.batchLabels();
  info.bytes = uint64_t(blocks::numElements(data.shape)) * data.element.bytes;
  info.storage = storageOf(data);
  return info;
}

FileInfo readFileInfo(const std::string &path) {
  Catalog catalog = readCatalog(path);
  FileInfo info;
  info.bytes = std::filesystem::file_size(path);
  for (const Catalog::Source &source : catalog.sources)
    info.sources.push_back(describeSource(source));
  for (const std::string &name : catalog.splits())
    info.splits.push_back(describeSplit(catalog, name));
  info.convertCommand = catalog.convertCommand;
  info.convertVersion = catalog.convertVersion;
  info.interfaceVersion = catalog.interfaceVersion;
  return info;
}

} // namespace fuel
