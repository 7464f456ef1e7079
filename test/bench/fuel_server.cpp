// fuel_server: how fast batches come through the server, in a process of its
// own, and how long a training step waits for data with and without it.
//
//   bench-fuel-server               bytes per second, in clear and encrypted
//   bench-fuel-server FILE.hdf5 MS  waiting, for a step that computes MS ms
#include "fuel/OpenStream.h"
#include "fuel/Server.h"
#include "fuel/Server/Channel.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

using namespace fuel;
using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Batches of random images, copied from memory as a dataset does.
class Images : public DataStream {
public:
  explicit Images(int64_t side)
      : infos{{"image", blocks::DType::UInt8, {-1, 3, side, side}, {}}},
        pool(blocks::DType::UInt8, {128, 3, side, side}) {
    for (int64_t i = 0; i < pool.size(); ++i)
      pool.as<uint8_t>()[i] = uint8_t(i * 2654435761u >> 13);
  }
  const std::vector<SourceInfo> &sources() const override { return infos; }
  std::optional<int64_t> batchesPerEpoch() const override { return {}; }
  std::optional<int64_t> examplesPerEpoch() const override { return {}; }
  void startEpoch() override {}
  bool next(Batch &batch) override {
    batch.resize(1);
    batch.examples = 128;
    batch.sources[0].resize(blocks::DType::UInt8, pool.shape());
    std::memcpy(batch.sources[0].data(), pool.data(), pool.bytes());
    return true;
  }
  std::string state() const override { return "images"; }
  void restore(const std::string &) override {}
  std::string fingerprint() const override { return "images"; }

private:
  std::vector<SourceInfo> infos;
  blocks::Array pool;
};

/// A server in another process, until the end of the scope.
class Process {
public:
  Process(StreamFactory make, ServerOptions options) {
    int ends[2];
    if (::pipe(ends) != 0 || (child = ::fork()) < 0)
      std::abort();
    options.port = 0;
    if (child == 0) {
      Server server(make, options);
      int port = server.port();
      if (::write(ends[1], &port, sizeof port) != sizeof port)
        ::_exit(1);
      server.run();
    }
    address.keyFile = options.keyFile;
    if (::read(ends[0], &address.port, sizeof(int)) != sizeof(int))
      std::abort();
    ::close(ends[0]);
    ::close(ends[1]);
  }
  ~Process() {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  ConnectOptions address;

private:
  pid_t child;
};

static void throughput(int64_t side, const std::string &key) {
  ServerOptions options;
  options.keyFile = key;
  Process server([side] { return std::make_unique<Images>(side); }, options);
  auto stream = connectStream(server.address);
  Batch batch;
  stream->startEpoch();
  for (int i = 0; i < 20; ++i)
    stream->next(batch);
  auto start = Clock::now();
  double bytes = 0;
  int64_t batches = 0;
  for (; secondsSince(start) < 2; ++batches) {
    stream->next(batch);
    bytes += double(batch.sources[0].bytes());
  }
  double seconds = secondsSince(start);
  std::printf("128x3x%ldx%ld u8, %-9s: %.2f GB/s, %.0f batches/s\n", long(side),
              long(side), key.empty() ? "in clear" : "encrypted",
              bytes / seconds / 1e9, double(batches) / seconds);
}

/// Share of the time that a step of so many milliseconds waits for data.
static double waiting(DataStream &stream, double milliseconds) {
  Batch batch;
  stream.startEpoch();
  stream.next(batch); // The first of all has nothing to hide behind.
  double waited = 0;
  auto start = Clock::now();
  while (secondsSince(start) < 4) {
    auto before = Clock::now();
    if (!stream.next(batch)) {
      stream.startEpoch();
      stream.next(batch);
    }
    waited += secondsSince(before);
    auto computed = Clock::now();
    while (secondsSince(computed) * 1000 < milliseconds) {
    }
  }
  return waited / secondsSince(start);
}

static void compare(const std::string &file, double milliseconds) {
  StreamOptions options;
  options.file = file;
  options.transforms = {"scale_and_shift(scale=1/255,which=features)",
                        "cast(dtype=f32,which=features)"};
  StreamOptions plain = options;
  plain.prefetch = false;
  Process server([plain] { return openStream(plain); }, {});
  auto ahead = openStream(options), direct = openStream(plain);
  auto served = connectStream(server.address);
  std::printf("a step of %.2f ms waits %.2f %% of the time without "
              "prefetching, %.2f %% with it, %.2f %% with the server\n",
              milliseconds, 100 * waiting(*direct, milliseconds),
              100 * waiting(*ahead, milliseconds),
              100 * waiting(*served, milliseconds));
}

int main(int argc, char **argv) {
  if (argc > 2) {
    compare(argv[1], std::atof(argv[2]));
    return 0;
  }
  char folder[] = "/tmp/fuel-server-XXXXXX";
  if (!::mkdtemp(folder))
    return 1;
  std::string key = std::string(folder) + "/key";
  makeKeyFile(key);
  for (int64_t side : {32, 64, 224}) {
    throughput(side, "");
    throughput(side, key);
  }
  ::unlink(key.c_str());
  ::rmdir(folder);
}
