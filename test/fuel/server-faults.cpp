// Faults between a server and its clients: the stream goes on with exactly the
// next batch or ends with an error in time; nothing hangs, is lost, or comes
// twice. An argument after the two folders sets the number of random faults, a
// second their seed.
#include "fuel/Server/Channel.h"
#include "fuel/Server/Frames.h"
#include "fuel/Server/Messages.h"
#include "test/fuel/FaultyProxy.h"
#include "test/fuel/ServedStreams.h"

#include <filesystem>
#include <map>

using namespace served;
using namespace fuel::wire;
using std::chrono::milliseconds;

static ServerOptions impatient() {
  ServerOptions options = RunningServer::free();
  options.timeout = 0.4;
  return options;
}

static ConnectOptions patient(int port) {
  ConnectOptions options;
  options.port = port;
  options.timeout = 0.4;
  options.reconnect = 30;
  return options;
}

/// Until there were `faults` of them, each batch is the right one.
static void randomFaults(int faults, uint32_t seed, const std::string &key) {
  Numbers::Settings settings{.ragged = true, .batches = 7, .width = 60};
  ServerOptions options = impatient();
  options.keyFile = key;
  auto server = std::make_unique<RunningServer>(numbers(settings), options);
  FaultyProxy proxy(server->port(), seed, 20000);
  ConnectOptions address = patient(proxy.port());
  address.keyFile = key;
  std::unique_ptr<DataStream> stream;
  while (!stream) // The first connection has no one to try again for it.
    try {
      stream = connectStream(address);
    } catch (const blocks::Error &) {
    }
  auto expected = numbers(settings)();
  std::mt19937 random(seed);
  Batch batch, right;
  int epoch = 0;
  for (; proxy.faults() < faults; ++epoch) {
    stream->startEpoch();
    expected->startEpoch();
    int64_t stopAfter = random() % 3 ? 100 : random() % 8;
    for (int64_t i = 0; i < stopAfter; ++i) {
      bool more = stream->next(batch), should = expected->next(right);
      CHECK_EQ(more, should);
      if (!more || !should)
        break;
      CHECK_EQ(describe(*stream, batch), describe(*expected, right));
      CHECK_EQ(stream->state(), expected->state());
    }
    if (epoch % 40 == 39) { // The server is another one now.
      server.reset();
      server = std::make_unique<RunningServer>(numbers(settings), options);
      proxy.retarget(server->port());
    }
    if (checkFailures() > 10)
      return;
  }
  std::printf("%d faults, %d epochs\n", proxy.faults(), epoch);
}

/// The same for two clients that share a stream: each batch comes once.
static void sharedFaults(int faults, uint32_t seed) {
  constexpr int64_t batches = 40;
  ServerOptions options = impatient();
  options.shared = true;
  options.grace = 60;
  RunningServer server(numbers({.batches = batches, .width = 60}), options);
  FaultyProxy proxy(server.port(), seed, 12000);
  std::mutex lock;
  std::map<int64_t, int> seen;
  std::atomic<bool> enough = false;
  // A goodbye that the proxy swallows would keep the other waiting.
  std::unique_ptr<DataStream> streams[2];
  auto consume = [&](std::unique_ptr<DataStream> &stream) {
    while (!stream)
      try {
        stream = connectStream(patient(proxy.port()));
      } catch (const blocks::Error &) {
      }
    Batch batch;
    while (!enough) {
      stream->startEpoch();
      while (stream->next(batch)) {
        std::lock_guard guard(lock);
        ++seen[firstOf(batch)];
      }
      enough = enough || proxy.faults() >= faults;
    }
  };
  std::thread other([&] { consume(streams[1]); });
  consume(streams[0]);
  other.join();
  int64_t epochs = seen.rbegin()->first / 1000;
  for (int64_t epoch = 1; epoch <= epochs; ++epoch)
    for (int64_t i = 0; i < batches; ++i)
      if (seen[epoch * 1000 + i * 4] != 1)
        checkFailed(__FILE__, __LINE__,
                    "batch " + std::to_string(i) + " of epoch " +
                        std::to_string(epoch) + " came " +
                        std::to_string(seen[epoch * 1000 + i * 4]) + " times");
  std::printf("shared: %d faults, %lld epochs\n", proxy.faults(),
              (long long)epochs);
}

//===-- Single faults -----------------------------------------------------===//

static Socket dial(int port) {
  return connectTo("127.0.0.1", port, Clock::now() + milliseconds(5000));
}

/// Sends and waits for the other side to close.
static bool isClosedAfter(int port, const std::string &bytes) {
  Socket socket = dial(port);
  ::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  char buffer[4096];
  for (;;) {
    if (!waitFor(socket.get(), POLLIN, Clock::now() + milliseconds(6500)))
      return false;
    if (::recv(socket.get(), buffer, sizeof buffer, 0) <= 0)
      return true;
  }
}

static std::string frameOf(Kind kind, const auto &message) {
  Frame frame;
  frame.begin();
  encode(frame.bytes, message);
  frame.finish(kind);
  return {reinterpret_cast<char *>(frame.bytes.data()), frame.bytes.size()};
}

/// A server closes on rubbish, and the others do not notice.
static void rubbishForServers() {
  RunningServer server(numbers({.batches = 100000}));
  auto stream = connectStream(server.address());
  Batch batch;
  stream->startEpoch();
  std::string hello = frameOf(Kind::Hello, Hello{.heartbeat = 1000});
  std::string start = frameOf(Kind::Start, Command{.generation = 1});
  std::string large(FrameHeader::bytes, '\0');
  FrameHeader header{.kind = Kind::Hello, .head = 2u << 20};
  encodeHeader(header, reinterpret_cast<std::byte *>(large.data()));
  std::mt19937 random(3);
  std::string noise(5000, '\0');
  for (char &c : noise)
    c = char(random());
  const std::string all[] = {"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n\r\n",
                             noise,
                             large,
                             start,
                             hello + noise,
                             hello + hello,
                             hello + start + large,
                             hello + frameOf(Kind::End, Notice{})};
  for (const std::string &bytes : all)
    CHECK(isClosedAfter(server.port(), bytes));
  for (int i = 0; i < 200; ++i) { // A port scanner.
    dial(server.port());
    CHECK(stream->next(batch));
  }
  for (int i = 0; i < 300; ++i) { // Mutated messages after a greeting.
    std::string bytes =
        hello + start + frameOf(Kind::Credit, Credit{1, random() % 9, 0});
    bytes[hello.size() + random() % (bytes.size() - hello.size())] ^=
        char(1 << random() % 8);
    Socket socket = dial(server.port());
    ::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    CHECK(stream->next(batch));
  }
  CHECK_EQ(firstOf(batch), 1000 + 499 * 4);
}

/// Listens, sends `bytes` to whoever comes, and says nothing more.
class FakeServer {
public:
  explicit FakeServer(std::string answer)
      : bytes(std::move(answer)), listener(listenOn("127.0.0.1", 0)),
        thread([this] { work(); }) {}
  ~FakeServer() {
    bell.ring();
    thread.join();
  }
  int port() const { return portOf(listener); }

private:
  void work() {
    std::list<Socket> open;
    while (waitFor(listener.get(), POLLIN,
                   Clock::now() + std::chrono::seconds(60), &bell)) {
      std::string peer;
      open.push_back(acceptFrom(listener, peer));
      ::send(open.back().get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    }
  }
  std::string bytes;
  Socket listener;
  Bell bell;
  std::thread thread;
};

/// An error in time, that names the server.
static void rubbishForClients() {
  Welcome welcome;
  welcome.sources = Numbers({}).sources();
  welcome.heartbeat = 100;
  std::string greeting = frameOf(Kind::Welcome, welcome);
  std::string started = frameOf(Kind::Started, Notice{.generation = 1});
  Notice end{.kind = Kind::End, .generation = 1, .number = 5};
  std::string later(greeting);
  later[40] ^= 1;
  const std::string all[] = {"",
                             "HTTP/1.0 400 Bad Request\r\n\r\n\r\n\r\n",
                             later,
                             greeting,
                             greeting + started,
                             greeting + started + greeting,
                             greeting + started + frameOf(Kind::End, end),
                             greeting.substr(0, 50),
                             greeting + started.substr(0, 40)};
  for (const std::string &bytes : all) {
    FakeServer server(bytes);
    ConnectOptions options;
    options.port = server.port();
    options.timeout = 0.2;
    auto start = Clock::now();
    auto use = [&] {
      auto stream = connectStream(options);
      Batch batch;
      stream->startEpoch();
      while (stream->next(batch)) {
      }
    };
    CHECK_THROWS(use(), "127.0.0.1:" + std::to_string(server.port()));
    CHECK(secondsSince(start) < 4);
  }
}

/// A client that takes its time is no fault, nor is a slow stream.
static void slowness() {
  // Longer than both limits, which a busy machine must not reach by itself.
  constexpr milliseconds slow(1300);
  ServerOptions serverOptions = RunningServer::free();
  serverOptions.timeout = 1;
  RunningServer server(numbers({.batches = 2, .delay = slow}), serverOptions);
  ConnectOptions options = server.address();
  options.timeout = 1;
  options.depth = 1;
  auto stream = connectStream(options);
  Batch batch;
  stream->startEpoch();
  for (int i = 0; i < 2; ++i) {
    CHECK(stream->next(batch));
    CHECK_EQ(firstOf(batch), 1000 + i * 4);
    std::this_thread::sleep_for(slow);
  }
  CHECK(!stream->next(batch));
}

/// A server drops a client that has stopped, in the middle of a frame too, and
/// has room for the next.
static void silentClients() {
  ServerOptions options = impatient();
  options.maxClients = 1;
  RunningServer server(numbers({.batches = 100, .width = 1000000}), options);
  std::string bytes =
      frameOf(Kind::Hello, Hello{.heartbeat = 1000}) +
      frameOf(Kind::Start, Command{.generation = 1, .allowance = 50});
  Socket silent = dial(server.port());
  ::send(silent.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  std::this_thread::sleep_for(milliseconds(100));
  auto start = Clock::now();
  std::unique_ptr<DataStream> stream;
  while (!stream && secondsSince(start) < 10)
    try {
      stream = connectStream(server.address());
    } catch (const blocks::Error &) {
      std::this_thread::sleep_for(milliseconds(20));
    }
  CHECK(stream != nullptr);
  CHECK(secondsSince(start) < 5);
}

/// In mid-frame, a server that ends finishes the frame and says so.
static void endInMidStream(int times, const std::string &key) {
  ServerOptions options = RunningServer::free();
  options.keyFile = key;
  for (int i = 0; i < times; ++i) {
    auto server = std::make_unique<RunningServer>(
        numbers({.batches = 1000000, .width = i % 2 ? 200000 : 10}), options);
    ConnectOptions address = server->address();
    address.keyFile = key;
    auto stream = connectStream(address);
    stream->startEpoch();
    Batch batch;
    std::thread end([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(700 * i));
      server.reset();
    });
    int64_t count = 0;
    auto drain = [&] {
      for (; stream->next(batch); ++count)
        CHECK_EQ(firstOf(batch), 1000 + count * 4);
    };
    CHECK_THROWS(drain(), "the server ends");
    end.join();
  }
}

int main(int argc, char **argv) {
  int faults = argc > 3 ? std::atoi(argv[3]) : 40;
  std::string key = std::string(argv[1]) + "/faults.key";
  std::filesystem::remove(key);
  makeKeyFile(key);
  rubbishForServers();
  rubbishForClients();
  slowness();
  silentClients();
  endInMidStream(faults, "");
  endInMidStream(faults / 4, key);
  uint32_t seed = argc > 4 ? uint32_t(std::atoi(argv[4])) : 1;
  sharedFaults(faults / 2, seed);
  randomFaults(faults, seed + 1, "");
  randomFaults(faults / 3, seed + 2, key);
  return checkSummary();
}
