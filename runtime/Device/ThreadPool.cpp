// The thread pool: see ThreadPool.h for what it promises.
//
// A loop is announced by writing its number into the words that its threads
// wait on. Threads spin a little, then sleep in the kernel (futex). Whoever
// changes a word and then sees "asleep" wakes the sleeper; a sleeper says
// "asleep" and then looks at the word again. Both orders are sequentially
// consistent, so one of them sees the other.
#include "runtime/Device/ThreadPool.h"

#include "runtime/Base/SignalsBlocked.h"

#include <algorithm>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace blocks {

namespace {

/// Longer spinning starves the others on an oversubscribed machine.
constexpr int spins = 300;
/// Units that a share is cut into, so that others can help: with large blocks
/// each is a unit, since who waits at the end waits for at most one. More units
/// than that would only cost taking them.
constexpr int64_t unitsPerShare = 64;

void futexWait(std::atomic<uint32_t> &word, uint32_t expected) {
  syscall(SYS_futex, reinterpret_cast<uint32_t *>(&word), FUTEX_WAIT_PRIVATE,
          expected, nullptr, nullptr, 0);
}

void futexWake(std::atomic<uint32_t> &word) {
  syscall(SYS_futex, reinterpret_cast<uint32_t *>(&word), FUTEX_WAKE_PRIVATE, 1,
          nullptr, nullptr, 0);
}

/// Spins while `word` is `value`; false if it still is.
bool spinWhile(const std::atomic<uint32_t> &word, uint32_t value) {
  for (int i = 0; i < spins; ++i) {
    if (word.load(std::memory_order_acquire) != value)
      return true;
    __builtin_ia32_pause();
  }
  return false;
}

constexpr uint64_t pack(uint32_t loop, uint32_t left) {
  return uint64_t(loop) << 32 | left;
}

} // namespace

ThreadPool::ThreadPool(int threads)
    : shares(size_t(std::clamp(threads, 1, 1024))) {}

ThreadPool::~ThreadPool() {
  stopping.store(true);
  for (size_t i = 1; i <= workers.size(); ++i)
    call(shares[i], shares[i].called.load() + 1);
  for (std::thread &worker : workers)
    worker.join();
}

void ThreadPool::startThreads() {
  if (started)
    return;
  started = true;
  SignalsBlocked blocked;
  workers.reserve(shares.size() - 1);
  try {
    for (size_t i = 1; i < shares.size(); ++i)
      workers.emplace_back([this, i] { serve(i); });
  } catch (const std::system_error &) {
    // The system allows no more threads; fewer do the same work.
  }
}

void ThreadPool::parallelFor(Body newBody, void *newContext,
                             void *newEnvironment, int64_t newCount) {
  if (newCount <= 0)
    return;
  if (newCount == 1 || shares.size() == 1)
    return newBody(newContext, newEnvironment, 0, newCount);
  startThreads();
  if (workers.empty())
    return newBody(newContext, newEnvironment, 0, newCount);

  body = newBody;
  context = newContext;
  environment = newEnvironment;
  count = newCount;
  participants = std::min<int64_t>(int64_t(workers.size()) + 1, count);
  units = std::min(count, participants * unitsPerShare);
  unfinished.store(uint32_t(units), std::memory_order_relaxed);
  ++loop;
  for (int64_t i = 0; i < participants; ++i) {
    auto own = units * (i + 1) / participants - units * i / participants;
    shares[size_t(i)].left.store(pack(loop, uint32_t(own)),
                                 std::memory_order_release);
  }
  for (int64_t i = 1; i < participants; ++i)
    call(shares[size_t(i)], loop);
  work(0, loop);
  awaitFinish();
}

void ThreadPool::call(Share &share, uint32_t number) {
  share.called.store(number);
  if (share.asleep.load())
    futexWake(share.called);
}

/// Waits for another call than `seen`, and notes it; false when it is time to
/// stop.
bool ThreadPool::awaitCall(Share &share, uint32_t &seen) {
  while (!spinWhile(share.called, seen)) {
    share.asleep.store(1);
    if (share.called.load() == seen)
      futexWait(share.called, seen);
    share.asleep.store(0);
  }
  seen = share.called.load();
  return !stopping.load();
}

void ThreadPool::serve(size_t self) {
  uint32_t seen = 0;
  while (awaitCall(shares[self], seen))
    work(self, seen);
}

/// The thread's own share first, then the others', from the next one on.
void ThreadPool::work(size_t self, uint32_t number) {
  int64_t done = 0;
  for (size_t i = 0; i < shares.size(); ++i)
    done += drain((self + i) % shares.size(), number);
  if (done)
    finish(done);
}

/// Runs the units left in a share; returns how many. The loop's data may be
/// read only after a unit was taken: until it is done, the loop cannot end.
int64_t ThreadPool::drain(size_t index, uint32_t number) {
  std::atomic<uint64_t> &word = shares[index].left;
  int64_t done = 0;
  uint64_t seen = word.load(std::memory_order_acquire);
  while (uint32_t(seen >> 32) == number && uint32_t(seen) != 0) {
    if (!word.compare_exchange_weak(seen, seen - 1, std::memory_order_acq_rel,
                                    std::memory_order_acquire))
      continue;
    int64_t last = units * (int64_t(index) + 1) / participants;
    int64_t unit = last - int64_t(uint32_t(seen));
    body(context, environment, count * unit / units,
         count * (unit + 1) / units);
    ++done;
    --seen; // What the word is if nobody else took one.
  }
  return done;
}

void ThreadPool::finish(int64_t done) {
  if (unfinished.fetch_sub(uint32_t(done)) == uint32_t(done) &&
      callerAsleep.load())
    futexWake(unfinished);
}

void ThreadPool::awaitFinish() {
  for (uint32_t left; (left = unfinished.load()) != 0;) {
    if (spinWhile(unfinished, left))
      continue;
    callerAsleep.store(1);
    left = unfinished.load();
    if (left != 0)
      futexWait(unfinished, left);
    callerAsleep.store(0);
  }
}

} // namespace blocks
