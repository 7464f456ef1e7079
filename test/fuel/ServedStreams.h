// What the tests of the server share: a server in a thread, small streams that
// need no file, and a text that says all about a batch.
#pragma once

#include "blocks/Error.h"
#include "fuel/OpenStream.h"
#include "fuel/Server.h"
#include "fuel/Streams.h"
#include "test/fuel/Recording.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <thread>

namespace served {

using namespace fuel;
using namespace recording;
using MakeStream = std::function<std::unique_ptr<DataStream>()>;

/// A server that runs until the end of its scope, or until `stop`.
class RunningServer {
public:
  explicit RunningServer(MakeStream make, ServerOptions options = free())
      : server(std::make_unique<Server>(std::move(make), options)),
        thread([this] { server->run(); }) {}
  ~RunningServer() { stop(); }
  void stop() {
    if (!thread.joinable())
      return;
    server->stop();
    thread.join();
    server.reset();
  }
  int port() const { return server->port(); }
  ConnectOptions address() const {
    ConnectOptions options;
    options.port = port();
    return options;
  }
  static ServerOptions free() {
    ServerOptions options;
    options.port = 0;
    return options;
  }
  static ServerOptions at(int port) {
    ServerOptions options;
    options.port = port;
    return options;
  }

private:
  std::unique_ptr<Server> server;
  std::thread thread;
};

/// 0 to 19 in batches of 4, for ever the same; with `ragged`, a source whose
/// item i has 1 + i % 3 rows of i % 2 + 1 (also items without elements).
/// Counts what it made; can be slow, can fail, can be large.
class Numbers : public DataStream {
public:
  struct Settings {
    bool ragged = false;
    int64_t batches = 5;
    int64_t width = 1; ///< Elements of an example of 'x'.
    int64_t failAt = -1;
    std::chrono::microseconds delay{0};
    std::atomic<int64_t> *made = nullptr;
  };
  explicit Numbers(const Settings &chosen) : settings(chosen) {
    infos.push_back({"x",
                     blocks::DType::Int64,
                     {-1, settings.width},
                     {"batch", "feature"}});
    if (settings.ragged)
      infos.push_back({"r",
                       blocks::DType::Float32,
                       {-1, -1, -1},
                       {"batch", "row", ""},
                       true});
  }
  const std::vector<SourceInfo> &sources() const override { return infos; }
  std::optional<int64_t> batchesPerEpoch() const override {
    return settings.batches;
  }
  std::optional<int64_t> examplesPerEpoch() const override {
    return settings.batches * 4;
  }
  void startEpoch() override {
    ++epoch;
    position = 0;
  }
  bool next(Batch &batch) override {
    if (epoch == 0 || position == settings.batches)
      return false;
    if (position == settings.failAt)
      throw blocks::IoError("the disk is gone");
    if (settings.delay.count() > 0)
      std::this_thread::sleep_for(settings.delay);
    if (settings.made)
      ++*settings.made;
    fill(batch);
    ++position;
    return true;
  }
  std::string state() const override {
    return "numbers epoch=" + std::to_string(epoch) +
           " position=" + std::to_string(position);
  }
  void restore(const std::string &state) override {
    long long e, p;
    if (std::sscanf(state.c_str(), "numbers epoch=%lld position=%lld", &e,
                    &p) != 2)
      throw blocks::InputError("'" + state + "' is no state of numbers");
    epoch = e;
    position = p;
  }
  std::string fingerprint() const override { return "numbers"; }

private:
  void fill(Batch &batch) const {
    batch.resize(infos.size());
    batch.examples = 4;
    batch.request.clear();
    batch.sources[0].resize(blocks::DType::Int64, {4, settings.width});
    int64_t *x = batch.sources[0].as<int64_t>();
    for (int64_t i = 0; i < 4; ++i) {
      batch.request.push_back(position * 4 + i);
      for (int64_t j = 0; j < settings.width; ++j)
        *x++ = epoch * 1000 + position * 4 + i + j * 1000000;
    }
    if (settings.ragged)
      fillRagged(batch);
  }
  void fillRagged(Batch &batch) const {
    RaggedItems &items = batch.items[1];
    items.clear(2);
    for (int64_t i = position * 4; i < position * 4 + 4; ++i) {
      int64_t shape[] = {i % 3, i % 2 + 1};
      items.append(shape);
    }
    batch.sources[1].resize(blocks::DType::Float32, {items.offsets.back()});
    for (int64_t i = 0; i < items.offsets.back(); ++i)
      batch.sources[1].as<float>()[i] = float(epoch * 100 + position * 10 + i);
  }

  Settings settings;
  std::vector<SourceInfo> infos;
  int64_t epoch = 0, position = 0;
};

inline MakeStream numbers(const Numbers::Settings &settings = {}) {
  return [settings] { return std::make_unique<Numbers>(settings); };
}

inline int64_t firstOf(const Batch &batch) {
  return batch.sources[0].as<int64_t>()[0];
}

inline double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

} // namespace served
