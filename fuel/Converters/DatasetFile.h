// DatasetFile: a Fuel HDF5 file being written by a converter, filled split by
// split: what is appended to a split follows what it has. The file appears
// under its name only when it is complete.
#pragma once

#include "fuel/Writer.h"

#include <map>
#include <string>
#include <vector>

namespace fuel {

class DatasetFile {
public:
  explicit DatasetFile(const std::string &path) : writer(path) {}

  /// Declares a source of fixed size. `shape` counts the rows of all splits, or
  /// -1 if they are not known beforehand.
  void addSource(const std::string &name, blocks::DType dtype,
                 const blocks::Shape &shape,
                 const std::vector<std::string> &axisLabels);
  /// One whose items have shapes of their own; `axisLabels` includes that of
  /// the rows. The shapes are stored as `shapeType`; `rows` as above.
  void addRaggedSource(const std::string &name, blocks::DType dtype,
                       const std::vector<std::string> &axisLabels,
                       blocks::DType shapeType = blocks::DType::Int32,
                       int64_t rows = -1);

  /// Appends rows of a split to one source.
  void append(const std::string &split, const std::string &source,
              const blocks::ArrayView &rows);
  /// Appends one item to a ragged source.
  void appendItem(const std::string &split, const std::string &source,
                  const blocks::ArrayView &item);
  /// For what the functions above do not offer.
  Writer &file() { return writer; }
  /// Writes the tables, checks that every source is full, and publishes.
  void commit(const std::string &command) { writer.commit(command); }

private:
  void extendSplit(const std::string &split, const std::string &source,
                   int64_t start);
  Writer writer;
  std::map<std::pair<std::string, std::string>, int64_t> starts;
  RaggedItems oneItem;
};

} // namespace fuel
