// GlobalHeap: where HDF5 keeps items of varying length: collections ("GCOL") of
// numbered objects. This reads them from a mapping of the file, every number
// checked against its bounds; the library, asked for items of a damaged heap,
// may crash.
#pragma once

#include <cstdint>
#include <span>
#include <string>

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

  /// The object, or an empty span with a null pointer if there is none; then
  /// `problem` says why.
  std::span<const std::byte> find(const HeapReference &reference) const;
  std::string problem(const HeapReference &reference) const;

private:
  std::span<const std::byte> search(const HeapReference &reference,
                                    const char *&reason) const;
  std::span<const std::byte> file;
  uint64_t base = 0;
};

} // namespace fuel
