// FileInfo: see include/fuel/FileInfo.h.
#include "fuel/FileInfo.h"

#include "fuel/Hdf5/Catalog.h"

namespace fuel {

static FileInfo::Split describeSplit(const Catalog &catalog,
                                     const std::string &name) {
  FileInfo::Split split{name, {}};
  for (const std::string &source : catalog.sourcesOf(name)) {
    const Catalog::SplitPart &row = *catalog.find(name, source);
    FileInfo::SplitPart part{source, row.index >= 0, row.start, row.stop};
    if (part.byIndex) {
      part.start = 0;
      part.stop =
          blocks::numElements(catalog.indices.at(size_t(row.index)).shape);
    }
    split.parts.push_back(part);
  }
  return split;
}

FileInfo readFileInfo(const std::string &path) {
  Catalog catalog = readCatalog(path);
  FileInfo info;
  for (const Catalog::Source &source : catalog.sources) {
    if (source.problem.empty())
      info.sources.push_back({source.name, source.data.element.name,
                              source.data.shape, source.batchLabels()});
    else
      info.sources.push_back({source.name, "missing", {}, {}});
  }
  for (const std::string &name : catalog.splits())
    info.splits.push_back(describeSplit(catalog, name));
  info.convertCommand = catalog.convertCommand;
  info.convertVersion = catalog.convertVersion;
  info.interfaceVersion = catalog.interfaceVersion;
  return info;
}

} // namespace fuel
