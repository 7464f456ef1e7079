// Dealer: see SharedFeed.h.
#include "blocks/Error.h"
#include "fuel/Server/SharedFeed.h"
#include "runtime/Base/SignalsBlocked.h"

#include <algorithm>
#include <cstdio>

namespace fuel {

using namespace wire;

// Whatever a client asks for, this is what may wait for its acknowledgement.
static constexpr size_t mostUnacknowledged = 1024;

Dealer::Dealer(std::unique_ptr<DataStream> source, uint64_t server,
               double graceSeconds)
    : stream(std::move(source)), description(describeStream(*stream)),
      instance(server), grace(int64_t(graceSeconds * 1000)) {
  blocks::SignalsBlocked inherited;
  worker = std::thread([this] { work(); });
}

Dealer::~Dealer() {
  {
    std::lock_guard guard(lock);
    stopping = true;
  }
  workerWakes.notify_one();
  worker.join();
}

std::string Dealer::stateOf(uint64_t number) const {
  char text[96];
  std::snprintf(text, sizeof text, "fuel-shared/1 server=%016llx epoch=%llu",
                (unsigned long long)instance, (unsigned long long)number);
  return text;
}

Welcome Dealer::welcome() {
  Welcome message = description;
  message.shared = true;
  std::lock_guard guard(lock);
  message.state = stateOf(epoch);
  return message;
}

//===-- The worker --------------------------------------------------------===//

bool Dealer::wantsBatch() const {
  if (startWanted)
    return true;
  if (exhausted || epoch == 0 || !undealt.empty())
    return false;
  return std::any_of(accounts.begin(), accounts.end(), [&](const auto &entry) {
    const Account &a = entry.second;
    return a.bell && a.active && a.epoch == epoch && a.next < a.allowance &&
           a.unacknowledged.size() < mostUnacknowledged;
  });
}

bool Dealer::waitForWork(std::unique_lock<std::mutex> &guard) {
  while (!stopping && !wantsBatch()) {
    forgetTheLost();
    if (wantsBatch())
      break;
    bool anyLost =
        std::any_of(accounts.begin(), accounts.end(), [](const auto &entry) {
          return entry.second.bell == nullptr;
        });
    if (anyLost)
      workerWakes.wait_for(guard, std::chrono::milliseconds(50));
    else
      workerWakes.wait(guard);
  }
  return !stopping;
}

void Dealer::work() {
  std::unique_lock guard(lock);
  while (waitForWork(guard)) {
    forgetTheLost();
    produce(guard);
  }
}

void Dealer::produce(std::unique_lock<std::mutex> &guard) {
  bool start = std::exchange(startWanted, false);
  Item item = spare.empty() ? std::make_shared<Dealt>() : spare.back();
  if (!spare.empty())
    spare.pop_back();
  producing = true;
  guard.unlock();
  bool more = false;
  std::optional<Notice> failed;
  try {
    if (start)
      stream->startEpoch();
    more = stream->next(item->batch);
  } catch (...) {
    failed = failureNotice(0, 0);
  }
  guard.lock();
  producing = false;
  exhausted = !more;
  failure = failed;
  if (more)
    undealt.push_back(std::move(item));
  ringAll();
}

/// Those that did not come back in time lose their batches to the others.
void Dealer::forgetTheLost() {
  auto now = Clock::now();
  for (auto entry = accounts.begin(); entry != accounts.end();) {
    Account &account = entry->second;
    bool gone = !account.bell && now - account.lost >= grace;
    if (gone)
      giveBack(account, 0);
    entry = gone ? accounts.erase(entry) : std::next(entry);
  }
}

void Dealer::ringAll() {
  for (auto &[identity, account] : accounts)
    if (account.bell)
      account.bell->ring();
}

/// All batches of the epoch were made, dealt and acknowledged.
bool Dealer::isOver() const {
  return exhausted && !producing && !startWanted && undealt.empty() &&
         std::all_of(accounts.begin(), accounts.end(), [](const auto &entry) {
           return entry.second.unacknowledged.empty();
         });
}

//===-- The feeds' calls --------------------------------------------------===//

Dealer::Account &Dealer::accountOf(const Identity &identity, Bell &bell) {
  auto found = accounts.find(identity);
  if (found == accounts.end() || found->second.bell != &bell)
    throw blocks::IoError("another connection of this client took its place");
  return found->second;
}

// Connections can arrive in another order than they were made. What an earlier
// one says must not undo what was said on a later one.
void Dealer::enter(const Identity &identity, uint64_t attempt, Bell &bell) {
  std::lock_guard guard(lock);
  Account &account = accounts[identity];
  if (attempt <= account.attempt)
    throw blocks::IoError("a later connection of this client has come before");
  account.attempt = attempt;
  // Nothing is dealt before the client has said what it received.
  account.active = false;
  account.answers.clear();
  Bell *former = std::exchange(account.bell, &bell);
  if (former)
    former->ring();
}

void Dealer::exit(const Identity &identity, Bell &bell, bool forGood) {
  {
    std::lock_guard guard(lock);
    auto found = accounts.find(identity);
    if (found == accounts.end() || found->second.bell != &bell)
      return; // Overtaken.
    found->second.bell = nullptr;
    found->second.lost = Clock::now();
    if (forGood) {
      giveBack(found->second, 0);
      accounts.erase(found);
    }
  }
  workerWakes.notify_one();
}

/// From number `keep` on, the client's batches are to be dealt again, before
/// those that nobody had.
void Dealer::giveBack(Account &account, uint64_t keep) {
  auto &items = account.unacknowledged;
  size_t kept = keep > account.acknowledged ? keep - account.acknowledged : 0;
  kept = std::min(kept, items.size());
  auto first = items.begin() + long(kept);
  undealt.insert(undealt.begin(), first, items.end());
  items.erase(first, items.end());
  account.next = account.acknowledged + items.size();
  ringAll();
}

void Dealer::acknowledge(Account &account, uint64_t count) {
  if (count > account.next)
    throw blocks::CorruptError("a client acknowledges batches that it did not "
                               "get");
  for (; account.acknowledged < count; ++account.acknowledged) {
    Item item = std::move(account.unacknowledged.front());
    account.unacknowledged.pop_front();
    if (item.use_count() == 1)
      spare.push_back(std::move(item));
  }
  if (isOver())
    ringAll();
}

void Dealer::command(const Identity &identity, Bell &bell,
                     const Command &command) {
  {
    std::lock_guard guard(lock);
    answer(accountOf(identity, bell), command);
  }
  bell.ring();
  workerWakes.notify_one();
}

void Dealer::answer(Account &account, const Command &command) {
  account.answers.clear();
  try {
    if (command.kind == Kind::Resume) {
      resume(account, command);
    } else {
      giveBack(account, 0);
      account.generation = command.generation;
      account.acknowledged = account.next = 0;
      if (command.kind == Kind::Start)
        start(account);
      else
        join(account, command.state);
      account.answers.push_back({.kind = Kind::Started,
                                 .generation = command.generation,
                                 .text = stateOf(account.epoch)});
    }
    account.allowance = command.allowance;
    account.active = true;
  } catch (...) {
    account.active = false;
    account.answers.push_back(
        failureNotice(command.generation, command.received));
  }
}

/// The running epoch, or a new one if that is over.
void Dealer::start(Account &account) {
  if (epoch == 0 || isOver()) {
    ++epoch;
    startWanted = true;
    exhausted = false;
    failure.reset();
  }
  account.epoch = epoch;
}

void Dealer::join(Account &account, const std::string &state) {
  std::string begin = stateOf(0);
  begin.pop_back();
  if (!state.starts_with(begin))
    throw blocks::InputError(
        "'" + state.substr(0, 60) +
        "' is not a state of this server: its "
        "position in a shared stream was lost when it ended; start the "
        "training and the server afresh, or use --mode each");
  account.epoch = std::strtoull(state.c_str() + begin.size(), nullptr, 10);
  if (account.epoch > epoch)
    throw blocks::InputError("the state is of epoch " +
                             std::to_string(account.epoch) +
                             ", which this server has not begun");
}

void Dealer::resume(Account &account, const Command &command) {
  if (account.generation != command.generation || account.epoch == 0)
    throw blocks::IoError(
        "the server gave the client's batches to others while it was away; "
        "whether some were used twice cannot be told");
  if (command.received > account.next ||
      command.consumed < account.acknowledged)
    throw blocks::CorruptError(
        "RESUME says " + std::to_string(command.consumed) + " of " +
        std::to_string(command.received) + " batches were used, but " +
        std::to_string(account.acknowledged) + " of " +
        std::to_string(account.next) + " were acknowledged");
  acknowledge(account, command.consumed);
  giveBack(account, command.received);
}

void Dealer::credit(const Identity &identity, Bell &bell,
                    const Credit &credit) {
  {
    std::lock_guard guard(lock);
    Account &account = accountOf(identity, bell);
    if (credit.generation != account.generation)
      return;
    acknowledge(account, credit.consumed);
    account.allowance = std::max(account.allowance, credit.allowance);
  }
  bell.ring();
  workerWakes.notify_one();
}

bool Dealer::takeEnd(Account &account, Frame &frame) {
  bool ended = account.epoch < epoch || isOver();
  if (!account.active || !ended)
    return false;
  account.active = false;
  Notice notice{.kind = Kind::End,
                .generation = account.generation,
                .number = account.next,
                .epoch = account.epoch,
                .text = stateOf(account.epoch)};
  if (failure && account.epoch == epoch) {
    notice.kind = Kind::Failure;
    notice.error = failure->error;
    notice.text = failure->text;
  }
  frame.begin();
  encode(frame.bytes, notice);
  frame.finish(notice.kind);
  return true;
}

bool Dealer::take(const Identity &identity, Bell &bell, Frame &frame,
                  Item &item) {
  BatchPlace place;
  {
    std::lock_guard guard(lock);
    Account &account = accountOf(identity, bell);
    if (!account.answers.empty()) {
      frame.begin();
      encode(frame.bytes, account.answers.front());
      frame.finish(account.answers.front().kind);
      account.answers.erase(account.answers.begin());
      return true;
    }
    if (takeEnd(account, frame))
      return true;
    if (!account.active || account.epoch != epoch || undealt.empty() ||
        account.next >= account.allowance ||
        account.unacknowledged.size() >= mostUnacknowledged)
      return false;
    item = undealt.front();
    undealt.pop_front();
    account.unacknowledged.push_back(item);
    place = {account.generation, account.next++, account.epoch};
  }
  workerWakes.notify_one();
  packBatch(frame, place, item->batch, stateOf(place.epoch),
            description.sources, description.examples);
  return true;
}

} // namespace fuel
