// The arena's memory comes straight from the system: see Arena.h.
#include "runtime/Abi/Arena.h"

#include <algorithm>
#include <sys/mman.h>

namespace blocks {

namespace {
constexpr size_t pageBytes = 4096, hugePageBytes = size_t(2) << 20;

size_t roundUp(size_t bytes, size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}
} // namespace

std::byte *Arena::reserve(int64_t bytes) {
  lastRequest = bytes;
  if (bytes < 0 || bytes > INT64_MAX / 2)
    return nullptr;
  if (!block || size_t(bytes) > length)
    grow(size_t(bytes));
  if (block)
    largest = std::max(largest, bytes);
  return block;
}

void Arena::grow(size_t bytes) {
  // The old block goes first: both at once would double the peak.
  release();
  size_t wanted = roundUp(bytes + 1, pageBytes); // Never nothing.
  void *memory = mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return;
  // Fewer misses in the address cache; a refusal does no harm.
  if (wanted >= hugePageBytes)
    madvise(memory, wanted, MADV_HUGEPAGE);
  block = static_cast<std::byte *>(memory);
  length = wanted;
}

void Arena::release() {
  if (block)
    munmap(block, length);
  block = nullptr;
  length = 0;
}

} // namespace blocks
