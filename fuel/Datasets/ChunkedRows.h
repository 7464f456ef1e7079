// ChunkedRows: rows of a source stored in chunks. Rows are visited in the
// file's order, so that each chunk of a request is decoded once; decoded chunks
// are kept in a table of fixed size, so that requests that come back to them
// (a sequential pass, or all of a small source) need not decode again.
#pragma once

#include "fuel/Datasets/RowReader.h"
#include "fuel/Hdf5/ChunkDecoder.h"
#include "runtime/Base/MappedFile.h"

#include <mutex>

namespace fuel {

class ChunkedRows : public RowReader {
public:
  /// `where` names the file and the source, for errors.
  ChunkedRows(blocks::hdf5::StoredArray array, RowSet rows, std::string where,
              std::shared_ptr<const blocks::MappedFile> mapping);
  ~ChunkedRows() override;
  void gather(std::span<const int64_t> positions,
              std::byte *out) const override;
  void slice(int64_t start, int64_t count, std::byte *out) const override;

private:
  struct Wanted {
    int64_t row;  ///< In the source.
    int64_t slot; ///< In the batch.
  };
  /// What one request needs besides its result.
  struct Scratch {
    std::vector<Wanted> wanted;
    ChunkDecoder decoder;
  };
  /// A place for a decoded chunk; chunk i goes to place i modulo their number.
  struct Place {
    std::mutex lock;
    int64_t chunk = -1;
    std::vector<std::byte> bytes;
  };
  class Borrowed;

  void read(Scratch &scratch, std::byte *out) const;
  void readStripe(Scratch &scratch, size_t begin, size_t end,
                  std::byte *out) const;
  void decode(int64_t chunk, Place &place, ChunkDecoder &decoder) const;
  void copyRow(const std::byte *chunk, int64_t rowInChunk, int64_t chunkNumber,
               std::byte *row) const;

  blocks::hdf5::StoredArray array;
  RowSet rows;
  std::string where;
  std::shared_ptr<const blocks::MappedFile> mapping;
  size_t rowBytes = 0, chunkBytes = 0, chunkRowBytes = 0;
  int64_t chunksPerStripe = 1; ///< Chunks that share their rows.
  size_t placeCount = 0;
  std::unique_ptr<Place[]> places;
  mutable std::mutex lock; ///< Guards `idle`.
  mutable std::vector<std::unique_ptr<Scratch>> idle;
};

} // namespace fuel
