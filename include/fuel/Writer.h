// Writer: makes files in Fuel's HDF5 format, which genuine Fuel and h5py read:
// sources of fixed and of varying length, splits by range and by index, labels,
// origin. The file appears under its name when it is complete, or not at all.
#pragma once

#include "fuel/DataStream.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace fuel {

class Writer {
public:
  /// Writes `path`, whose folder must exist. Throws blocks::Error as all here.
  explicit Writer(const std::string &path);
  ~Writer(); ///< Without `commit`: nothing was written.
  Writer(Writer &&) noexcept;
  Writer &operator=(Writer &&) noexcept;

  struct SourceOptions {
    /// How many rows there will be. If not said, they are kept beside the file
    /// until `commit`, since a contiguous array needs to know its length.
    std::optional<int64_t> rows;
    /// Ragged sources: also store each item's shape and the labels of its axes.
    /// Without, items are read as lists.
    bool shapes = true;
    /// Element type of the stored shapes.
    blocks::DType shapeType = blocks::DType::Int32;
    /// Compress by gzip of this level (1 to 9), in chunks of rows. Of ragged
    /// sources HDF5 would compress the references alone, so they stay as they
    /// are.
    std::optional<int> deflate = std::nullopt;
  };
  /// Declares a source before the first rows: its name, element type, shape of
  /// a batch and labels. A ragged one has as many axes as `info.shape`, less
  /// one; a text is stored as strings.
  void addSource(const SourceInfo &info, const SourceOptions &options);
  void addSource(const SourceInfo &info) { addSource(info, {}); }

  /// Appends rows of a source of fixed size, or items of a ragged one.
  void append(const std::string &source, const blocks::ArrayView &rows);
  void append(const std::string &source, const blocks::ArrayView &values,
              const RaggedItems &items);
  /// Appends to all sources, in the order of their declaration.
  void append(const Batch &batch);
  /// Rows that a source has so far.
  int64_t rows(const std::string &source) const;

  /// Rows [start, stop) of `source` belong to `split`. Pairs of which nothing
  /// is said are marked as not available. A table of more than 64 KiB (some
  /// hundred splits) must be complete before the first rows.
  void setSplit(const std::string &split, const std::string &source,
                int64_t start, int64_t stop, const std::string &comment = "");
  /// These rows. Fuel reads them sorted and each once.
  void setSplit(const std::string &split, const std::string &source,
                std::vector<int64_t> rows, const std::string &comment = "");
  /// Stores a list of strings that is no source ("vocabulary").
  void setTexts(const std::string &name, std::vector<std::string> texts);

  /// Called by `commit` with the path of the complete file, before it gets its
  /// name: what else is to be in it can be added there.
  void beforePublishing(std::function<void(const std::string &)> step);
  /// Writes the tables, and `command` as the file's origin; makes the file
  /// durable and puts it in place.
  void commit(const std::string &command);

private:
  class Impl;
  std::unique_ptr<Impl> impl;
};

/// Writes what one epoch of `stream` delivers as the split `split` of a new
/// file. Returns the number of examples.
int64_t saveStream(DataStream &stream, const std::string &path,
                   const std::string &split, const std::string &command);

} // namespace fuel
