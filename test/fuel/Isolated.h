// Isolated: work in a process of its own, so that a crash, an endless loop or a
// huge allocation in it is a failed check and not the end of the test.
#pragma once

#include <functional>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace isolated {

/// Sanitizers reserve terabytes of addresses.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif
#else
constexpr bool sanitized = false;
#endif

/// In the child: ends it by a signal unless it is called again before so many
/// seconds of processor time, or twenty times as many on the clock.
inline void allowSeconds(unsigned seconds) {
  if (sanitized)
    seconds *= 20;
  itimerval processor{};
  processor.it_value.tv_sec = seconds;
  ::setitimer(ITIMER_PROF, &processor, nullptr);
  ::alarm(20 * seconds);
}

/// In the child: allocations beyond so many bytes fail.
inline void limitMemory(size_t bytes) {
  rlimit limit{bytes, bytes};
  if (!sanitized)
    ::setrlimit(RLIMIT_AS, &limit);
}

/// Calls `work(tally)` in a child. What it counted comes back if it ends;
/// returns the signal that ended it, -1 for another failure, or 0.
template <typename Tally, typename Work> int run(Tally &tally, Work work) {
  int ends[2];
  if (::pipe(ends) != 0)
    return -1;
  pid_t child = ::fork();
  if (child == 0) {
    rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    Tally mine{};
    work(mine);
    bool written = ::write(ends[1], &mine, sizeof mine) == sizeof mine;
    ::_exit(written ? 0 : 3);
  }
  ::close(ends[1]);
  if (::read(ends[0], &tally, sizeof tally) != sizeof tally)
    tally = Tally{};
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) ? -1 : 0;
}

} // namespace isolated
