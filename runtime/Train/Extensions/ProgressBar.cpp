// ProgressBar: see ProgressBar.h.
#include "runtime/Train/Extensions/ProgressBar.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace blocks {

void ProgressBar::begin(MainLoop &loop) {
  batchesPerEpoch = loop.stream().batchesPerEpoch().value_or(0);
  firstBatch = loop.status().batchesInEpoch;
  epochBegin = lastDrawn = Clock::now();
}

void ProgressBar::afterBatch(MainLoop &loop) {
  Clock::time_point now = Clock::now();
  if (now - lastDrawn < std::chrono::milliseconds(100))
    return;
  lastDrawn = now;
  draw(loop.status(), std::chrono::duration<double>(now - epochBegin).count());
}

void ProgressBar::draw(const LoopStatus &status, double seconds) {
  constexpr int width = 24;
  char line[160], total[32] = "", bar[width + 1] = "", remaining[48] = "";
  if (epochs > 0)
    std::snprintf(total, sizeof(total), "/%lld",
                  static_cast<long long>(epochs));
  int64_t done = status.batchesInEpoch;
  int n =
      std::snprintf(line, sizeof(line), "\r\033[Kepoch %lld%s  ",
                    static_cast<long long>(status.epochOfLastBatch()), total);
  if (batchesPerEpoch > 0) {
    double part = std::min(1.0, double(done) / double(batchesPerEpoch));
    int filled = int(part * width);
    std::memset(bar, '#', size_t(filled));
    std::memset(bar + filled, '-', size_t(width - filled));
    double rate = seconds / double(std::max<int64_t>(1, done - firstBatch));
    std::snprintf(remaining, sizeof(remaining), ", %.0f s to go",
                  rate * double(std::max<int64_t>(0, batchesPerEpoch - done)));
    n += std::snprintf(
        line + n, sizeof(line) - size_t(n), "[%s] %lld/%lld batches", bar,
        static_cast<long long>(done), static_cast<long long>(batchesPerEpoch));
  } else {
    n += std::snprintf(line + n, sizeof(line) - size_t(n), "%lld batches",
                       static_cast<long long>(done));
  }
  n += std::snprintf(line + n, sizeof(line) - size_t(n), ", %.0f s%s", seconds,
                     remaining);
  text.write(line, std::min<int>(n, int(sizeof(line)) - 1)).flush();
  visible = true;
}

void ProgressBar::clear() {
  if (visible)
    text << "\r\033[K" << std::flush;
  visible = false;
}

} // namespace blocks
