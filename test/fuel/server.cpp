// The server and its clients: equal batches with and without it, resuming at
// every batch in all combinations of local and served streams, the cases in
// which Fuel's own server lost data, several clients, keys, and limits.
#include "fuel/Server/Channel.h"
#include "test/fuel/ServedStreams.h"

#include <filesystem>
#include <map>
#include <set>

using namespace served;

/// Restores each state of `steps` and compares all that follows.
static void checkResumes(const std::vector<Step> &steps, DataStream &stream,
                         const std::string &name) {
  for (size_t i = 0; i < steps.size(); ++i) {
    Batch batch;
    stream.startEpoch(); // It was used before.
    stream.next(batch);
    stream.restore(steps[i].state);
    if (stream.state() != steps[i].state)
      checkFailed(__FILE__, __LINE__,
                  name + ": the state changed to '" + stream.state() + "'");
    for (size_t j = i; j < steps.size() && j <= i + 8; ++j) {
      bool more = stream.next(batch);
      std::string found = more ? describe(stream, batch) : "end";
      if (found != steps[j].next)
        checkFailed(__FILE__, __LINE__,
                    name + ": from state " + std::to_string(i) + " item " +
                        std::to_string(j) + " is '" + found + "', expected '" +
                        steps[j].next + "'");
      if (!more && j + 1 < steps.size())
        stream.startEpoch();
    }
  }
}

static std::map<std::string, MakeStream> pipelines(const std::string &data) {
  StreamOptions mnist;
  mnist.file = data + "/mnist_small.hdf5";
  mnist.split = "test";
  mnist.batchSize = 16;
  mnist.prefetch = false;
  auto with = [&](auto change) {
    StreamOptions options = mnist;
    change(options);
    return [options] { return openStream(options); };
  };
  std::map<std::string, MakeStream> all;
  all["shuffled"] = with([](auto &) {});
  all["sequential"] = with([](auto &o) { o.scheme = "sequential"; });
  all["transformed"] = with([](auto &o) {
    o.transforms = {"scale_and_shift(scale=1/255,which=features)",
                    "cast(dtype=f32)", "flatten"};
  });
  all["ahead"] = with([](auto &o) {
    o.prefetch = true;
    o.prefetchDepth = 2;
  });
  all["numbers"] = numbers();
  all["ragged"] = numbers({.ragged = true});
  for (const char *file : {"vlen_images", "vlen_sequences", "dtypes"})
    all[file] = [data, file] {
      StreamOptions options;
      options.file = data + "/" + file + ".hdf5";
      options.batchSize = 3;
      options.prefetch = false;
      return openStream(options);
    };
  all["examples"] = [data] {
    H5PYDatasetOptions options;
    options.file = data + "/mnist_small.hdf5";
    options.whichSets = {"test"};
    return makeDatasetStream(
        openH5PYDataset(options),
        std::make_unique<ShuffledExampleScheme>(Examples(5), 3));
  };
  return all;
}

static void resumesEverywhere(const std::string &data) {
  for (const auto &[name, make] : pipelines(data)) {
    RunningServer server(make);
    auto local = make();
    auto remote = connectStream(server.address());
    CHECK_EQ(remote->fingerprint(), local->fingerprint());
    CHECK_EQ(remote->producesExamples(), local->producesExamples());
    CHECK(remote->batchesPerEpoch() == local->batchesPerEpoch());
    CHECK(remote->examplesPerEpoch() == local->examplesPerEpoch());
    CHECK_EQ(remote->sources().size(), local->sources().size());
    for (size_t i = 0; i < local->sources().size(); ++i) {
      const SourceInfo &mine = local->sources()[i];
      const SourceInfo &theirs = remote->sources()[i];
      CHECK(mine.name == theirs.name && mine.dtype == theirs.dtype &&
            mine.shape == theirs.shape && mine.ragged == theirs.ragged &&
            mine.axisLabels == theirs.axisLabels && mine.text == theirs.text);
    }
    std::vector<Step> here = record(*local, 3), there = record(*remote, 3);
    CHECK_EQ(there.size(), here.size());
    for (size_t i = 0; i < std::min(here.size(), there.size()); ++i) {
      CHECK_EQ(there[i].state, here[i].state);
      CHECK_EQ(there[i].next, here[i].next);
    }
    checkResumes(here, *remote, name + ", local to served");
    checkResumes(there, *make(), name + ", served to local");
    // Another connection, as after a restart of the training.
    checkResumes(here, *connectStream(server.address()), name + ", again");
  }
}

/// Case 11: a new epoch begins at its first batch.
static void abandonedEpochs() {
  RunningServer server(numbers());
  auto stream = connectStream(server.address());
  Batch batch;
  CHECK(!stream->next(batch)); // No epoch was started.
  for (int64_t epoch = 1; epoch <= 20; ++epoch) {
    stream->startEpoch();
    for (int64_t i = 0; i < epoch % 4; ++i) {
      CHECK(stream->next(batch));
      CHECK_EQ(firstOf(batch), epoch * 1000 + i * 4);
    }
  }
  while (stream->next(batch)) {
  }
  CHECK(!stream->next(batch)); // The end stays.
}

/// Case 13: what is made ahead is bounded, whatever the size of a batch.
static void boundedLookAhead() {
  for (int64_t depth : {1, 3, 10}) {
    std::atomic<int64_t> made = 0;
    RunningServer server(numbers({.batches = 100000, .made = &made}));
    ConnectOptions options = server.address();
    options.depth = depth;
    auto stream = connectStream(options);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK_EQ(made.load(), 0);
    stream->startEpoch();
    Batch batch;
    int64_t at = 0;
    for (int64_t taken : {0, 1, 7, 8}) {
      for (; at < taken; ++at)
        CHECK(stream->next(batch));
      std::this_thread::sleep_for(std::chrono::milliseconds(60));
      CHECK(made <= taken + depth + 1);
      CHECK(made >= taken);
    }
  }
}

/// Case 14: an error that names the server, in time.
static void goneServers() {
  int port;
  Batch batch;
  {
    RunningServer server(
        numbers({.batches = 1000, .delay = std::chrono::milliseconds(1)}));
    port = server.port();
    ConnectOptions options = server.address();
    options.depth = 2;
    auto stream = connectStream(options);
    stream->startEpoch();
    CHECK(stream->next(batch));
    server.stop();
    auto start = std::chrono::steady_clock::now();
    auto drain = [&] {
      for (int i = 0; i < 10; ++i)
        stream->next(batch);
    };
    CHECK_THROWS(drain(), "127.0.0.1:" + std::to_string(port));
    CHECK_THROWS(stream->next(batch), "127.0.0.1:");
    CHECK_THROWS(stream->startEpoch(), "127.0.0.1:");
    CHECK(secondsSince(start) < 2);
  }
  ConnectOptions options;
  options.port = port;
  CHECK_THROWS(connectStream(options), "127.0.0.1:" + std::to_string(port));
}

/// A server that comes back on its port is found again, at the exact batch.
static void restartedServers() {
  auto server = std::make_unique<RunningServer>(numbers());
  int port = server->port();
  ConnectOptions options = server->address();
  options.reconnect = 20;
  auto stream = connectStream(options);
  Batch batch;
  int64_t restarts = 0;
  for (int64_t epoch = 1; epoch <= 3; ++epoch) {
    stream->startEpoch();
    for (int64_t i = 0; i < 5; ++i) {
      if (++restarts % 3 != 0) {
        server.reset();
        server =
            std::make_unique<RunningServer>(numbers(), RunningServer::at(port));
      }
      CHECK(stream->next(batch));
      CHECK_EQ(firstOf(batch), epoch * 1000 + i * 4);
      CHECK_EQ(stream->state(), "numbers epoch=" + std::to_string(epoch) +
                                    " position=" + std::to_string(i + 1));
    }
    CHECK(!stream->next(batch));
  }
  // With other data it must not go on.
  server.reset();
  StreamOptions other;
  server = std::make_unique<RunningServer>(numbers({.ragged = true}),
                                           RunningServer::at(port));
  CHECK_THROWS(stream->startEpoch(), "another stream");
}

/// Errors of the stream arrive in their place, and end with the epoch.
static void errorsOfTheStream() {
  RunningServer server(numbers({.failAt = 2}));
  auto stream = connectStream(server.address());
  Batch batch;
  for (int epoch = 0; epoch < 2; ++epoch) {
    stream->startEpoch();
    CHECK(stream->next(batch));
    CHECK(stream->next(batch));
    CHECK_THROWS(stream->next(batch), "the disk is gone");
    CHECK_THROWS(stream->next(batch), "the disk is gone");
  }
  CHECK_THROWS(stream->restore("nonsense"), "'nonsense' is no state");
  CHECK_THROWS(stream->next(batch), "'nonsense' is no state");
  stream->restore("numbers epoch=1 position=1");
  CHECK(stream->next(batch));
  CHECK_EQ(firstOf(batch), 1004);
}

/// Two clients, each with a stream of its own, or with every second batch.
static void clientsOfTheirOwn() {
  RunningServer server(numbers());
  auto a = connectStream(server.address()), b = connectStream(server.address());
  Batch batch;
  a->startEpoch();
  for (int i = 0; i < 3; ++i)
    CHECK(a->next(batch));
  b->startEpoch();
  CHECK(b->next(batch));
  CHECK_EQ(firstOf(batch), 1000);
  CHECK(a->next(batch));
  CHECK_EQ(firstOf(batch), 1012);

  for (int64_t rank = 0; rank < 2; ++rank) {
    ConnectOptions options = server.address();
    options.rank = rank;
    options.ranks = 2;
    auto stream = connectStream(options);
    CHECK_EQ(stream->batchesPerEpoch().value(), 3 - rank);
    std::vector<Step> steps = record(*stream, 2);
    CHECK_EQ(steps.size(), size_t(2 * (4 - rank)));
    checkResumes(steps, *connectStream(options), "rank");
    stream->startEpoch();
    CHECK(stream->next(batch));
    CHECK_EQ(firstOf(batch), 3000 + rank * 4);
    options.rank = 1 - rank;
    CHECK_THROWS(connectStream(options)->restore(stream->state()),
                 "not the state of rank");
  }
}

/// One stream for several clients: each batch goes to exactly one.
static void sharedStream() {
  constexpr int64_t batches = 200;
  ServerOptions options = RunningServer::free();
  options.shared = true;
  RunningServer server(numbers({.batches = batches}), options);
  std::mutex lock;
  std::map<int64_t, int> seen;
  auto consume = [&](int64_t leaveAfter) {
    auto stream = connectStream(server.address());
    Batch batch;
    stream->startEpoch();
    for (int64_t i = 0; stream->next(batch); ++i) {
      {
        std::lock_guard guard(lock);
        ++seen[firstOf(batch)];
      }
      if (i == leaveAfter)
        return;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  };
  std::vector<std::thread> clients;
  for (int64_t leaveAfter : {1000, 10, 30, 1000})
    clients.emplace_back(consume, leaveAfter);
  for (std::thread &client : clients)
    client.join();
  CHECK_EQ(seen.size(), size_t(batches));
  for (const auto &[value, count] : seen)
    CHECK_EQ(count, 1);
  CHECK_EQ(seen.begin()->first, 1000);

  auto stream = connectStream(server.address());
  Batch batch;
  stream->startEpoch();
  CHECK(stream->next(batch));
  CHECK_EQ(firstOf(batch), 2000);
  CHECK_CONTAINS(stream->state(), "epoch=2");
  // One that joins gets the rest of the running epoch.
  auto other = connectStream(server.address());
  other->restore(stream->state());
  CHECK(other->next(batch));
  CHECK(firstOf(batch) > 2000);
  CHECK_THROWS(other->restore("fuel-shared/1 server=0 epoch=2"),
               "not a state of this server");
}

static void keys(const std::string &scratch) {
  std::string file = scratch + "/server.key", other = scratch + "/other.key";
  std::filesystem::remove(file);
  std::filesystem::remove(other);
  makeKeyFile(file);
  makeKeyFile(other);
  CHECK_THROWS(makeKeyFile(file), "server.key");
  ServerOptions options = RunningServer::free();
  options.host = "0.0.0.0";
  CHECK_THROWS(Server(numbers(), options), "needs a key");
  options.keyFile = file;
  RunningServer server(numbers({.ragged = true, .width = 5000}), options);
  ConnectOptions address = server.address();
  address.keyFile = file;
  address.timeout = 2;
  auto stream = connectStream(address);
  std::vector<Step> here =
      record(*numbers({.ragged = true, .width = 5000})(), 2);
  std::vector<Step> there = record(*stream, 2);
  for (size_t i = 0; i < here.size(); ++i)
    CHECK_EQ(there.at(i).next, here[i].next);
  address.keyFile = other;
  CHECK_THROWS(connectStream(address), "the server at 127.0.0.1:");
  address.keyFile = "";
  CHECK_THROWS(connectStream(address), "the server at 127.0.0.1:");
  CHECK_THROWS(connectStream(address), "does it expect a key?");
  {
    RunningServer open(numbers());
    ConnectOptions withKey = open.address();
    withKey.keyFile = file;
    withKey.timeout = 1;
    CHECK_THROWS(connectStream(withKey), "the server at 127.0.0.1:");
  }
  std::filesystem::permissions(file, std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  address.keyFile = file;
  CHECK_THROWS(connectStream(address), "chmod 600");
}

static void limits() {
  ServerOptions options = RunningServer::free();
  options.maxClients = 2;
  RunningServer server(numbers(), options);
  auto a = connectStream(server.address());
  {
    auto b = connectStream(server.address());
    CHECK_THROWS(connectStream(server.address()), "2 clients already");
  }
  // Another may come once one has gone.
  auto start = std::chrono::steady_clock::now();
  bool connected = false;
  while (!connected && secondsSince(start) < 5) {
    try {
      connectStream(server.address());
      connected = true;
    } catch (const blocks::Error &) {
    }
  }
  CHECK(connected);
}

static void addresses() {
  ConnectOptions options = parseStreamAddress(
      "tcp://[::1]:77?timeout=2.5&reconnect=60&key=a/b&depth=9&rank=1&ranks=3");
  CHECK_EQ(options.host, "::1");
  CHECK_EQ(options.port, 77);
  CHECK_EQ(options.timeout, 2.5);
  CHECK_EQ(options.reconnect, 60);
  CHECK_EQ(options.keyFile, "a/b");
  CHECK_EQ(options.depth, 9);
  CHECK_EQ(options.rank, 1);
  CHECK_EQ(options.ranks, 3);
  for (const char *wrong :
       {"tcp://", "tcp://host", "tcp://:1", "tcp://h:0", "tcp://h:70000",
        "tcp://h:1?depth=0", "tcp://h:1?speed=3", "tcp://h:1?rank=2&ranks=2",
        "tcp://h:1?timeout=x", "udp://h:1"})
    CHECK_THROWS(parseStreamAddress(wrong), "expected tcp://HOST:PORT");
}

int main(int, char **argv) {
  std::string scratch = argv[1], data = argv[2];
  resumesEverywhere(data);
  abandonedEpochs();
  boundedLookAhead();
  goneServers();
  restartedServers();
  errorsOfTheStream();
  clientsOfTheirOwn();
  sharedStream();
  keys(scratch);
  limits();
  addresses();
  return checkSummary();
}
