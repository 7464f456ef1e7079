// Dealer and SharedFeed: one stream for all clients of a server. The dealer's
// thread makes batches; a client's feed takes the next one when its client has
// room. A batch is kept until the client that got it acknowledges it, and dealt
// again if that client leaves or stays away too long, so that each batch of an
// epoch is delivered once, and the epoch ends when all are acknowledged.
#pragma once

#include "fuel/Server/Feed.h"

#include <array>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace fuel {

class Dealer {
public:
  using Identity = std::array<uint64_t, 2>;
  struct Dealt {
    Batch batch;
  };
  using Item = std::shared_ptr<Dealt>;

  Dealer(std::unique_ptr<DataStream> stream, uint64_t instance, double grace);
  ~Dealer();

  /// WELCOME for a client that comes now.
  wire::Welcome welcome();

  //===-- A feed's calls; `bell` tells feeds apart. -----------------------===//
  /// Throws if a later connection of this client has come before.
  void enter(const Identity &identity, uint64_t attempt, Bell &bell);
  /// The client lost its connection (`forGood`: said goodbye).
  void exit(const Identity &identity, Bell &bell, bool forGood);
  void command(const Identity &identity, Bell &bell,
               const wire::Command &command);
  void credit(const Identity &identity, Bell &bell, const wire::Credit &credit);
  /// Packs the client's next frame; false if there is none. `item` keeps what
  /// the frame points to.
  bool take(const Identity &identity, Bell &bell, Frame &frame, Item &item);

private:
  struct Account {
    Bell *bell = nullptr; ///< Of its connection; null while it is lost.
    uint64_t attempt = 0; ///< Which of its connections.
    Clock::time_point lost;
    uint64_t generation = 0, epoch = 0;
    uint64_t acknowledged = 0, next = 0, allowance = 0;
    std::deque<Item> unacknowledged; ///< From number `acknowledged` on.
    bool active = false;             ///< Its epoch has not ended for it.
    std::vector<wire::Notice> answers;
  };

  void work();
  bool waitForWork(std::unique_lock<std::mutex> &guard);
  void produce(std::unique_lock<std::mutex> &guard);
  bool wantsBatch() const;
  bool isOver() const;
  void forgetTheLost();
  Account &accountOf(const Identity &identity, Bell &bell);
  void answer(Account &account, const wire::Command &command);
  void start(Account &account);
  void join(Account &account, const std::string &state);
  void resume(Account &account, const wire::Command &command);
  void acknowledge(Account &account, uint64_t count);
  void giveBack(Account &account, uint64_t keep);
  bool takeEnd(Account &account, Frame &frame);
  void ringAll();
  std::string stateOf(uint64_t epoch) const;

  std::unique_ptr<DataStream> stream; ///< The worker's.
  const wire::Welcome description;
  const uint64_t instance;
  const std::chrono::milliseconds grace;

  std::mutex lock;
  std::condition_variable workerWakes;
  std::map<Identity, Account> accounts;
  std::deque<Item> undealt;
  std::vector<Item> spare; ///< Acknowledged batches, to be filled again.
  uint64_t epoch = 0;
  bool startWanted = false, producing = false, exhausted = true;
  std::optional<wire::Notice> failure; ///< Of the stream, in this epoch.
  bool stopping = false;
  std::thread worker;
};

class SharedFeed : public Feed {
public:
  SharedFeed(Dealer &dealer, const wire::Hello &hello, Bell &bell);
  ~SharedFeed() override;
  void command(const wire::Command &command) override;
  void credit(const wire::Credit &credit) override;
  const Frame *take() override;
  void sent() override;
  void leave() override { left = true; }

private:
  Dealer &dealer;
  const Dealer::Identity identity;
  Bell &bell;
  bool left = false, taken = false;
  Frame frame;
  Dealer::Item item;
};

} // namespace fuel
