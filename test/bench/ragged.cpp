// ragged: batches of items of varying length, gathered from the mapped file's
// heap, against the same from memory, interleaved in one process. Judges
// nothing.
//
//   bench-ragged FILE.hdf5 [SPLIT [EPOCHS]]
#include "fuel/Dataset.h"
#include "fuel/Streams.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace fuel;
using Clock = std::chrono::steady_clock;

struct Speed {
  double seconds, items, bytes;
};

static Speed epochOf(DataStream &stream) {
  Batch batch;
  Speed speed{0, 0, 0};
  stream.startEpoch();
  Clock::time_point start = Clock::now();
  while (stream.next(batch))
    for (size_t i = 0; i < batch.sources.size(); ++i) {
      speed.items += double(batch.examples);
      speed.bytes += double(batch.sources[i].bytes());
      asm volatile("" : : "r"(batch.sources[i].data()) : "memory");
    }
  speed.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return speed;
}

static void report(const char *name, std::vector<Speed> runs) {
  std::sort(runs.begin(), runs.end(),
            [](auto &a, auto &b) { return a.seconds < b.seconds; });
  Speed middle = runs[runs.size() / 2];
  std::printf("%-10s %6.2f million items a second, %6.2f GB/s\n", name,
              middle.items / middle.seconds / 1e6,
              middle.bytes / middle.seconds / 1e9);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench-ragged FILE.hdf5 [SPLIT [EPOCHS]]\n");
    return 2;
  }
  H5PYDatasetOptions options;
  options.file = argv[1];
  options.whichSets = {argc > 2 ? argv[2] : "train"};
  int epochs = argc > 3 ? std::atoi(argv[3]) : 21;
  std::shared_ptr<const Dataset> mapped = openH5PYDataset(options);
  options.loadInMemory = true;
  std::shared_ptr<const Dataset> held = openH5PYDataset(options);
  auto streamOf = [](std::shared_ptr<const Dataset> dataset) {
    int64_t count = dataset->numExamples();
    return makeDatasetStream(std::move(dataset),
                             std::make_unique<ShuffledScheme>(count, 128));
  };
  auto fromFile = streamOf(mapped), fromMemory = streamOf(held);
  epochOf(*fromFile);
  epochOf(*fromMemory);
  std::vector<Speed> file, memory;
  for (int i = 0; i < epochs; ++i) {
    file.push_back(epochOf(*fromFile));
    memory.push_back(epochOf(*fromMemory));
  }
  report("from file", file);
  report("in memory", memory);
  return 0;
}
