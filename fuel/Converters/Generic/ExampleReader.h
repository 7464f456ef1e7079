// ExampleReader: what every generic converter makes of its inputs: the examples
// of one split, a piece at a time, in the order in which they are found. Casts
// (CastExamples) stand between a reader and WriteExamples, which divides,
// shuffles and stores.
#pragma once

#include "fuel/DataStream.h"

#include <memory>
#include <optional>
#include <vector>

namespace fuel {

class ExampleReader {
public:
  virtual ~ExampleReader() = default;
  /// Shapes with the axis of rows, which is -1.
  virtual const std::vector<SourceInfo> &sources() const = 0;
  /// How many there will be, if that is known before they are read.
  virtual std::optional<int64_t> rows() const { return std::nullopt; }
  /// The next few of every source; false at the end.
  virtual bool next(Batch &batch) = 0;
  /// If any row can be fetched at any time: from now on they come in this
  /// order. False if they cannot.
  virtual bool readInOrder(std::vector<int64_t>) { return false; }
  /// After the last row: what there is to say of the split, kept as its
  /// comment; "" for nothing.
  virtual std::string remark() const { return ""; }
};

/// Rows of `rowBytes` bytes that make a piece: a few megabytes, at least one.
inline int64_t rowsInPiece(size_t rowBytes) {
  constexpr size_t pieceBytes = size_t(4) << 20;
  return rowBytes >= pieceBytes ? 1
         : rowBytes < 1024      ? 4096
                                : int64_t(pieceBytes / rowBytes);
}

} // namespace fuel
