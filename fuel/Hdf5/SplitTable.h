// SplitTable: the root attribute `split` of a Fuel file, which says for each
// pair of a split and a source which rows belong to it: a range, or the
// contents of a dataset referred to. Members are found by name, so that files
// of the older interfaces (without `indices`) read alike.
#pragma once

#include "runtime/Hdf5/File.h"

#include <string>
#include <vector>

namespace fuel {

struct SplitRow {
  std::string split, source;
  int64_t start = 0, stop = 0;
  hobj_ref_t indices = 0; ///< 0: the range counts.
  bool available = true;
  std::string comment;
};

class SplitTable {
public:
  explicit SplitTable(std::vector<SplitRow> rows) : rows(std::move(rows)) {}
  /// InputError naming the file if the attribute is absent or misshapen.
  static SplitTable read(const blocks::hdf5::Group &root);
  /// Writes it just as Fuel does: packed, fixed strings padded with NUL.
  void write(blocks::hdf5::Group &root) const;
  /// Bytes of the attribute.
  size_t bytes() const;
  /// Whether it fits into HDF5's old headers; if not, the file needs File's
  /// `largeAttributes`.
  bool fitsOldHeaders() const;

  const std::vector<SplitRow> &all() const { return rows; }
  /// All sources of the file, in alphabetical order.
  std::vector<std::string> sources() const;

private:
  std::vector<SplitRow> rows;
};

} // namespace fuel
