// scale: the default transformers of image sets (u8 to f32, times 1/255)
// against loops that move the same bytes and compute nothing, alternating batch
// by batch in one process. Rows come from the file's pages in memory, shuffled.
// Prints median and quartiles of the times; it judges nothing.
//
//   bench-scale FILE.hdf5 SOURCE [BATCH] [EPOCHS]
#include "fuel/OpenStream.h"
#include "runtime/Base/MappedFile.h"
#include "runtime/Hdf5/File.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

using Clock = std::chrono::steady_clock;

static void use(const void *data) { asm volatile("" : : "r"(data) : "memory"); }

/// Reads n bytes and writes four times as many, by ordinary stores.
static void widen(const std::byte *from, size_t n, std::byte *to) {
#if defined(__x86_64__)
  for (size_t i = 0; i + 16 <= n; i += 16) {
    __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + i));
    for (int k = 0; k < 4; ++k)
      _mm_store_si128(reinterpret_cast<__m128i *>(to + 4 * i) + k, x);
  }
#else
  for (int k = 0; k < 4; ++k)
    std::memcpy(to + size_t(k) * n, from, n);
#endif
}

/// The same by stores that pass the caches by.
static void widenPast(const std::byte *from, size_t n, std::byte *to) {
#if defined(__x86_64__)
  for (size_t i = 0; i + 16 <= n; i += 16) {
    __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + i));
    for (int k = 0; k < 4; ++k)
      _mm_stream_si128(reinterpret_cast<__m128i *>(to + 4 * i) + k, x);
  }
  _mm_sfence();
#else
  widen(from, n, to);
#endif
}

/// Shuffled rows of the mapped file, moved by a loop to one place.
class Rows {
public:
  Rows(const std::string &file, const std::string &source, size_t batch)
      : mapping(file), batch(batch) {
    auto dataset = blocks::hdf5::File::open(file).root().dataset(source);
    base = mapping.data() + dataset.mappableOffset().value();
    count = size_t(dataset.shape()[0]);
    bytes = dataset.read().bytes() / count;
    room.resize(4 * batch * bytes + 64);
  }
  size_t bytesOfBatch() const { return batch * bytes; }
  /// `move(from, bytes, to)` for each of `share` batches' rows.
  template <typename Move> void run(double share, size_t grow, Move move) {
    std::byte *to = room.data() + (64 - uintptr_t(room.data()) % 64);
    for (size_t i = 0; i < size_t(double(batch) * share); ++i)
      move(base + (random() % count) * bytes, bytes, to + i * bytes * grow);
    use(room.data());
  }

private:
  blocks::MappedFile mapping;
  const std::byte *base;
  size_t batch, count, bytes;
  std::vector<std::byte> room;
  std::mt19937 random;
};

class Times {
public:
  template <typename Run> void measure(Run run) {
    auto start = Clock::now();
    run();
    seconds.push_back(
        std::chrono::duration<double>(Clock::now() - start).count());
  }
  double quantile(double share) {
    std::sort(seconds.begin(), seconds.end());
    return seconds[size_t(share * double(seconds.size() - 1))];
  }
  void report(const char *name, double bytes) {
    std::printf("%-34s %6.2f GB/s (quartiles %.2f to %.2f)\n", name,
                bytes / quantile(0.5) / 1e9, bytes / quantile(0.75) / 1e9,
                bytes / quantile(0.25) / 1e9);
  }

private:
  std::vector<double> seconds;
};

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr,
                 "usage: bench-scale FILE.hdf5 SOURCE [BATCH] [EPOCHS]\n");
    return 2;
  }
  fuel::StreamOptions options;
  options.file = argv[1];
  options.sources = {argv[2]};
  options.batchSize = argc > 3 ? std::atoi(argv[3]) : 128;
  int epochs = argc > 4 ? std::atoi(argv[4]) : 5;
  options.prefetch = false;
  options.transforms = {"scale_and_shift(scale=1/255)", "cast(dtype=f32)"};
  auto scaled = fuel::openStream(options);
  Rows rows(options.file, argv[2], size_t(options.batchSize));
  fuel::Batch batch;
  Times stream, stores, past, copy;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    scaled->startEpoch();
    while (true) {
      bool more = false;
      stream.measure([&] { more = scaled->next(batch); });
      if (!more || batch.examples != options.batchSize)
        break;
      use(batch.sources[0].data());
      stores.measure([&] { rows.run(1, 4, widen); });
      past.measure([&] { rows.run(1, 4, widenPast); });
      // 2.5 n bytes read and as many written.
      copy.measure([&] {
        rows.run(2.5, 1, [](const std::byte *from, size_t n, std::byte *to) {
          std::memcpy(to, from, n);
        });
      });
    }
  }
  size_t n = rows.bytesOfBatch();
  std::printf("batches of %.2f MB, bytes read and written:\n", double(n) / 1e6);
  double bytes = 5 * double(n);
  stream.report("stream, read, scaled and cast", bytes);
  stores.report("loop of stores", bytes);
  past.report("loop of stores past the caches", bytes);
  copy.report("memcpy", bytes);
  double best =
      std::min({stores.quantile(0.5), past.quantile(0.5), copy.quantile(0.5)});
  std::printf("stream / fastest loop: %.2f\n", best / stream.quantile(0.5));
}
