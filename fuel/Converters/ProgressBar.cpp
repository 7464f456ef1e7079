// ProgressBar: a line on the terminal that is written again a few times a
// second. See include/fuel/Progress.h.
#include "fuel/Progress.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <unistd.h>

namespace fuel {

namespace {
using Clock = std::chrono::steady_clock;

class ProgressBar : public Progress {
public:
  void start(const std::string &name, int64_t steps) override {
    what = name;
    total = steps;
    done = 0;
    begin = Clock::now();
    draw(begin);
  }
  void advance(int64_t steps) override {
    done += steps;
    Clock::time_point now = Clock::now();
    if (now - drawn >= std::chrono::milliseconds(200))
      draw(now);
  }
  void finish() override {
    draw(Clock::now());
    std::fputc('\n', stderr);
  }

private:
  void draw(Clock::time_point now) {
    drawn = now;
    double seconds = std::chrono::duration<double>(now - begin).count();
    std::string line = "\r" + what + ": " + amount();
    char time[32];
    std::snprintf(time, sizeof time, " %.0f s", seconds);
    line += time;
    // The line that was there may have been longer.
    line += "\x1b[K";
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
  }
  std::string amount() const {
    if (total <= 0)
      return std::to_string(done);
    constexpr int width = 30;
    int full = int(std::min<int64_t>(done, total) * width / total);
    return "[" + std::string(size_t(full), '#') +
           std::string(size_t(width - full), ' ') + "] " +
           std::to_string(std::min<int64_t>(done, total) * 100 / total) + "% " +
           std::to_string(done) + "/" + std::to_string(total);
  }

  std::string what;
  int64_t total = 0, done = 0;
  Clock::time_point begin, drawn;
};
} // namespace

std::unique_ptr<Progress> makeProgressBar() {
  if (!::isatty(STDERR_FILENO))
    return nullptr;
  return std::make_unique<ProgressBar>();
}

} // namespace fuel
