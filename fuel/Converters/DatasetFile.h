// DatasetFile: a Fuel HDF5 file being written: sources, filled split by split,
// axis labels, the split table and the provenance attributes. It appears under
// its name only when complete.
#pragma once

#include "fuel/Hdf5/SplitTable.h"
#include "runtime/Base/AtomicFile.h"

#include <string>
#include <vector>

namespace fuel {

class DatasetFile {
public:
  explicit DatasetFile(const std::string &path);

  /// Declares a source: `shape` counts the rows of all splits.
  void addSource(const std::string &name, blocks::DType dtype,
                 const blocks::Shape &shape,
                 const std::vector<std::string> &axisLabels);
  /// Appends the rows of one split to one source. Splits must be appended in
  /// the same order to each source.
  void append(const std::string &split, const std::string &source,
              const blocks::ArrayView &rows);
  /// Writes the tables, checks that every source is full, and publishes.
  void commit(const std::string &command);

private:
  struct Source {
    std::string name;
    blocks::Shape shape;
    blocks::DType dtype;
    int64_t filled = 0;
  };
  Source &find(const std::string &name);

  blocks::AtomicFile output;
  blocks::hdf5::File file;
  std::vector<Source> sources;
  std::vector<SplitRow> rows;
};

} // namespace fuel
