// OwnFeed: see OwnFeed.h.
#include "fuel/Server/OwnFeed.h"

#include "runtime/Base/SignalsBlocked.h"

namespace fuel {

using namespace wire;

OwnFeed::OwnFeed(std::unique_ptr<DataStream> source, Bell &sessionBell)
    : stream(std::move(source)), infos(stream->sources()),
      examples(stream->producesExamples()), bell(sessionBell) {
  for (Parcel &parcel : parcels)
    idle.push_back(&parcel);
  blocks::SignalsBlocked inherited;
  worker = std::thread([this] { work(); });
}

OwnFeed::~OwnFeed() {
  {
    std::lock_guard guard(lock);
    stopping = true;
  }
  workerWakes.notify_one();
  worker.join();
}

//===-- The worker --------------------------------------------------------===//

bool OwnFeed::waitForWork(std::unique_lock<std::mutex> &guard) {
  workerWakes.wait(guard, [this] {
    return stopping ||
           (!idle.empty() && (pending || (active && produced < allowance)));
  });
  return !stopping;
}

void OwnFeed::work() {
  std::unique_lock guard(lock);
  while (waitForWork(guard)) {
    Parcel *parcel = idle.front();
    idle.pop_front();
    std::optional<Command> command = std::exchange(pending, std::nullopt);
    ++produced;
    guard.unlock();
    command ? obey(*command, *parcel) : produce(*parcel);
    guard.lock();
    // Nobody waits any more for what belongs to an older generation.
    (pending ? idle : ready).push_back(parcel);
    bell.ring();
  }
}

void OwnFeed::obey(const Command &command, Parcel &parcel) {
  generation = command.generation;
  number = 0;
  bool works = false;
  try {
    if (command.kind == Kind::Resume)
      throw blocks::UsageError("this server has a stream for each client; "
                               "use RESTORE instead of RESUME");
    if (command.kind == Kind::Restore || !command.state.empty())
      stream->restore(command.state);
    if (command.kind == Kind::Start) {
      stream->startEpoch();
      ++epoch;
    }
    parcel.pack(Notice{.kind = Kind::Started,
                       .generation = generation,
                       .text = stream->state()});
    works = true;
  } catch (...) {
    parcel.pack(failureNotice(generation, 0));
  }
  std::lock_guard guard(lock);
  active = works;
  produced = 0;
}

void OwnFeed::produce(Parcel &parcel) {
  bool more = false;
  try {
    more = stream->next(parcel.batch);
    parcel.state = stream->state();
    if (more)
      parcel.pack({generation, number++, epoch}, infos, examples);
    else
      parcel.pack(Notice{.kind = Kind::End,
                         .generation = generation,
                         .number = number,
                         .epoch = epoch,
                         .text = parcel.state});
  } catch (...) {
    more = false;
    parcel.pack(failureNotice(generation, number));
  }
  if (more)
    return;
  std::lock_guard guard(lock);
  active = false; // Until the next generation.
}

//===-- The session's thread ----------------------------------------------===//

void OwnFeed::command(const Command &command) {
  {
    std::lock_guard guard(lock);
    pending = command;
    current = command.generation;
    allowance = command.allowance;
    for (Parcel *parcel : ready)
      idle.push_back(parcel);
    ready.clear();
  }
  workerWakes.notify_one();
}

void OwnFeed::credit(const Credit &credit) {
  {
    std::lock_guard guard(lock);
    if (credit.generation != current)
      return;
    allowance = std::max(allowance, credit.allowance);
  }
  workerWakes.notify_one();
}

const Frame *OwnFeed::take() {
  std::lock_guard guard(lock);
  if (taken || ready.empty())
    return nullptr;
  taken = ready.front();
  ready.pop_front();
  return &taken->frame;
}

void OwnFeed::sent() {
  {
    std::lock_guard guard(lock);
    idle.push_back(std::exchange(taken, nullptr));
  }
  workerWakes.notify_one();
}

} // namespace fuel
