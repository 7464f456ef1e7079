// scanFile: fills a Catalog through the HDF5 library. Runs in a process of its
// own, see Catalog.h.
#include "fuel/Hdf5/AxisLabels.h"
#include "fuel/Hdf5/Catalog.h"

#include <algorithm>

namespace fuel {

using blocks::hdf5::Dataset;
using blocks::hdf5::Group;

namespace {
std::string attributeOr(const Group &root, const char *name) {
  return root.hasAttribute(name) ? root.readString(name) : "";
}

/// A scale's name is its attribute NAME, not the name of the dataset.
std::string scaleName(const Dataset &scale) {
  return scale.hasAttribute("NAME") ? scale.readString("NAME") : "";
}

/// Labels are few and short; more is damage.
std::vector<std::string> readShapeLabels(const Dataset &scale) {
  constexpr int64_t most = 64;
  if (scale.shape().size() != 1 || scale.shape()[0] > most)
    throw blocks::InputError(
        "the axis labels " + describe(scale.place()) + " have the shape " +
        blocks::formatShape(scale.shape()) + "; expected a list of at most " +
        std::to_string(most));
  return scale.readTexts();
}

void readScales(const Group &root, const Dataset &dataset,
                Catalog::Source &source) {
  if (!dataset.hasAttribute("DIMENSION_LIST"))
    return;
  auto lists = dataset.attribute("DIMENSION_LIST").readReferenceLists();
  if (lists.empty())
    return;
  for (hobj_ref_t reference : lists.front()) {
    Dataset scale =
        root.dereference(reference, "a scale of source '" + source.name + "'");
    std::string name = scaleName(scale);
    if (name == "shapes")
      source.shapes = describeStorage(scale);
    else if (name == "shape_labels")
      source.shapeLabels = readShapeLabels(scale);
  }
}

void readSource(const Group &root, Catalog::Source &source) {
  const std::string &name = source.name;
  if (root.isExternalLink(name))
    throw blocks::UnsupportedError(
        "source '" + name + "' of '" + root.file() +
        "' is a link into another file, which is refused; copy the data into "
        "one file");
  if (!root.isDataset(name))
    throw blocks::InputError("the split table of '" + root.file() +
                             "' names the source '" + name +
                             "', but the file has no such dataset");
  Dataset dataset = root.dataset(name);
  source.data = describeStorage(dataset);
  source.axisLabels = readAxisLabelsOf(dataset);
  readScales(root, dataset, source);
}

Catalog::Source scanSource(const Group &root, const std::string &name) {
  Catalog::Source source;
  source.name = name;
  try {
    readSource(root, source);
  } catch (const blocks::Error &error) {
    source.problem = error.what();
  }
  return source;
}

/// One entry for all that refer to the same dataset.
class Indices {
public:
  Indices(const Group &root, Catalog &catalog) : root(root), catalog(catalog) {}
  int64_t add(const SplitRow &row) {
    if (row.indices == 0)
      return -1;
    auto found = std::find(known.begin(), known.end(), row.indices);
    if (found != known.end())
      return found - known.begin();
    Dataset stored =
        root.dereference(row.indices, "the index of split '" + row.split +
                                          "', source '" + row.source + "',");
    catalog.indices.push_back(describeStorage(stored));
    known.push_back(row.indices);
    return int64_t(known.size()) - 1;
  }

private:
  const Group &root;
  Catalog &catalog;
  std::vector<hobj_ref_t> known;
};
} // namespace

Catalog scanFile(const std::string &path) {
  blocks::hdf5::refusePlugins();
  blocks::hdf5::File file = blocks::hdf5::File::open(path);
  Group root = file.root();
  SplitTable table = SplitTable::read(root);
  Catalog catalog;
  catalog.userBlock = file.userBlock();
  for (const std::string &name : table.sources())
    catalog.sources.push_back(scanSource(root, name));
  Indices indices(root, catalog);
  for (const SplitRow &row : table.all())
    catalog.parts.push_back({row.split, row.source, row.comment, row.start,
                             row.stop, row.available ? indices.add(row) : -1,
                             row.available});
  catalog.convertCommand = attributeOr(root, "fuel_convert_command");
  catalog.convertVersion = attributeOr(root, "fuel_convert_version");
  catalog.interfaceVersion = attributeOr(root, "h5py_interface_version");
  return catalog;
}

} // namespace fuel
