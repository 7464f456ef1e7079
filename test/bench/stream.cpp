// stream: rows and bytes a second of any stream of a file, for the scripts that
// compare it with other programs. Prints both for each epoch.
//
//   bench-stream FILE.hdf5 SCHEME BATCH WORKERS EPOCHS [TRANSFORM...]
//
// With more than one epoch the first is not counted: it grows the buffers.
#include "fuel/OpenStream.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>

using Clock = std::chrono::steady_clock;

static void runEpoch(fuel::DataStream &stream, fuel::Batch &batch, bool print) {
  auto start = Clock::now();
  double examples = 0, bytes = 0;
  stream.startEpoch();
  while (stream.next(batch)) {
    examples += double(batch.examples);
    for (const blocks::Array &array : batch.sources)
      bytes += double(array.bytes());
  }
  double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (print)
    std::printf("%.1f %.0f\n", examples / seconds, bytes / seconds);
}

int main(int argc, char **argv) try {
  if (argc < 6) {
    std::fprintf(stderr, "usage: bench-stream FILE.hdf5 SCHEME BATCH WORKERS "
                         "EPOCHS [TRANSFORM...]\n");
    return 2;
  }
  fuel::StreamOptions options;
  options.file = argv[1];
  options.scheme = argv[2];
  options.batchSize = std::atoi(argv[3]);
  options.workers = std::atoi(argv[4]);
  int epochs = std::atoi(argv[5]);
  options.transforms.assign(argv + 6, argv + argc);
  auto stream = fuel::openStream(options);
  fuel::Batch batch;
  for (int epoch = epochs > 1 ? 0 : 1; epoch <= epochs; ++epoch)
    runEpoch(*stream, batch, epoch > 0);
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 1;
}
