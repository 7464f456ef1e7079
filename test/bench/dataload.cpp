// dataload: our stream of shuffled batches against a plain gather of the same
// rows from a mapping of the same file, interleaved in one process. Prints the
// ratio of the median times per batch; it judges nothing.
//
//   bench-dataload FILE.hdf5 [EPOCHS]
#include "fuel/OpenStream.h"
#include "runtime/Base/MappedFile.h"
#include "runtime/Hdf5/File.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace blocks;
using Clock = std::chrono::steady_clock;

/// Keeps the compiler from dropping the copies.
static void use(const void *data) { asm volatile("" : : "r"(data) : "memory"); }

/// What anyone would write: a pointer per source, memcpy per row.
class PlainGather {
public:
  PlainGather(const std::string &path, const fuel::DataStream &stream)
      : mapping(path) {
    hdf5::Group root = hdf5::File::open(path).root();
    for (const fuel::SourceInfo &info : stream.sources()) {
      hdf5::Dataset dataset = root.dataset(info.name);
      size_t rows = size_t(dataset.shape()[0]);
      size_t bytes = dataset.read().bytes() / rows;
      bases.push_back(mapping.data() + *dataset.mappableOffset());
      rowBytes.push_back(bytes);
      out.emplace_back(bytes * 128);
    }
  }
  void gather(const std::vector<int64_t> &rows) {
    for (size_t s = 0; s < bases.size(); ++s) {
      for (size_t i = 0; i < rows.size(); ++i)
        std::memcpy(out[s].data() + i * rowBytes[s],
                    bases[s] + size_t(rows[i]) * rowBytes[s], rowBytes[s]);
      use(out[s].data());
    }
  }

private:
  MappedFile mapping;
  std::vector<const std::byte *> bases;
  std::vector<size_t> rowBytes;
  std::vector<std::vector<std::byte>> out;
};

static double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start)
      .count();
}

/// Times of single batches: a machine that does other things too disturbs some
/// of them, and the median not at all.
struct Times {
  std::vector<double> plain, stream;
};

/// One epoch of `stream`, alternating batch by batch with the plain gather of
/// another epoch's rows, so that neither finds its rows in a cache. `work` more
/// gathers stand for a consumer that computes.
static void timeEpoch(fuel::DataStream &stream, PlainGather &plain,
                      const std::vector<std::vector<int64_t>> &requests,
                      int work, Times &times) {
  fuel::Batch batch;
  stream.startEpoch();
  for (const std::vector<int64_t> &rows : requests) {
    Clock::time_point start = Clock::now();
    stream.next(batch);
    use(batch.sources[0].data());
    times.stream.push_back(microsecondsSince(start));
    start = Clock::now();
    plain.gather(rows);
    times.plain.push_back(microsecondsSince(start));
    for (int i = 0; i < work; ++i)
      plain.gather(rows);
  }
}

static std::vector<std::vector<int64_t>> requestsOf(fuel::DataStream &stream) {
  std::vector<std::vector<int64_t>> requests;
  fuel::Batch batch;
  stream.startEpoch();
  while (stream.next(batch))
    requests.push_back(batch.request);
  return requests;
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

static void report(const char *name, const Times &times) {
  double plain = median(times.plain), stream = median(times.stream);
  std::printf("%-21s %6.2f us a batch, plain gather %6.2f us, "
              "plain / stream %.3f\n",
              name, stream, plain, plain / stream);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench-dataload FILE.hdf5 [EPOCHS]\n");
    return 2;
  }
  int epochs = argc > 2 ? std::atoi(argv[2]) : 21;
  fuel::StreamOptions options;
  options.file = argv[1];
  options.prefetch = false;
  auto direct = fuel::openStream(options);
  options.prefetch = true;
  auto threaded = fuel::openStream(options);
  PlainGather plain(options.file, *direct);
  auto requests = requestsOf(*direct);

  Times warmUp, unthreaded, prefetched;
  timeEpoch(*direct, plain, requests, 0, warmUp);
  timeEpoch(*threaded, plain, requests, 0, warmUp);
  for (int i = 0; i < epochs; ++i) {
    timeEpoch(*direct, plain, requests, 0, unthreaded);
    timeEpoch(*threaded, plain, requests, 50, prefetched);
  }
  report("stream", unthreaded);
  report("prefetched stream", prefetched);
  return 0;
}
