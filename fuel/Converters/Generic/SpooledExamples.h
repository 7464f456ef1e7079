// SpooledExamples: examples kept on the disk until their order is known, and
// then fetched in any. Only where ragged items lie is held in memory.
#pragma once

#include "fuel/Converters/Spool.h"
#include "fuel/DataStream.h"

#include <span>

namespace fuel {

class SpooledExamples {
public:
  /// The rows wait in files without names in `folder`.
  SpooledExamples(const std::vector<SourceInfo> &sources,
                  const std::string &folder);
  void append(const Batch &batch);
  int64_t rows() const { return count; }
  /// These rows, in this order.
  void read(std::span<const int64_t> rows, Batch &batch) const;
  /// How many rows to fetch at a time.
  int64_t piece() const { return rowsAtOnce; }

private:
  struct Source {
    SourceInfo info;
    Spool file;
    size_t rowBytes = 0;             ///< Of a row of fixed size.
    std::vector<int64_t> offsets{0}; ///< Of ragged items, in elements.
    std::vector<int64_t> shapes;     ///< Likewise.
  };
  void readFixed(const Source &source, std::span<const int64_t> rows,
                 blocks::Array &out) const;
  void readItems(const Source &source, std::span<const int64_t> rows,
                 blocks::Array &out, RaggedItems &items) const;

  std::vector<Source> sources;
  int64_t count = 0, rowsAtOnce = 256;
};

} // namespace fuel
