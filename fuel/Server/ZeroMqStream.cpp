// ZeroMqStream: a client of Fuel's own server (start_server): a PULL socket.
// The format tells types and shapes with each batch and names not at all, so
// the names are the caller's, and the rest is taken from the first batch. It
// has no position: such a stream cannot be resumed.
#include "fuel/Server.h"

#include "blocks/Error.h"
#include "fuel/Server/ZeroMq.h"

#include <nlohmann/json.hpp>
#include <poll.h>

namespace fuel {

using Json = nlohmann::json;

static constexpr uint64_t mostDescription = 1 << 20;
static constexpr uint64_t mostBytes = uint64_t(4) << 30;

namespace {
class ZeroMqStream : public DataStream {
public:
  ZeroMqStream(const ConnectOptions &chosen, std::vector<std::string> names)
      : options(chosen) {
    explained([&] {
      channel = plainChannel(connectTo(options.host, options.port, deadline()));
      greet();
      while (!receive(first)) { // Perhaps the end of another's epoch.
      }
    });
    describe(std::move(names));
  }

  const std::vector<SourceInfo> &sources() const override { return infos; }
  std::optional<int64_t> batchesPerEpoch() const override { return {}; }
  std::optional<int64_t> examplesPerEpoch() const override { return {}; }

  // The server goes on where it is; the rest of an abandoned epoch is skipped.
  void startEpoch() override {
    Batch skipped;
    while (begun && !atEnd)
      next(skipped);
    begun = true;
    atEnd = false;
  }

  bool next(Batch &batch) override {
    if (!begun || atEnd)
      return false;
    if (hasFirst) {
      hasFirst = false;
      std::swap(batch, first);
      return true;
    }
    explained([&] {
      atEnd = !receive(batch);
      if (!atEnd)
        check(batch);
    });
    return !atEnd;
  }

  std::string state() const override { return "fuel-zeromq/1"; }
  void restore(const std::string &) override {
    throw blocks::UnsupportedError(
        "a stream of Fuel's own server has no position to go back to; use "
        "fuel-server with tcp://");
  }
  std::string fingerprint() const override {
    std::string text = "zmq";
    for (const SourceInfo &info : infos)
      text += " " + info.name + ":" +
              std::string(blocks::dtypeName(info.dtype)) + ":" +
              blocks::formatShape(info.shape);
    return text;
  }

private:
  Deadline deadline() const {
    return Clock::now() +
           std::chrono::milliseconds(int64_t(options.timeout * 1000));
  }

  /// Errors name the server.
  template <typename Action> void explained(Action action) {
    std::string place = hostPort(options.host, options.port);
    try {
      action();
    } catch (const blocks::Error &error) {
      std::string text = error.what();
      if (text.find(place) == text.npos)
        text = "the ZeroMQ server at " + place + ": " + text;
      throw blocks::Error(error.kind(), text);
    } catch (const Json::exception &) {
      throw blocks::CorruptError("the ZeroMQ server at " + place +
                                 " sent no description of arrays");
    }
  }

  void readAll(void *to, size_t bytes, Deadline until) {
    for (size_t got = 0; got < bytes;) {
      size_t count = channel->read(static_cast<char *>(to) + got, bytes - got);
      got += count;
      if (count == 0 && !waitFor(channel->fd(), POLLIN, until))
        throw blocks::IoError("nothing came in time; this format cannot tell "
                              "a slow server from a dead one (raise timeout=)");
    }
  }

  void greet() {
    std::string hello = zmq::greeting() + zmq::ready("PULL");
    iovec part = {hello.data(), hello.size()};
    if (channel->write(&part, 1) != hello.size())
      throw blocks::IoError("it takes no greeting");
    char theirs[zmq::greetingBytes];
    readAll(theirs, sizeof theirs, deadline());
    zmq::checkGreeting(theirs, sizeof theirs);
    zmq::FrameHead head = readHead(deadline());
    std::string body = readText(head, deadline());
    if (!head.command || !body.starts_with("\5READY") ||
        body.find("PUSH") == body.npos)
      throw blocks::CorruptError("it is no PUSH socket");
  }

  zmq::FrameHead readHead(Deadline until) {
    char bytes[9];
    readAll(bytes, 2, until);
    zmq::FrameHead head = zmq::parseFrameHead(bytes, 2);
    if (head.headBytes == 0) {
      readAll(bytes + 2, 7, until);
      head = zmq::parseFrameHead(bytes, 9);
    }
    return head;
  }

  std::string readText(const zmq::FrameHead &head, Deadline until) {
    if (head.length > mostDescription)
      throw blocks::CorruptError("a description of " +
                                 std::to_string(head.length) + " bytes");
    std::string text(head.length, '\0');
    readAll(text.data(), text.size(), until);
    return text;
  }

  /// One message; false for the end of an epoch.
  bool receive(Batch &batch) {
    Deadline until = deadline();
    zmq::FrameHead head = readHead(until);
    std::string text = readText(head, until);
    if (head.command)
      return receive(batch); // PING and the like need no answer here.
    Json description = Json::parse(text);
    if (description.is_object() && description.value("stop", false))
      return false;
    batch.resize(description.size());
    batch.request.clear();
    for (size_t i = 0; i < description.size(); ++i) {
      if (!head.more)
        throw blocks::CorruptError("a message has too few arrays");
      head = readHead(until);
      receiveArray(description.at(i), head.length, batch.sources[i], until);
    }
    if (head.more)
      throw blocks::CorruptError("a message has too many arrays");
    bool any = !batch.sources.empty() && !batch.sources[0].shape().empty();
    batch.examples = any ? batch.sources[0].shape()[0] : 0;
    return true;
  }

  void receiveArray(const Json &description, uint64_t length,
                    blocks::Array &array, Deadline until) {
    auto shape = description.at("shape").get<blocks::Shape>();
    auto dtype =
        blocks::dtypeFromNumpy(description.at("descr").get<std::string>());
    if (description.at("fortran_order").get<bool>())
      throw blocks::UnsupportedError("an array is in Fortran's order");
    unsigned __int128 bytes = blocks::dtypeSize(dtype);
    for (int64_t extent : shape) {
      if (extent < 0 || extent > int64_t(mostBytes) || bytes > mostBytes)
        throw blocks::CorruptError("an array has an impossible shape");
      bytes *= uint64_t(extent);
    }
    if (bytes != length || length > mostBytes)
      throw blocks::CorruptError("an array has " + std::to_string(length) +
                                 " bytes, which is not what its shape needs");
    array.resize(dtype, shape);
    readAll(array.data(), length, until);
  }

  void describe(std::vector<std::string> names) {
    size_t count = first.sources.size();
    for (size_t i = names.size(); i < count && names.size() == i; ++i)
      names.push_back("source" + std::to_string(i));
    if (names.size() != count)
      throw blocks::UsageError("the server sends " + std::to_string(count) +
                               " arrays; " + std::to_string(names.size()) +
                               " names were given for them");
    for (size_t i = 0; i < count; ++i) {
      const blocks::Array &array = first.sources[i];
      SourceInfo info{names[i], array.dtype(), array.shape()};
      if (!info.shape.empty())
        info.shape[0] = -1;
      info.axisLabels.resize(info.shape.size());
      infos.push_back(std::move(info));
    }
  }

  /// A batch of this stream is like its first.
  void check(const Batch &batch) const {
    bool fits = batch.sources.size() == infos.size();
    for (size_t i = 0; fits && i < infos.size(); ++i) {
      const blocks::Array &array = batch.sources[i];
      fits = array.dtype() == infos[i].dtype &&
             array.shape().size() == infos[i].shape.size();
    }
    if (!fits)
      throw blocks::CorruptError("a batch has other arrays than the first");
  }

  ConnectOptions options;
  std::unique_ptr<Channel> channel;
  std::vector<SourceInfo> infos;
  Batch first;
  bool hasFirst = true, begun = false, atEnd = false;
};
} // namespace

std::unique_ptr<DataStream>
connectZeroMqStream(const ConnectOptions &options,
                    const std::vector<std::string> &names) {
  return std::make_unique<ZeroMqStream>(options, names);
}

} // namespace fuel
