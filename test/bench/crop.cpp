// crop: images a second of random crop and flip, for crop.py, which compares it
// with PyTorch's loader. Prints one number for each round.
//
//   bench-crop FILE.hdf5 WORKERS ROUNDS [BATCH] [SIDE]
#include "fuel/OpenStream.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

using Clock = std::chrono::steady_clock;

int main(int argc, char **argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: bench-crop FILE.hdf5 WORKERS ROUNDS [BATCH] "
                         "[SIDE]\n");
    return 2;
  }
  fuel::StreamOptions options;
  options.file = argv[1];
  options.workers = std::atoi(argv[2]);
  int rounds = std::atoi(argv[3]);
  options.batchSize = argc > 4 ? std::atoi(argv[4]) : 64;
  std::string side = argc > 5 ? argv[5] : "224";
  options.transforms = {"random_fixed_size_crop(window=" + side + "x" + side +
                            ",which=image_features)",
                        "random_flip(which=image_features)"};
  auto stream = fuel::openStream(options);
  fuel::Batch batch;
  for (int round = 0; round <= rounds; ++round) {
    auto start = Clock::now();
    int64_t images = 0;
    stream->startEpoch();
    while (stream->next(batch))
      images += batch.examples;
    double seconds =
        std::chrono::duration<double>(Clock::now() - start).count();
    if (round > 0) // The first one grows the buffers.
      std::printf("%.1f\n", double(images) / seconds);
  }
  return 0;
}
