// Rows: moving examples between batches, for all kinds of sources.
#pragma once

#include "fuel/DataStream.h"

#include <span>
#include <vector>

namespace fuel {

/// Builds a batch example by example; the storage of `out` is reused. Arrays
/// grow by doubling, as the number of examples need not be known.
class RowAppender {
public:
  /// `infos` describe `out`, a batch.
  RowAppender(const std::vector<SourceInfo> &infos, Batch &out);
  /// Row `row` of a batch of the same sources.
  void append(const Batch &in, int64_t row);
  /// A single example: arrays without the batch axis.
  void appendExample(const Batch &in);
  /// Gives the arrays their shapes. Call once, at the end.
  void finish();

private:
  void add(size_t source, const std::byte *data, std::span<const int64_t> shape,
           blocks::DType dtype);
  const std::vector<SourceInfo> &infos;
  Batch &out;
  std::vector<std::vector<std::byte>> bytes;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<blocks::DType> types;
};

/// Row `row` of `in` as an example.
void takeExample(const std::vector<SourceInfo> &infos, const Batch &in,
                 int64_t row, Batch &out);

} // namespace fuel
