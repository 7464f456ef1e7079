// RemoteStream: the stream of a server, as its client sees it. A thread talks
// to the server and fills a ring of batches; `next` swaps the oldest with the
// caller's. The state that the caller sees is that of the batch it has, not of
// those in the ring.
//
// Who touches what: `connection` and `tail`, and the slot there, belong to the
// thread; the slots from `first` to `first + ready` are filled and belong to
// the caller; the rest is guarded by `lock`.
#pragma once

#include "fuel/Server/Connection.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace fuel {

class RemoteStream : public DataStream {
public:
  explicit RemoteStream(const ConnectOptions &options);
  ~RemoteStream() override;

  const std::vector<SourceInfo> &sources() const override {
    return schema.sources;
  }
  bool producesExamples() const override { return schema.examples; }
  std::optional<int64_t> batchesPerEpoch() const override {
    return schema.batchesPerEpoch;
  }
  std::optional<int64_t> examplesPerEpoch() const override {
    return schema.examplesPerEpoch;
  }
  void startEpoch() override;
  bool next(Batch &batch) override;
  std::string state() const override;
  void restore(const std::string &state) override;
  std::string fingerprint() const override { return schema.fingerprint; }

private:
  enum class Content { Batch, EndOfEpoch, Failure };
  struct Slot {
    Batch batch;
    std::string state;
    wire::BatchPlace place;
    Content content = Content::Batch;
    std::exception_ptr failure;
  };
  /// The generation that the caller last asked for, and how far it is.
  struct Progress {
    wire::Command command;
    uint64_t received = 0, consumed = 0;
    bool answered = false; ///< STARTED has come, with this state:
    std::string start;
    bool flowing = false; ///< More frames of it are to come.
  };

  std::chrono::milliseconds timeout() const {
    return std::chrono::milliseconds(int64_t(options.timeout * 1000));
  }
  std::unique_ptr<Connection> connect(Deadline deadline);
  void connectFirst();
  void work();
  void converse();
  void sendRequests();
  void receiveFrames();
  void acceptBatch();
  void acceptNotice(const wire::Notice &notice);
  void publish(Content content);
  void lose(const std::string &why);
  void fail(std::exception_ptr why);
  bool waitUntilWanted();
  void reconnect();
  void checkSame(const wire::Welcome &welcome) const;
  void continueOn(const wire::Welcome &welcome);
  void sayGoodbye();
  void command(wire::Kind kind, const std::string &state);
  uint64_t allowance() const;
  bool creditIsDue() const;
  std::string place() const { return hostPort(options.host, options.port); }

  const ConnectOptions options;
  std::optional<Key> key;
  std::array<uint64_t, 2> identity;
  Bell bell, stopBell;
  wire::Welcome schema; ///< Of the first connection.

  // The thread's.
  std::unique_ptr<Connection> connection;
  size_t tail = 0;
  uint64_t attempts = 0;
  wire::ShapeScratch scratch;
  /// From the loss of a connection until frames of the generation come again.
  std::optional<Deadline> giveUp;
  bool atOnce = false; ///< The first attempt after a loss does not wait.

  mutable std::mutex lock;
  std::condition_variable callerWakes, workerWakes;
  std::vector<Slot> slots;
  size_t first = 0, ready = 0;
  Progress now;
  std::optional<Progress> abandoned; ///< Not yet told to the server.
  bool commandWaits = false, creditWaits = false;
  bool sleeping = false; ///< The thread is in poll(2).
  std::string delivered; ///< State of what the caller has.
  std::string received;  ///< State of what came last.
  bool midEpoch = false; ///< The caller has not seen the epoch's end.
  std::exception_ptr failure;
  bool stopping = false;
  std::thread worker;
};

} // namespace fuel
