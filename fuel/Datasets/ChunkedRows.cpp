// ChunkedRows: see ChunkedRows.h.
#include "fuel/Datasets/ChunkedRows.h"

#include "blocks/Error.h"
#include "fuel/Datasets/ArrayRows.h"

#include <algorithm>
#include <cstring>

namespace fuel {

using blocks::CorruptError;
using blocks::hdf5::StoredChunk;

namespace {
/// Decoded chunks kept, in bytes and in number.
constexpr size_t keptBytes = size_t(64) << 20, mostPlaces = 1 << 16;
constexpr size_t mostChunkBytes = size_t(1) << 31;

size_t bytesOf(const blocks::Shape &shape, size_t from, uint64_t element,
               const std::string &where) {
  size_t bytes = element;
  for (size_t axis = from; axis < shape.size(); ++axis)
    if (__builtin_mul_overflow(bytes, size_t(shape[axis]), &bytes))
      throw CorruptError(where + " is impossibly large: the file is damaged");
  return bytes;
}
} // namespace

/// A scratch taken from the idle ones for as long as this lives.
class ChunkedRows::Borrowed {
public:
  explicit Borrowed(const ChunkedRows &rows) : rows(rows) {
    std::lock_guard guard(rows.lock);
    if (!rows.idle.empty()) {
      scratch = std::move(rows.idle.back());
      rows.idle.pop_back();
    }
    if (!scratch)
      scratch = std::make_unique<Scratch>();
  }
  ~Borrowed() {
    std::lock_guard guard(rows.lock);
    rows.idle.push_back(std::move(scratch));
  }
  Scratch &operator*() { return *scratch; }

private:
  const ChunkedRows &rows;
  std::unique_ptr<Scratch> scratch;
};

ChunkedRows::ChunkedRows(blocks::hdf5::StoredArray stored, RowSet set,
                         std::string text,
                         std::shared_ptr<const blocks::MappedFile> mapped)
    : array(std::move(stored)), rows(std::move(set)), where(std::move(text)),
      mapping(std::move(mapped)) {
  requireKnownFilters(array.filters, where);
  uint64_t element = array.element.bytes;
  rowBytes = bytesOf(array.shape, 1, element, where);
  chunkBytes = bytesOf(array.chunkShape, 0, element, where);
  chunkRowBytes = bytesOf(array.chunkShape, 1, element, where);
  if (chunkBytes == 0 || chunkBytes > mostChunkBytes)
    throw CorruptError(where + " has chunks of " + std::to_string(chunkBytes) +
                       " bytes; expected 1 to " +
                       std::to_string(mostChunkBytes));
  int64_t stripes =
      (array.shape[0] + array.chunkShape[0] - 1) / array.chunkShape[0];
  if (stripes > 0)
    chunksPerStripe = int64_t(array.chunks.size()) / stripes;
  placeCount = std::clamp<size_t>(keptBytes / chunkBytes, 1, mostPlaces);
  placeCount = std::max<size_t>(1, std::min(placeCount, array.chunks.size()));
  places = std::make_unique<Place[]>(placeCount);
}

ChunkedRows::~ChunkedRows() = default;

void ChunkedRows::gather(std::span<const int64_t> positions,
                         std::byte *out) const {
  Borrowed scratch(*this);
  std::vector<Wanted> &wanted = (*scratch).wanted;
  wanted.clear();
  for (size_t i = 0; i < positions.size(); ++i)
    wanted.push_back({rows[positions[i]], int64_t(i)});
  std::sort(wanted.begin(), wanted.end(),
            [](const Wanted &a, const Wanted &b) { return a.row < b.row; });
  read(*scratch, out);
}

void ChunkedRows::slice(int64_t start, int64_t count, std::byte *out) const {
  Borrowed scratch(*this);
  std::vector<Wanted> &wanted = (*scratch).wanted;
  wanted.clear();
  for (int64_t i = 0; i < count; ++i)
    wanted.push_back({rows[start + i], i});
  std::sort(wanted.begin(), wanted.end(),
            [](const Wanted &a, const Wanted &b) { return a.row < b.row; });
  read(*scratch, out);
}

void ChunkedRows::read(Scratch &scratch, std::byte *out) const {
  const std::vector<Wanted> &wanted = scratch.wanted;
  for (size_t begin = 0; begin < wanted.size();) {
    int64_t stripe = wanted[begin].row / array.chunkShape[0];
    size_t end = begin + 1;
    while (end < wanted.size() &&
           wanted[end].row / array.chunkShape[0] == stripe)
      ++end;
    readStripe(scratch, begin, end, out);
    begin = end;
  }
}

void ChunkedRows::readStripe(Scratch &scratch, size_t begin, size_t end,
                             std::byte *out) const {
  int64_t stripe = scratch.wanted[begin].row / array.chunkShape[0];
  for (int64_t k = 0; k < chunksPerStripe; ++k) {
    int64_t chunk = stripe * chunksPerStripe + k;
    Place &place = places[size_t(chunk) % placeCount];
    std::lock_guard guard(place.lock);
    if (place.chunk != chunk)
      decode(chunk, place, scratch.decoder);
    for (size_t i = begin; i < end; ++i) {
      const Wanted &each = scratch.wanted[i];
      copyRow(place.bytes.data(), each.row % array.chunkShape[0], k,
              out + size_t(each.slot) * rowBytes);
    }
  }
}

void ChunkedRows::decode(int64_t number, Place &place,
                         ChunkDecoder &decoder) const {
  place.chunk = -1;
  place.bytes.resize(chunkBytes);
  const StoredChunk &chunk = array.chunks.at(size_t(number));
  if (chunk.offset == StoredChunk::absent) {
    fillWith(array.fill, place.bytes);
    place.chunk = number;
    return;
  }
  size_t size = mapping->size();
  try {
    if (chunk.offset > size || chunk.bytes > size - chunk.offset)
      throw CorruptError("a chunk of " + std::to_string(chunk.bytes) +
                         " bytes at " + std::to_string(chunk.offset) +
                         " lies beyond the end of the file");
    decoder.decode({mapping->data() + chunk.offset, chunk.bytes}, chunk.skipped,
                   array.filters, place.bytes);
  } catch (const CorruptError &error) {
    throw CorruptError(
        where + ", rows from " +
        std::to_string(number / chunksPerStripe * array.chunkShape[0]) +
        " on: " + error.what() + ": the file is damaged");
  }
  place.chunk = number;
}

namespace {
/// Copies the part of a row that one chunk holds. Axis by axis: `from` walks
/// through the chunk, whose edge may hang over the array's.
struct BlockCopy {
  const blocks::Shape &shape, &chunk;
  const int64_t *begin; ///< The chunk's first element on each axis.
  size_t element;

  void run(size_t axis, const std::byte *from, size_t fromBytes, std::byte *to,
           size_t toBytes) const {
    if (axis == shape.size()) {
      std::memcpy(to, from, element);
      return;
    }
    size_t fromStep = fromBytes / size_t(chunk[axis]);
    size_t toStep = toBytes / size_t(shape[axis]);
    int64_t count = std::min(chunk[axis], shape[axis] - begin[axis]);
    to += size_t(begin[axis]) * toStep;
    if (axis + 1 == shape.size()) {
      std::memcpy(to, from, size_t(count) * element);
      return;
    }
    for (int64_t i = 0; i < count; ++i)
      run(axis + 1, from + size_t(i) * fromStep, fromStep,
          to + size_t(i) * toStep, toStep);
  }
};
} // namespace

void ChunkedRows::copyRow(const std::byte *chunk, int64_t rowInChunk,
                          int64_t chunkNumber, std::byte *row) const {
  const std::byte *from = chunk + size_t(rowInChunk) * chunkRowBytes;
  if (rowBytes == 0)
    return;
  if (chunksPerStripe == 1 && chunkRowBytes == rowBytes) {
    std::memcpy(row, from, rowBytes);
    return;
  }
  constexpr size_t mostAxes = 32; // HDF5's own limit.
  int64_t begin[mostAxes] = {};
  for (size_t axis = std::min(array.shape.size(), mostAxes); axis-- > 1;) {
    int64_t along = (array.shape[axis] + array.chunkShape[axis] - 1) /
                    array.chunkShape[axis];
    begin[axis] = chunkNumber % along * array.chunkShape[axis];
    chunkNumber /= along;
  }
  BlockCopy{array.shape, array.chunkShape, begin, size_t(array.element.bytes)}
      .run(1, from, chunkRowBytes, row, rowBytes);
}

} // namespace fuel
