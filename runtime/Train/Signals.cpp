// Signals: see Signals.h. A handler can reach nothing but objects of static
// duration, hence the counters below; they are lock-free atomics.
#include "runtime/Train/Signals.h"

#include <atomic>
#include <csignal>

namespace blocks {

namespace {
std::atomic<int> installed{0};
std::atomic<int> received{0};
std::atomic<bool> terminated{false};
static_assert(std::atomic<int>::is_always_lock_free);
struct sigaction formerInt, formerTerm, formerSize;

void countSignal(int number) {
  if (number == SIGTERM)
    terminated = true;
  if (received.fetch_add(1) + 1 < 3)
    return;
  // The default action strikes when this handler returns.
  std::signal(number, SIG_DFL);
  std::raise(number);
}
} // namespace

InterruptSignals::InterruptSignals() {
  if (installed.fetch_add(1) > 0)
    return;
  received = 0;
  terminated = false;
  struct sigaction action = {};
  action.sa_handler = countSignal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &formerInt);
  sigaction(SIGTERM, &action, &formerTerm);
  action.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &action, &formerSize);
}

InterruptSignals::~InterruptSignals() {
  if (installed.fetch_sub(1) > 1)
    return;
  sigaction(SIGINT, &formerInt, nullptr);
  sigaction(SIGTERM, &formerTerm, nullptr);
  sigaction(SIGXFSZ, &formerSize, nullptr);
}

InterruptSignals::Level InterruptSignals::level() const {
  if (terminated || received >= 2)
    return Level::FinishBatch;
  return received == 1 ? Level::FinishEpoch : Level::None;
}

int InterruptSignals::signal() const {
  if (terminated)
    return SIGTERM;
  return received > 0 ? SIGINT : 0;
}

} // namespace blocks
