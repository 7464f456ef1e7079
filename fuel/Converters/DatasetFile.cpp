// DatasetFile: see DatasetFile.h.
#include "fuel/Converters/DatasetFile.h"

#include "fuel/Hdf5/AxisLabels.h"

#include <algorithm>

namespace fuel {

DatasetFile::DatasetFile(const std::string &path)
    : output(path), file(blocks::hdf5::File::create(output.temporary())) {}

void DatasetFile::addSource(const std::string &name, blocks::DType dtype,
                            const blocks::Shape &shape,
                            const std::vector<std::string> &axisLabels) {
  blocks::hdf5::Dataset dataset = file.root().createDataset(name, dtype, shape);
  writeAxisLabels(dataset, axisLabels);
  sources.push_back({name, shape, dtype});
}

DatasetFile::Source &DatasetFile::find(const std::string &name) {
  auto found = std::find_if(sources.begin(), sources.end(),
                            [&](auto &source) { return source.name == name; });
  if (found == sources.end())
    throw blocks::UsageError("the file to write has no source '" + name + "'");
  return *found;
}

void DatasetFile::append(const std::string &split, const std::string &name,
                         const blocks::ArrayView &array) {
  Source &source = find(name);
  blocks::Shape expected = source.shape;
  int64_t room = source.shape[0] - source.filled;
  bool fits = array.dtype == source.dtype && !array.shape.empty() &&
              array.shape[0] <= room;
  if (fits)
    expected[0] = array.shape[0];
  if (!fits || array.shape != expected)
    throw blocks::UsageError(
        "cannot append " + std::string(dtypeName(array.dtype)) + " rows of " +
        blocks::formatShape(array.shape) + " to source '" + name + "' (" +
        std::string(dtypeName(source.dtype)) + ", " +
        blocks::formatShape(source.shape) + ", " + std::to_string(room) +
        " rows left)");
  file.root().dataset(name).writeRows(source.filled, array.shape[0],
                                      array.data);
  int64_t start = source.filled;
  source.filled += array.shape[0];
  rows.push_back({split, name, start, source.filled});
}

void DatasetFile::commit(const std::string &command) {
  for (const Source &source : sources)
    if (source.filled != source.shape[0])
      throw blocks::UsageError("source '" + source.name + "' holds " +
                               std::to_string(source.filled) + " of its " +
                               std::to_string(source.shape[0]) + " rows");
  {
    blocks::hdf5::Group root = file.root();
    SplitTable(rows).write(root);
    root.writeString("h5py_interface_version", "0.3");
    root.writeString("fuel_convert_version", "0.2");
    root.writeString("fuel_convert_command", command);
  }
  file.close();
  output.commit();
}

} // namespace fuel
