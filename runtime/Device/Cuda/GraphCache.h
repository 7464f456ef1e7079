// GraphCache: runs of an entry as CUDA graphs. What an entry hands out depends
// only on its arguments (addresses and extents) and the arena, so a second run
// with the same ones is captured, and later ones replay the capture in one call
// instead of hundreds of launches. A bounded number is kept, those used last.
#pragma once

#include "runtime/Device/Cuda/CudaDevice.h"

#include <cstdint>
#include <list>
#include <span>
#include <vector>

namespace blocks::cuda {

class GraphCache {
public:
  static constexpr size_t capacity = 32;

  /// Without `enabled` nothing is ever captured.
  GraphCache(std::shared_ptr<CudaDevice> device, bool enabled);
  ~GraphCache() { clear(); }
  GraphCache(const GraphCache &) = delete;
  GraphCache &operator=(const GraphCache &) = delete;

  /// Runs `body`, which hands work to the compute stream: as it is the first
  /// time that `entry` has these arguments, captured the second time, and not
  /// at all later. `body` must not allocate the second time.
  template <typename Body>
  void run(size_t entry, std::span<const int64_t> arguments, Body body) {
    Record *record = enabled ? find(entry, arguments) : nullptr;
    if (record && record->graph)
      return launch(*record);
    if (!record || !record->seen) {
      body();
      // The body may have cleared the cache.
      if (enabled)
        remember(entry, arguments);
      return;
    }
    begin();
    try {
      body();
    } catch (...) {
      abandon();
      throw;
    }
    launch(end(entry, arguments));
  }

  /// Forgets all: memory that graphs use has moved.
  void clear() noexcept;
  size_t graphs() const;
  int64_t replays() const { return launches; }

private:
  struct Record {
    size_t entry = 0;
    uint64_t hash = 0;
    std::vector<int64_t> arguments;
    bool seen = false;
    GraphExec graph = nullptr;
  };

  Record *find(size_t entry, std::span<const int64_t> arguments);
  void remember(size_t entry, std::span<const int64_t> arguments);
  void begin();
  void abandon() noexcept;
  Record &end(size_t entry, std::span<const int64_t> arguments);
  void launch(Record &record);
  void destroy(Record &record) noexcept;

  std::shared_ptr<CudaDevice> device;
  bool enabled;
  std::list<Record> records; ///< The last used first.
  int64_t launches = 0;
};

} // namespace blocks::cuda
