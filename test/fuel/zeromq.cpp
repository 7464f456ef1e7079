// Fuel's own wire format: byte for byte what a genuine server and client were
// seen to send (wire_capture.json), both ways, and our two ends together.
#include "fuel/Server/Socket.h"
#include "test/fuel/ServedStreams.h"

#include <poll.h>
#include <random>
#include <sys/socket.h>

using namespace served;
using std::chrono::milliseconds;

/// The stream that was captured: x = 0 to 11 in rows of two, y = 0 to 5.
class Captured : public DataStream {
public:
  const std::vector<SourceInfo> &sources() const override { return infos; }
  std::optional<int64_t> batchesPerEpoch() const override { return 2; }
  std::optional<int64_t> examplesPerEpoch() const override { return 6; }
  void startEpoch() override { row = 0; }
  bool next(Batch &batch) override {
    if (row == 6)
      return false;
    batch.examples = row == 0 ? 4 : 2;
    batch.resize(2);
    batch.sources[0].resize(blocks::DType::Float32, {batch.examples, 2});
    batch.sources[1].resize(blocks::DType::UInt8, {batch.examples, 1});
    for (int64_t i = 0; i < batch.examples; ++i, ++row) {
      batch.sources[0].as<float>()[2 * i] = float(2 * row);
      batch.sources[0].as<float>()[2 * i + 1] = float(2 * row + 1);
      batch.sources[1].as<uint8_t>()[i] = uint8_t(row);
    }
    return true;
  }
  std::string state() const override { return ""; }
  void restore(const std::string &) override {}
  std::string fingerprint() const override { return "captured"; }

private:
  std::vector<SourceInfo> infos{
      {"x", blocks::DType::Float32, {-1, 2}, {"batch", ""}},
      {"y", blocks::DType::UInt8, {-1, 1}, {"batch", ""}}};
  int64_t row = 6;
};

static std::string unhex(const std::string &hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += char(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

/// What one side sent; the server's begins with "S->C".
static std::string sideOf(const reference::Json &capture,
                          const std::string &side) {
  std::string bytes;
  for (const auto &step : capture)
    if (step["step"].get<std::string>().starts_with(side))
      bytes += unhex(step["hex"]);
  return bytes;
}

static std::string receive(const Socket &socket, size_t bytes) {
  std::string text;
  char buffer[4096];
  while (text.size() < bytes &&
         waitFor(socket.get(), POLLIN, Clock::now() + milliseconds(5000))) {
    ssize_t got = ::recv(socket.get(), buffer,
                         std::min(sizeof buffer, bytes - text.size()), 0);
    if (got <= 0)
      break;
    text.append(buffer, size_t(got));
  }
  return text;
}

class RunningZeroMq {
public:
  explicit RunningZeroMq(std::unique_ptr<DataStream> stream)
      : server(std::move(stream), RunningServer::free()),
        thread([this] { server.run(); }) {}
  ~RunningZeroMq() {
    server.stop();
    thread.join();
  }
  int port() const { return server.port(); }

private:
  ZeroMqServer server;
  std::thread thread;
};

static void serverBytes(const reference::Json &capture) {
  std::string client = sideOf(capture, "C->S");
  std::string expected = sideOf(capture, "S->C");
  RunningZeroMq server(std::make_unique<Captured>());
  Socket socket =
      connectTo("127.0.0.1", server.port(), Clock::now() + milliseconds(5000));
  // As slow as can be.
  for (char c : client)
    ::send(socket.get(), &c, 1, MSG_NOSIGNAL);
  std::string found = receive(socket, expected.size());
  expected[8] = found[8] = 0; // Padding, which libzmq fills with a 1.
  CHECK(found == expected);
  // Rubbish is shown out, and does not disturb the others.
  Socket other =
      connectTo("127.0.0.1", server.port(), Clock::now() + milliseconds(5000));
  std::string rubbish(200, 'x');
  ::send(other.get(), rubbish.data(), rubbish.size(), MSG_NOSIGNAL);
  receive(other, 100000);
  CHECK_EQ(receive(socket, 500).size(), 500u);
}

/// Sends the same bytes to each that comes.
static std::thread sayTo(Socket &listener, const std::string &bytes) {
  return std::thread([&listener, bytes] {
    std::string peer;
    if (!waitFor(listener.get(), POLLIN, Clock::now() + milliseconds(5000)))
      return;
    Socket socket = acceptFrom(listener, peer);
    ::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    // Stays until the client has gone.
    while (receive(socket, 100).size() == 100) {
    }
  });
}

static void clientBytes(const reference::Json &capture) {
  std::string bytes = sideOf(capture, "S->C");
  Socket listener = listenOn("127.0.0.1", 0);
  ConnectOptions options;
  options.port = portOf(listener);
  options.timeout = 0.3;
  std::thread server = sayTo(listener, bytes);
  auto stream = connectZeroMqStream(options, {"x", "y"});
  CHECK_EQ(stream->sources()[1].name, "y");
  CHECK(stream->sources()[0].dtype == blocks::DType::Float32);
  CHECK_EQ(blocks::formatShape(stream->sources()[0].shape), "?x2");
  Captured expected;
  Batch batch, right;
  for (int epoch = 0; epoch < 2; ++epoch) {
    stream->startEpoch();
    expected.startEpoch();
    while (expected.next(right)) {
      CHECK(stream->next(batch));
      CHECK_EQ(describe(*stream, batch), describe(expected, right));
    }
    CHECK(!stream->next(batch));
  }
  stream->startEpoch();
  CHECK_THROWS(stream->next(batch),
               "127.0.0.1:" + std::to_string(options.port));
  CHECK_THROWS(stream->restore(""), "no position");
  server.join();

  // Changed bytes: an error, or other values.
  std::mt19937 random(5);
  for (int i = 0; i < 25; ++i) {
    std::string changed = bytes;
    changed[random() % changed.size()] = char(random());
    changed.resize(changed.size() - random() % 100);
    std::thread again = sayTo(listener, changed);
    options.timeout = 0.05;
    try {
      auto hurt = connectZeroMqStream(options, {});
      for (int epoch = 0; epoch < 2; ++epoch) {
        hurt->startEpoch();
        while (hurt->next(batch)) {
        }
      }
    } catch (const blocks::Error &error) {
      CHECK(std::strlen(error.what()) > 20);
    }
    again.join();
  }
}

static void bothEnds() {
  RunningZeroMq server(
      std::make_unique<Numbers>(Numbers::Settings{.width = 100000}));
  ConnectOptions options;
  options.port = server.port();
  auto stream = connectZeroMqStream(options, {"x"});
  Batch batch;
  for (int64_t epoch = 1; epoch <= 6; ++epoch) {
    stream->startEpoch();
    for (int64_t i = 0; i < (epoch % 2 ? 5 : 2); ++i) {
      CHECK(stream->next(batch));
      CHECK_EQ(firstOf(batch), epoch * 1000 + i * 4);
    }
  }
  CHECK_THROWS(connectZeroMqStream(options, {"a", "b"}), "2 names");
  CHECK_THROWS(ZeroMqServer(numbers({.ragged = true})(), RunningServer::free()),
               "--mode each");
}

int main(int, char **argv) {
  reference::Json capture =
      reference::load(std::string(argv[2]) + "/wire_capture.json");
  serverBytes(capture);
  clientBytes(capture);
  bothEnds();
  return checkSummary();
}
