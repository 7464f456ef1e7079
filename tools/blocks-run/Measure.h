// What `bench` measures beside time: allocations, and private memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace blocks::cli {

/// Calls of the allocator so far in this process, told apart by the caller:
/// this program's own code, or a library's (oneDNN, libstdc++ for itself …).
struct AllocationCounts {
  uint64_t own = 0, libraries = 0;
};
AllocationCounts allocationCounts();

/// Samples RssAnon, the memory that is this process's alone, every millisecond
/// and keeps the peak.
class PrivateMemorySampler {
public:
  PrivateMemorySampler();
  ~PrivateMemorySampler();
  /// The peak so far, in MB (10^6 bytes).
  double peakMb() const { return double(peakKb.load()) * 1024 / 1e6; }

private:
  std::atomic<bool> stop{false};
  std::atomic<int64_t> peakKb{0};
  std::thread thread;
};

/// Peak resident memory of the process, in MB.
double peakResidentMb();

} // namespace blocks::cli
