// DatasetFile: a Fuel HDF5 file being written by a converter: sources of fixed
// size, filled split by split. It appears under its name only when complete.
#pragma once

#include "fuel/Writer.h"

#include <string>
#include <vector>

namespace fuel {

class DatasetFile {
public:
  explicit DatasetFile(const std::string &path) : writer(path) {}

  /// Declares a source: `shape` counts the rows of all splits.
  void addSource(const std::string &name, blocks::DType dtype,
                 const blocks::Shape &shape,
                 const std::vector<std::string> &axisLabels);
  /// Appends the rows of one split to one source.
  void append(const std::string &split, const std::string &source,
              const blocks::ArrayView &rows);
  /// Writes the tables, checks that every source is full, and publishes.
  void commit(const std::string &command) { writer.commit(command); }

private:
  Writer writer;
};

} // namespace fuel
