// The device memory's allocator and look-up.
#include "DeviceMemory.h"
#include "Fault.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <sys/mman.h>

namespace ptxemu {
namespace {

constexpr uint64_t alignment = 256;
constexpr uint64_t gap = 256;
/// Larger allocations are left as the kernel gives them: pages untouched.
constexpr uint64_t poisonLimit = 256ull << 20;

uint64_t roundUp(uint64_t value, uint64_t to) {
  return (value + to - 1) / to * to;
}

/// An address in or behind an allocation, in words; empty when far from it.
std::string explainBehind(const Allocation &near, uint64_t address) {
  std::string which = "the allocation of " + std::to_string(near.size) +
                      " bytes at " + hex(near.base);
  uint64_t offset = address - near.base;
  if (!near.live && offset < near.size)
    return "use after free, in " + which + ", which was freed";
  if (near.parted && offset < near.size)
    return "inside " + which +
           ", but in no live part of it (see "
           "ptxemuMarkPart)";
  if (offset < near.size)
    return "runs over the end of " + which;
  if (offset - near.size < (1 << 20))
    return std::to_string(offset - near.size) + " bytes past the end of " +
           which + (near.live ? "" : ", which was freed");
  return "";
}

} // namespace

DeviceMemory::DeviceMemory(uint64_t capacity) : total(capacity) {
  // Address space is cheap: ask for much more than the capacity, so that freed
  // places need not be used again.
  for (reserved = std::max<uint64_t>(capacity * 16, 1ull << 38);
       reserved >= capacity; reserved /= 2) {
    void *memory = mmap(nullptr, reserved, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) {
      arena = static_cast<uint8_t *>(memory);
      return;
    }
  }
  throw std::runtime_error("ptx emulator: no address space for the memory");
}

DeviceMemory::~DeviceMemory() { munmap(arena, reserved); }

/// The offset of a free place: behind all others, or where freed ones were.
uint64_t DeviceMemory::place(uint64_t size) {
  uint64_t room = roundUp(size, alignment) + gap;
  if (bump + room <= reserved) {
    uint64_t offset = bump;
    bump += room;
    return offset;
  }
  std::erase_if(allocations, [](auto &entry) { return !entry.second.live; });
  uint64_t offset = 0;
  for (auto &[base, allocation] : allocations) {
    if (allocation.host)
      continue;
    uint64_t begin = base - firstAddress;
    if (offset + room <= begin)
      return offset;
    offset = begin + roundUp(allocation.size, alignment) + gap;
  }
  return offset + room <= reserved ? offset : ~0ull;
}

uint64_t DeviceMemory::allocate(uint64_t size, bool module, bool readOnly) {
  if (size == 0 || inUse + size > total || inUse + size < size)
    return 0;
  uint64_t offset = place(size);
  if (offset == ~0ull)
    return 0;
  Allocation allocation;
  allocation.base = firstAddress + offset;
  allocation.size = size;
  allocation.delta = int64_t(reinterpret_cast<uint64_t>(arena) - firstAddress);
  allocation.module = module;
  allocation.readOnly = readOnly;
  allocations[allocation.base] = allocation;
  inUse += size;
  fillPoison(allocation.base, size);
  return allocation.base;
}

void DeviceMemory::fillPoison(uint64_t address, uint64_t size) {
  if (size > poisonLimit)
    return;
  uint8_t *host = arena + (address - firstAddress);
  uint32_t word = poison;
  for (uint64_t i = 0; i + 4 <= size; i += 4)
    std::memcpy(host + i, &word, 4);
  std::memset(host + size / 4 * 4, 0xFF, size % 4);
}

bool DeviceMemory::free(uint64_t address) {
  auto found = allocations.find(address);
  if (found == allocations.end() || !found->second.live || found->second.host)
    return false;
  Allocation &allocation = found->second;
  allocation.live = false;
  inUse -= allocation.size;
  parts.erase(parts.lower_bound(address),
              parts.lower_bound(address + allocation.size));
  uint64_t begin = roundUp(address - firstAddress, 4096);
  uint64_t end = (address - firstAddress + allocation.size) / 4096 * 4096;
  if (end > begin)
    madvise(arena + begin, end - begin, MADV_DONTNEED);
  return true;
}

void DeviceMemory::addHost(void *memory, uint64_t size) {
  Allocation allocation;
  allocation.base = reinterpret_cast<uint64_t>(memory);
  allocation.size = size;
  allocation.host = true;
  allocations[allocation.base] = allocation;
}

bool DeviceMemory::removeHost(void *memory) {
  auto found = allocations.find(reinterpret_cast<uint64_t>(memory));
  if (found == allocations.end() || !found->second.host)
    return false;
  allocations.erase(found);
  return true;
}

bool DeviceMemory::markPart(uint64_t address, uint64_t size, bool live) {
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin())
    return false;
  Allocation &allocation = std::prev(after)->second;
  if (!allocation.live || address + size > allocation.base + allocation.size)
    return false;
  allocation.parted = true;
  if (live) {
    parts[address] = size;
    fillPoison(address, size);
  } else {
    parts.erase(address);
  }
  return true;
}

Allocation DeviceMemory::range(uint64_t address) const {
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin())
    return {};
  Allocation found = std::prev(after)->second;
  if (!found.live || address >= found.base + found.size)
    return {};
  if (!found.parted)
    return found;
  auto part = parts.upper_bound(address);
  if (part == parts.begin())
    return {};
  --part;
  if (part->first < found.base || address >= part->first + part->second)
    return {};
  found.base = part->first;
  found.size = part->second;
  return found;
}

const Allocation *DeviceMemory::find(uint64_t address, uint64_t size) const {
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin())
    return nullptr;
  const Allocation &found = std::prev(after)->second;
  uint64_t offset = address - found.base;
  bool inside =
      found.live && offset <= found.size && size <= found.size - offset;
  return inside ? &found : nullptr;
}

uint64_t DeviceMemory::liveCount() const {
  return uint64_t(std::count_if(allocations.begin(), allocations.end(),
                                [](const auto &entry) {
                                  const Allocation &a = entry.second;
                                  return a.live && !a.host && !a.module;
                                }));
}

std::string DeviceMemory::explain(uint64_t address, uint64_t size) const {
  std::string text = std::to_string(size) + " bytes at " + hex(address) + ": ";
  if (uint32_t(address >> 32) == poison || (address >> 16) == poison ||
      uint32_t(address >> 32) == ~0u)
    return text + "the address comes from an undefined register or from memory "
                  "that was never written";
  if (address < 4096)
    return text + "a null pointer";
  auto after = allocations.upper_bound(address);
  if (after != allocations.begin())
    if (std::string where = explainBehind(std::prev(after)->second, address);
        !where.empty())
      return text + where;
  if (after != allocations.end() && after->first - address < (1 << 20))
    return text + std::to_string(after->first - address) +
           " bytes before the allocation at " + hex(after->first);
  return text + "no allocation is near";
}

} // namespace ptxemu
