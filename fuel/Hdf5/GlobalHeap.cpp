// GlobalHeap: see GlobalHeap.h. A collection is a header of 16 bytes
// (signature, version, its own size) and objects, each with a header of 16
// bytes (number, count of references, size) and its data, padded to 8 bytes.
// Object 0 is the free space at the end.
#include "fuel/Hdf5/GlobalHeap.h"

#include <algorithm>
#include <cstring>

namespace fuel {

namespace {
constexpr uint64_t headerBytes = 16, alignment = 8;

template <typename T> T load(const std::byte *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
} // namespace

HeapReference HeapReference::load(const std::byte *from) {
  return {fuel::load<uint32_t>(from), fuel::load<uint64_t>(from + 4),
          fuel::load<uint32_t>(from + 12)};
}

const char *GlobalHeap::listObjects(uint64_t address,
                                    std::vector<uint64_t> &places) const {
  places.clear();
  uint64_t at = 0, size = file.size();
  if (__builtin_add_overflow(address, base, &at) || at > size ||
      size - at < headerBytes)
    return "its heap collection lies beyond the end of the file";
  const std::byte *collection = file.data() + at;
  if (std::memcmp(collection, "GCOL\1", 5) != 0)
    return "its heap collection has no signature";
  uint64_t length = load<uint64_t>(collection + 8);
  if (length > size - at)
    return "its heap collection is longer than the file";
  for (uint64_t p = headerBytes; p <= length && length - p >= headerBytes;) {
    uint16_t number = load<uint16_t>(collection + p);
    uint64_t bytes = load<uint64_t>(collection + p + 8);
    if (number == 0)
      break;
    if (bytes > length - p - headerBytes)
      return "an object of its heap collection is longer than the collection";
    if (number >= places.size())
      places.resize(number + size_t(1));
    places[number] = p + headerBytes;
    p += headerBytes + (bytes + alignment - 1) / alignment * alignment;
  }
  return nullptr;
}

std::span<const std::byte> GlobalHeap::object(uint64_t address,
                                              uint64_t place) const {
  const std::byte *data = whereIs(address, place);
  uint64_t room = uint64_t(file.data() + file.size() - data);
  return {data, size_t(std::min(load<uint64_t>(data - 8), room))};
}

} // namespace fuel
