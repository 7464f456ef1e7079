// SourceFile: one source of a file being written. Rows go straight into the
// HDF5 dataset where their number is known beforehand; otherwise into a
// nameless file beside the target, from which `finish` copies them.
#pragma once

#include "fuel/Writer.h"
#include "runtime/Base/FileDescriptor.h"
#include "runtime/Hdf5/File.h"

namespace fuel {

class SourceFile {
public:
  SourceFile(const SourceInfo &info, const Writer::SourceOptions &options,
             const std::string &folder);
  const std::string &name() const { return info.name; }
  int64_t rows() const { return count; }

  /// Makes the dataset, if its length is known.
  void begin(blocks::hdf5::Group root);
  void append(const blocks::ArrayView &rows);
  void append(const blocks::ArrayView &values, const RaggedItems &items);
  /// Makes what is still missing: the dataset, its shapes and their labels.
  void finish(blocks::hdf5::Group &root);

private:
  int64_t rank() const { return int64_t(info.shape.size()) - 1; }
  blocks::hdf5::Type storedType() const;
  blocks::Shape chunkOf(blocks::Shape shape) const;
  void create(blocks::hdf5::Group &root, int64_t length);
  void requireRoom(int64_t more) const;
  void refuseNul(const blocks::ArrayView &values,
                 const RaggedItems &items) const;
  void keepItems(const RaggedItems &items);
  void writeItems(blocks::hdf5::Dataset &dataset, int64_t first,
                  const std::byte *values, std::span<const int64_t> offsets);
  void copyRows(blocks::hdf5::Dataset &dataset);
  void copyItems(blocks::hdf5::Dataset &dataset);
  void writeShapes(blocks::hdf5::Group &root);
  [[noreturn]] void refuse(const std::string &found) const;

  SourceInfo info;
  Writer::SourceOptions options;
  size_t rowBytes = 0; ///< Of a row of fixed size.
  int64_t count = 0;
  std::optional<blocks::hdf5::Dataset> dataset;
  blocks::FileDescriptor spool;
  // Of ragged items.
  std::vector<int64_t> shapes;
  std::vector<int64_t> offsets{0}; ///< In elements; only when spooled.
};

} // namespace fuel
