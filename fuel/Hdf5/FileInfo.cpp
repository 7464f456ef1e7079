// FileInfo: see include/fuel/FileInfo.h.
#include "fuel/FileInfo.h"

#include "fuel/Hdf5/AxisLabels.h"
#include "fuel/Hdf5/SplitTable.h"

namespace fuel {

using blocks::hdf5::Group;

static std::string attributeOr(const Group &root, const char *name) {
  return root.hasAttribute(name) ? root.readString(name) : "";
}

static FileInfo::Split describeSplit(const Group &root, const SplitTable &table,
                                     const std::string &name) {
  FileInfo::Split split{name, {}};
  for (const std::string &source : table.sourcesOf(name)) {
    const SplitRow &row = *table.find(name, source);
    FileInfo::SplitPart part{source, row.indices != 0, row.start, row.stop};
    if (part.byIndex) {
      blocks::Shape shape =
          root.dereference(row.indices, "the index of split '" + name + "'")
              .shape();
      part.start = 0;
      part.stop = blocks::numElements(shape);
    }
    split.parts.push_back(part);
  }
  return split;
}

FileInfo readFileInfo(const std::string &path) {
  blocks::hdf5::File file = blocks::hdf5::File::open(path);
  Group root = file.root();
  SplitTable table = SplitTable::read(root);
  FileInfo info;
  for (const std::string &name : table.sources()) {
    if (!root.isDataset(name)) {
      info.sources.push_back({name, "missing", {}, {}});
      continue;
    }
    blocks::hdf5::Dataset dataset = root.dataset(name);
    info.sources.push_back({name, dataset.type().describe(), dataset.shape(),
                            readAxisLabelsOf(dataset)});
  }
  for (const std::string &name : table.splits())
    info.splits.push_back(describeSplit(root, table, name));
  info.convertCommand = attributeOr(root, "fuel_convert_command");
  info.convertVersion = attributeOr(root, "fuel_convert_version");
  info.interfaceVersion = attributeOr(root, "h5py_interface_version");
  return info;
}

} // namespace fuel
