// SharedFeed: see SharedFeed.h.
#include "fuel/Server/SharedFeed.h"

namespace fuel {

SharedFeed::SharedFeed(Dealer &all, const wire::Hello &hello, Bell &sessionBell)
    : dealer(all), identity(hello.identity), bell(sessionBell) {
  dealer.enter(identity, hello.attempt, bell);
}

SharedFeed::~SharedFeed() { dealer.exit(identity, bell, left); }

void SharedFeed::command(const wire::Command &command) {
  dealer.command(identity, bell, command);
}

void SharedFeed::credit(const wire::Credit &credit) {
  dealer.credit(identity, bell, credit);
}

const Frame *SharedFeed::take() {
  if (taken || !dealer.take(identity, bell, frame, item))
    return nullptr;
  taken = true;
  return &frame;
}

void SharedFeed::sent() {
  taken = false;
  item.reset();
}

} // namespace fuel
