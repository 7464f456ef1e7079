// GlobalHeap: where HDF5 keeps items of varying length: collections ("GCOL") of
// numbered objects. This reads them from a mapping of the file, every number
// checked against its bounds; the library, asked for items of a damaged heap,
// may crash.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fuel {

/// What a dataset stores for an item, unaligned: how many elements, and which
/// object of which collection.
struct HeapReference {
  static constexpr size_t bytes = 16;
  uint32_t length = 0;
  uint64_t address = 0;
  uint32_t index = 0;
  static HeapReference load(const std::byte *from);
};

class GlobalHeap {
public:
  GlobalHeap() = default;
  /// Addresses count from `base`, the length of the user block.
  GlobalHeap(std::span<const std::byte> file, uint64_t base)
      : file(file), base(base) {}

  /// Fills `places` with where the data of each object begin, from the
  /// collection's first byte; 0 where there is no object of that number.
  /// Returns null, or why the collection cannot be read to its end.
  const char *listObjects(uint64_t address,
                          std::vector<uint64_t> &places) const;
  /// The object whose data begin at `place`, which came from `listObjects`.
  std::span<const std::byte> object(uint64_t address, uint64_t place) const;
  /// Where that is, for fetching it ahead.
  const std::byte *whereIs(uint64_t address, uint64_t place) const {
    return file.data() + base + address + place;
  }

private:
  std::span<const std::byte> file;
  uint64_t base = 0;
};

} // namespace fuel
