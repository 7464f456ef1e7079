// SignalsBlocked: signals are for the main thread, which knows what to do with
// them. While one of these lives, all are blocked for the calling thread, and a
// thread that it starts inherits that.
#pragma once

#include <csignal>

namespace blocks {

class SignalsBlocked {
public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
  SignalsBlocked(const SignalsBlocked &) = delete;
  SignalsBlocked &operator=(const SignalsBlocked &) = delete;

private:
  sigset_t before;
};

} // namespace blocks
