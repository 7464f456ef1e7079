// ChunkDecoder: undoes the filters of a chunk without the HDF5 library: deflate
// (gzip), shuffle, Fletcher's checksum and LZF, which h5py writes and Debian's
// library lacks. Every input may be hostile; nothing is read or written beyond
// its bounds.
#pragma once

#include "runtime/Hdf5/StoredArray.h"

#include <memory>
#include <span>
#include <vector>

struct z_stream_s;

namespace fuel {

class ChunkDecoder {
public:
  ChunkDecoder();
  ~ChunkDecoder();
  ChunkDecoder(const ChunkDecoder &) = delete;
  ChunkDecoder &operator=(const ChunkDecoder &) = delete;

  /// Fills `out`, which is as large as a whole chunk. Buffers are kept between
  /// calls. Throws CorruptError that says what is wrong, but not where.
  void decode(std::span<const std::byte> stored, uint32_t skipped,
              const std::vector<blocks::hdf5::Filter> &filters,
              std::span<std::byte> out);

private:
  using Bytes = std::span<const std::byte>;
  Bytes inflate(Bytes input, size_t most);
  Bytes unLzf(Bytes input, size_t most);
  Bytes unshuffle(Bytes input, const blocks::hdf5::Filter &filter);
  std::vector<std::byte> &other(Bytes input);

  std::unique_ptr<z_stream_s> zlib;
  std::vector<std::byte> buffers[2];
};

/// Throws UnsupportedError naming a filter that ChunkDecoder cannot undo.
void requireKnownFilters(const std::vector<blocks::hdf5::Filter> &filters,
                         const std::string &where);

/// Decompresses LZF; returns the bytes written. CorruptError if the input is
/// damaged or needs more room than `out` has.
size_t decompressLzf(std::span<const std::byte> input,
                     std::span<std::byte> out);

/// Fletcher's checksum of 16-bit big-endian words, as HDF5 has it.
uint32_t fletcher32(std::span<const std::byte> bytes);

} // namespace fuel
