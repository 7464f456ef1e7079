// The emulated device's memory. Device addresses are numbers that the host
// cannot read through: a constant away from where the bytes really lie. Each
// allocation is followed by a gap, and a freed place is not used again before
// the address range is exhausted, so that late uses are recognised. Pinned host
// memory is known here too, under its own address.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace ptxemu {

struct Allocation {
  uint64_t base = 0;
  uint64_t size = 0;
  int64_t delta = 0; ///< host address minus device address
  bool live = true;
  bool host = false;     ///< pinned host memory
  bool readOnly = false; ///< .const variables
  bool module = false;   ///< a variable of a module
  bool parted = false;   ///< divided by markPart: only parts are accessible
};

class DeviceMemory {
public:
  /// Addresses of the windows that generic addresses fall into.
  static constexpr uint64_t sharedWindow = 0x0100'0000'0000;
  static constexpr uint64_t localWindow = 0x0200'0000'0000;
  static constexpr uint64_t paramWindow = 0x0300'0000'0000;
  static constexpr uint64_t laneParamWindow = 0x0400'0000'0000;
  static constexpr uint64_t windowSize = 0x0100'0000'0000;
  static constexpr uint64_t firstAddress = 0x0a00'0000'0000;

  explicit DeviceMemory(uint64_t capacity);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory &) = delete;

  /// Poison-filled memory, 256-byte aligned; 0 when there is no room.
  uint64_t allocate(uint64_t size, bool module = false, bool readOnly = false);
  /// False when `address` is not the start of a live allocation.
  bool free(uint64_t address);
  void addHost(void *memory, uint64_t size);
  bool removeHost(void *memory);

  /// Divides a live allocation: only ranges that are marked live may be
  /// touched. For runtimes that suballocate.
  bool markPart(uint64_t address, uint64_t size, bool live);

  /// What an access of the kernel may use: the live range around an address,
  /// or an empty one.
  Allocation range(uint64_t address) const;
  /// The live allocation that holds [address, address + size), or null.
  const Allocation *find(uint64_t address, uint64_t size) const;
  /// What is at an address, in words for a report.
  std::string explain(uint64_t address, uint64_t size) const;

  uint64_t capacity() const { return total; }
  uint64_t used() const { return inUse; }
  uint64_t liveCount() const;

  static constexpr uint32_t poison = 0xFFFADEAD;

private:
  uint64_t total;
  uint64_t inUse = 0;
  uint64_t reserved = 0;
  uint64_t bump = 0;
  uint8_t *arena = nullptr;
  std::map<uint64_t, Allocation> allocations; ///< by base; freed ones too
  std::map<uint64_t, uint64_t> parts;         ///< live parts: base to size

  uint64_t place(uint64_t size);
  void fillPoison(uint64_t address, uint64_t size);
};

} // namespace ptxemu
