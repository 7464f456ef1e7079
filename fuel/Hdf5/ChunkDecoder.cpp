// ChunkDecoder: see ChunkDecoder.h.
#include "fuel/Hdf5/ChunkDecoder.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cstring>
#include <zlib.h>

namespace fuel {

using blocks::CorruptError;
using blocks::hdf5::Filter;

namespace {
/// HDF5's numbers of filters; 32000 is h5py's.
enum FilterId { Deflate = 1, Shuffle = 2, Fletcher32 = 3, Lzf = 32000 };
constexpr size_t checksumBytes = 4;
} // namespace

void requireKnownFilters(const std::vector<Filter> &filters,
                         const std::string &where) {
  for (const Filter &filter : filters)
    if (filter.id != Deflate && filter.id != Shuffle &&
        filter.id != Fletcher32 && filter.id != Lzf)
      throw blocks::UnsupportedError(
          where + " is compressed by filter " + std::to_string(filter.id) +
          (filter.name.empty() ? "" : " ('" + filter.name + "')") +
          "; only gzip, lzf, shuffle and fletcher32 are read: copy the file "
          "with h5repack -f GZIP=4");
}

//===-- Filters -----------------------------------------------------------===//

uint32_t fletcher32(std::span<const std::byte> bytes) {
  uint64_t sum = 0, sumOfSums = 0;
  // Folds to 16 bits with the carry added; a sum that is not 0 stays so.
  auto fold = [](uint64_t x) { return x == 0 ? 0 : (x - 1) % 65535 + 1; };
  size_t words = bytes.size() / 2;
  for (size_t i = 0; i < words; ++i) {
    sum += uint64_t(bytes[2 * i]) << 8 | uint64_t(bytes[2 * i + 1]);
    sumOfSums += sum;
    if (i % 4096 == 4095) {
      sum = fold(sum);
      sumOfSums = fold(sumOfSums);
    }
  }
  if (bytes.size() % 2) {
    sum += uint64_t(bytes.back()) << 8;
    sumOfSums += sum;
  }
  return uint32_t(fold(sumOfSums) << 16 | fold(sum));
}

static std::span<const std::byte>
checkFletcher32(std::span<const std::byte> input) {
  if (input.size() < checksumBytes)
    throw CorruptError("a chunk is shorter than its checksum");
  auto data = input.first(input.size() - checksumBytes);
  uint32_t stored = 0;
  std::memcpy(&stored, input.data() + data.size(), checksumBytes);
  uint32_t found = fletcher32(data);
  // Files of HDF5 before 1.6.3 have the bytes of each half exchanged.
  uint32_t exchanged = (found & 0x00ff00ff) << 8 | (found & 0xff00ff00) >> 8;
  if (stored != found && stored != exchanged)
    throw CorruptError("a chunk's checksum (fletcher32) does not hold");
  return data;
}

size_t decompressLzf(std::span<const std::byte> input,
                     std::span<std::byte> out) {
  size_t at = 0, written = 0;
  auto next = [&] {
    if (at == input.size())
      throw CorruptError("a chunk's LZF data end too early");
    return size_t(input[at++]);
  };
  auto requireRoom = [&](size_t length) {
    if (length > out.size() - written)
      throw CorruptError("a chunk's LZF data are longer than the chunk");
  };
  while (at < input.size()) {
    size_t control = next();
    if (control < 32) { // That many bytes and one more, as they are.
      size_t length = control + 1;
      if (length > input.size() - at)
        throw CorruptError("a chunk's LZF data end too early");
      requireRoom(length);
      std::memcpy(out.data() + written, input.data() + at, length);
      at += length;
      written += length;
      continue;
    }
    size_t length = control >> 5; // A copy of what was written before.
    if (length == 7)
      length += next();
    size_t distance = ((control & 31) << 8 | next()) + 1;
    length += 2;
    if (distance > written)
      throw CorruptError("a chunk's LZF data refer to before its begin");
    requireRoom(length);
    for (size_t i = 0; i < length; ++i, ++written)
      out[written] = out[written - distance]; // May overlap.
  }
  return written;
}

//===-- ChunkDecoder ------------------------------------------------------===//

ChunkDecoder::ChunkDecoder() = default;

ChunkDecoder::~ChunkDecoder() {
  if (zlib)
    inflateEnd(zlib.get());
}

/// The buffer that `input` is not in.
std::vector<std::byte> &ChunkDecoder::other(Bytes input) {
  const std::byte *first = buffers[0].data();
  bool inFirst = !buffers[0].empty() && input.data() >= first &&
                 input.data() < first + buffers[0].size();
  return buffers[inFirst ? 1 : 0];
}

std::span<const std::byte> ChunkDecoder::inflate(Bytes input, size_t most) {
  if (!zlib) {
    zlib = std::make_unique<z_stream>();
    if (inflateInit(zlib.get()) != Z_OK)
      throw std::bad_alloc();
  }
  std::vector<std::byte> &out = other(input);
  out.resize(std::max<size_t>(most, 1));
  inflateReset(zlib.get());
  zlib->next_in =
      reinterpret_cast<Bytef *>(const_cast<std::byte *>(input.data()));
  zlib->avail_in = uInt(input.size());
  zlib->next_out = reinterpret_cast<Bytef *>(out.data());
  zlib->avail_out = uInt(out.size());
  if (::inflate(zlib.get(), Z_FINISH) != Z_STREAM_END)
    throw CorruptError("a chunk's compressed data (gzip) are damaged");
  return {out.data(), out.size() - zlib->avail_out};
}

std::span<const std::byte> ChunkDecoder::unLzf(Bytes input, size_t most) {
  std::vector<std::byte> &out = other(input);
  out.resize(std::max<size_t>(most, 1));
  return {out.data(), decompressLzf(input, out)};
}

// The first bytes of all elements come first, then the second ones, and so on.
// A rest that is no whole element stays as it is.
std::span<const std::byte> ChunkDecoder::unshuffle(Bytes input,
                                                   const Filter &filter) {
  size_t width = filter.parameters.empty() ? 0 : filter.parameters[0];
  if (width <= 1 || input.size() < width)
    return input;
  std::vector<std::byte> &out = other(input);
  out.resize(input.size());
  size_t count = input.size() / width;
  for (size_t k = 0; k < width; ++k)
    for (size_t i = 0; i < count; ++i)
      out[i * width + k] = input[k * count + i];
  std::copy(input.begin() + long(count * width), input.end(),
            out.begin() + long(count * width));
  return out;
}

void ChunkDecoder::decode(Bytes stored, uint32_t skipped,
                          const std::vector<Filter> &filters,
                          std::span<std::byte> out) {
  Bytes bytes = stored;
  // On the way a chunk may be longer than its elements, by the checksums.
  size_t most = out.size() + checksumBytes * filters.size();
  for (size_t i = filters.size(); i-- > 0;) {
    if (skipped >> i & 1)
      continue;
    switch (filters[i].id) {
    case Deflate:
      bytes = inflate(bytes, most);
      break;
    case Shuffle:
      bytes = unshuffle(bytes, filters[i]);
      break;
    case Fletcher32:
      bytes = checkFletcher32(bytes);
      break;
    case Lzf:
      bytes = unLzf(bytes, most);
      break;
    default:
      throw CorruptError("a chunk has an unknown filter");
    }
  }
  if (bytes.size() != out.size())
    throw CorruptError("a chunk holds " + std::to_string(bytes.size()) +
                       " bytes; expected " + std::to_string(out.size()));
  std::memcpy(out.data(), bytes.data(), out.size());
}

} // namespace fuel
