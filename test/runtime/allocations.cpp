// A steady training step allocates nothing in the runtime: malloc and its kin
// are counted while a loop with every per-batch extension runs.
#include "test/Check.h"
#include "test/runtime/FakeProgram.h"

#include "blocks/Training.h"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>

static std::atomic<int64_t> allocations{0};

void *operator new(size_t bytes) {
  ++allocations;
  if (void *p = std::malloc(bytes ? bytes : 1))
    return p;
  throw std::bad_alloc();
}
void *operator new[](size_t bytes) { return operator new(bytes); }
void *operator new(size_t bytes, const std::nothrow_t &) noexcept {
  ++allocations;
  return std::malloc(bytes ? bytes : 1);
}
void operator delete(void *p) noexcept { std::free(p); }
void operator delete(void *p, size_t) noexcept { std::free(p); }
void operator delete[](void *p) noexcept { std::free(p); }
void operator delete[](void *p, size_t) noexcept { std::free(p); }

using namespace blocks;

/// Notes the count at each batch.
struct CountingStream : fake::Stream {
  std::vector<int64_t> counts;
  CountingStream() : fake::Stream(2000, 10, 1) { counts.reserve(1000); }
  bool next(fuel::Batch &batch) override {
    counts.push_back(allocations);
    return fake::Stream::next(batch);
  }
};

/// Allocations between batches 20 and 180 of a run of one epoch.
static int64_t steadyAllocations(const std::filesystem::path &dir,
                                 int64_t logEvery) {
  fake::Program program;
  CountingStream stream;
  std::ofstream text(dir / "text");
  TrainOptions options;
  options.epochs = 1;
  options.logEvery = logEvery;
  options.logPath = dir / "log.jsonl";
  options.checkpointPath = dir / "run.ckpt";
  options.checkpointEvery = {0, 0, 60};
  options.progressBar = true;
  EventSink events;
  CHECK_EQ(train(program, stream, {}, options, events, text, text), 0);
  return stream.counts[180] - stream.counts[20];
}

int main(int, char **argv) {
  std::filesystem::path dir(argv[1]);
  CHECK_EQ(steadyAllocations(dir, 0), 0);
  // Rows are also kept in memory, which grows by doubling.
  int64_t withRows = steadyAllocations(dir, 1);
  CHECK(withRows <= 8);
  return checkSummary();
}
