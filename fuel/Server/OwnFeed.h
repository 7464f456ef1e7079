// OwnFeed: a stream for one client, with a thread that prepares batches while
// others are sent, never beyond the client's allowance.
//
// Who touches what: the worker alone uses the stream and `generation`,
// `number`, `epoch`; the rest is guarded by `lock`. A parcel belongs to whoever
// took it out of its list.
#pragma once

#include "fuel/Server/Feed.h"

#include <array>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

namespace fuel {

class OwnFeed : public Feed {
public:
  /// `bell` must outlive the feed.
  OwnFeed(std::unique_ptr<DataStream> stream, Bell &bell);
  ~OwnFeed() override;

  void command(const wire::Command &command) override;
  void credit(const wire::Credit &credit) override;
  const Frame *take() override;
  void sent() override;

private:
  void work();
  bool waitForWork(std::unique_lock<std::mutex> &guard);
  void obey(const wire::Command &command, Parcel &parcel);
  void produce(Parcel &parcel);

  std::unique_ptr<DataStream> stream;
  const std::vector<SourceInfo> infos;
  const bool examples;
  Bell &bell;
  uint64_t generation = 0, number = 0, epoch = 0;

  std::mutex lock;
  std::condition_variable workerWakes;
  /// One is being sent, one waits, one is being prepared.
  std::array<Parcel, 3> parcels;
  std::deque<Parcel *> idle, ready;
  Parcel *taken = nullptr;
  std::optional<wire::Command> pending;
  uint64_t current = 0, produced = 0, allowance = 0;
  bool active = false, stopping = false;
  std::thread worker;
};

} // namespace fuel
