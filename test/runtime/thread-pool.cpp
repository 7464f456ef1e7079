// ThreadPool: every block runs exactly once, for any count and number of
// threads, many times in a row, also with more threads than processors.
#include "test/Check.h"

#include "runtime/Device/CpuInfo.h"
#include "runtime/Device/ThreadPool.h"

#include <atomic>
#include <thread>
#include <vector>

using blocks::ThreadPool;

struct Loop {
  std::vector<int> runs; ///< Not atomic: two runs of a block would race.
  int64_t expected = 0;
};

static void visit(void *context, void *environment, int64_t begin,
                  int64_t end) {
  auto &loop = *static_cast<Loop *>(environment);
  for (int64_t i = begin; i < end; ++i)
    ++loop.runs[size_t(i)];
}

static void checkCounts(int threads) {
  ThreadPool pool(threads);
  CHECK_EQ(pool.threads(), threads);
  Loop loop;
  for (int64_t count : {0, 1, 2, 3, 5, 7, 8, 64, 1000}) {
    loop.runs.assign(size_t(count), 0);
    pool.parallelFor(visit, nullptr, &loop, count);
    for (int64_t i = 0; i < count; ++i)
      CHECK_EQ(loop.runs[size_t(i)], 1);
  }
}

static void checkStress(int threads, int loops) {
  ThreadPool pool(threads);
  Loop loop;
  loop.runs.assign(37, 0);
  std::vector<int> expected(37, 0);
  for (int i = 0; i < loops; ++i) {
    int64_t count = i % 38;
    pool.parallelFor(visit, nullptr, &loop, count);
    for (int64_t b = 0; b < count; ++b)
      ++expected[size_t(b)];
  }
  CHECK(loop.runs == expected);
}

/// Two pools used by two threads at the same time.
static void checkTwoPools() {
  std::thread other([] { checkStress(2, 2000); });
  checkStress(3, 2000);
  other.join();
}

/// A slow block on one thread does not keep the others from the rest.
static void checkUneven() {
  ThreadPool pool(2);
  struct Data {
    std::atomic<int> done{0};
  } data;
  auto body = [](void *, void *environment, int64_t begin, int64_t end) {
    auto &data = *static_cast<Data *>(environment);
    if (begin == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    data.done += int(end - begin);
  };
  for (int i = 0; i < 20; ++i) {
    data.done = 0;
    pool.parallelFor(body, nullptr, &data, 64);
    CHECK_EQ(data.done.load(), 64);
  }
}

int main() {
  for (int threads : {1, 2, 3, 4, 16})
    checkCounts(threads);
  checkStress(2, 100000);
  checkStress(6, 5000);
  checkTwoPools();
  checkUneven();
  for (int i = 0; i < 100; ++i) // Never used: no thread starts.
    ThreadPool unused(64);
  blocks::CpuInfo cpu = blocks::detectCpu();
  std::printf("%s, %d processors\n", blocks::levelName(cpu.level).c_str(),
              cpu.usableCpus);
  CHECK(cpu.usableCpus >= 1);
  CHECK(blocks::parseLevel(blocks::levelName(cpu.level)) == cpu.level);
  CHECK(blocks::parseLevel("x86-64-v2") == blocks::CpuLevel::V2);
  for (const char *name : {"x86-64-v9", "x86-64-v2+amx", ""})
    CHECK(!blocks::parseLevel(name));
  return checkSummary();
}
