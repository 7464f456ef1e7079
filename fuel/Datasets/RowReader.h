// RowReader: fetches rows of one source of fixed size. DenseRows copies from
// memory, which is the mapped file or an array. ChunkedRows decodes the chunks
// that hold the rows. Neither enters the HDF5 library, and both may be used by
// several threads at once. Elements come out in native byte order.
#pragma once

#include "fuel/Datasets/RowSet.h"
#include <memory>
#include <span>

namespace fuel {

class RowReader {
public:
  virtual ~RowReader() = default;
  /// Copies the rows at these positions of the row set to `out`, in this
  /// order. Positions are in range.
  virtual void gather(std::span<const int64_t> positions,
                      std::byte *out) const = 0;
  /// Positions [start, start + count).
  virtual void slice(int64_t start, int64_t count, std::byte *out) const = 0;
  /// Where the row at a position lies in memory as it would be delivered; null
  /// if nowhere.
  virtual const std::byte *inPlace(int64_t) const { return nullptr; }
};

class DenseRows : public RowReader {
public:
  /// `rows` of an array whose row 0 is at `base`; `owner` keeps it alive.
  DenseRows(const std::byte *base, size_t rowBytes, RowSet rows,
            std::shared_ptr<const void> owner)
      : base(base), rowBytes(rowBytes), rows(std::move(rows)),
        owner(std::move(owner)) {}
  void gather(std::span<const int64_t> positions,
              std::byte *out) const override;
  void slice(int64_t start, int64_t count, std::byte *out) const override;

  /// The row at a position, where it lies.
  const std::byte *at(int64_t position) const {
    return base + size_t(rows[position]) * rowBytes;
  }
  const std::byte *inPlace(int64_t position) const override {
    return at(position);
  }

private:
  const std::byte *base;
  size_t rowBytes;
  RowSet rows;
  std::shared_ptr<const void> owner;
};

/// A row where it lies, as an array of one row of shape `item`. False if it
/// lies nowhere, or at a place that such elements cannot have. `reader` may be
/// null.
bool viewRowOf(const RowReader *reader, int64_t position, blocks::DType dtype,
               const blocks::Shape &item, blocks::ArrayView &view);

} // namespace fuel
