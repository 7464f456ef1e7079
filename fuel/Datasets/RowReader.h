// RowReader: fetches rows of one source. DenseRows copies from memory, which is
// the mapped file or an array, and never enters HDF5; StoredRows reads what
// cannot be mapped (chunks, filters, another byte order) through HDF5, whole
// chunks at a time.
#pragma once

#include "fuel/Datasets/RowSet.h"
#include "runtime/Hdf5/Dataset.h"

#include <memory>
#include <mutex>
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
  virtual bool entersHdf5() const = 0;
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
  bool entersHdf5() const override { return false; }

private:
  const std::byte *base;
  size_t rowBytes;
  RowSet rows;
  std::shared_ptr<const void> owner;
};

class StoredRows : public RowReader {
public:
  StoredRows(blocks::hdf5::Dataset dataset, size_t rowBytes, RowSet rows);
  void gather(std::span<const int64_t> positions,
              std::byte *out) const override;
  void slice(int64_t start, int64_t count, std::byte *out) const override;
  bool entersHdf5() const override { return true; }

private:
  struct Wanted {
    int64_t row;  ///< In the source.
    int64_t slot; ///< In the batch.
  };
  size_t endOfSpan(size_t begin) const;
  void readSpan(size_t begin, size_t end, std::byte *out) const;

  blocks::hdf5::Dataset dataset;
  blocks::hdf5::Type memory;
  size_t rowBytes;
  RowSet rows;
  int64_t chunkRows;
  // Scratch, kept between requests; the lock makes requests from several
  // threads safe, which HDF5's own lock would serialise anyway.
  mutable std::mutex lock;
  mutable std::vector<Wanted> wanted;
  mutable std::vector<std::byte> spanBytes;
};

} // namespace fuel
