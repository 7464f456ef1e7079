// ThreadPool: runs the blocks of a loop on a fixed number of threads. Own
// rather than OpenMP's: it starts a loop in about 3 µs, sleeps soon, allocates
// nothing per call, and which thread runs which block cannot be seen in results
// (blocks are fixed by the shape, see StepABI.h).
//
// Each thread starts on its own contiguous share, so that the same rows meet
// the same cache in every loop, and then takes what is left of the others'. So
// a loop never waits for a thread that the system has not let run yet.
//
// One loop at a time: `parallelFor` is called from one thread, and kernels do
// not call it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace blocks {

class ThreadPool {
public:
  /// Runs over blocks [begin, end).
  using Body = void (*)(void *context, void *environment, int64_t begin,
                        int64_t end);

  /// `threads` counts the caller; the others start with the first loop that
  /// needs them.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  int threads() const { return int(shares.size()); }

  /// Runs `body` over blocks 0 … count-1 and returns when all are done.
  void parallelFor(Body body, void *context, void *environment, int64_t count);

private:
  /// One thread's share of the running loop, alone in its cache lines.
  struct alignas(128) Share {
    /// The loop's number and the units left in the share, in one word, so that
    /// a late thread cannot take a unit of a loop that it has not seen.
    std::atomic<uint64_t> left{0};
    /// The number of the last loop that this thread was called for; it sleeps
    /// on this word.
    std::atomic<uint32_t> called{0};
    std::atomic<uint32_t> asleep{0};
  };

  void startThreads();
  void serve(size_t self);
  void call(Share &share, uint32_t loop);
  bool awaitCall(Share &share, uint32_t &seen);
  void work(size_t self, uint32_t loop);
  int64_t drain(size_t share, uint32_t loop);
  void finish(int64_t units);
  void awaitFinish();

  std::vector<Share> shares; ///< shares[0] is the caller's.
  std::vector<std::thread> workers;
  bool started = false;
  uint32_t loop = 0;
  std::atomic<bool> stopping{false};

  // The running loop. Read only by who has taken a unit of it.
  Body body = nullptr;
  void *context = nullptr, *environment = nullptr;
  int64_t count = 0, units = 0, participants = 0;

  alignas(128) std::atomic<uint32_t> unfinished{0};
  std::atomic<uint32_t> callerAsleep{0};
};

} // namespace blocks
