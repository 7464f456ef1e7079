// GlobalHeap: see GlobalHeap.h. A collection is a header of 16 bytes
// (signature, version, its own size) and objects, each with a header of 16
// bytes (number, count of references, size) and its data, padded to 8 bytes.
// Object 0 is the free space at the end.
#include "fuel/Hdf5/GlobalHeap.h"

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

std::span<const std::byte> GlobalHeap::search(const HeapReference &reference,
                                              const char *&reason) const {
  uint64_t at = 0, size = file.size();
  reason = "its heap collection lies beyond the end of the file";
  if (__builtin_add_overflow(reference.address, base, &at) || at > size ||
      size - at < headerBytes)
    return {};
  const std::byte *collection = file.data() + at;
  reason = "its heap collection has no signature";
  if (std::memcmp(collection, "GCOL\1", 5) != 0)
    return {};
  uint64_t length = load<uint64_t>(collection + 8);
  reason = "its heap collection is longer than the file";
  if (length > size - at)
    return {};
  for (uint64_t p = headerBytes; p <= length && length - p >= headerBytes;) {
    uint16_t number = load<uint16_t>(collection + p);
    uint64_t bytes = load<uint64_t>(collection + p + 8);
    uint64_t room = length - p - headerBytes;
    if (number == 0)
      break;
    reason = "an object of its heap collection is longer than the collection";
    if (bytes > room)
      return {};
    if (number == reference.index)
      return {collection + p + headerBytes, size_t(bytes)};
    p += headerBytes + (bytes + alignment - 1) / alignment * alignment;
  }
  reason = "its heap collection has no such object";
  return {};
}

std::span<const std::byte>
GlobalHeap::find(const HeapReference &reference) const {
  const char *reason = nullptr;
  return search(reference, reason);
}

std::string GlobalHeap::problem(const HeapReference &reference) const {
  const char *reason = nullptr;
  search(reference, reason);
  return reason;
}

} // namespace fuel
