// Timing: see Timing.h.
#include "runtime/Train/Extensions/Timing.h"

#include <cstdio>
#include <fcntl.h>

namespace blocks {

Timing::Timing(const std::string &path, bool append) {
  if (!path.empty())
    file = FileDescriptor(path,
                          O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC));
}

void Timing::begin(MainLoop &loop) {
  epochBegin = Clock::now();
  timesAtBegin = loop.times();
  iterationsAtBegin = loop.status().iterations;
}

void Timing::afterEpoch(MainLoop &loop) {
  double total =
      std::chrono::duration<double>(Clock::now() - epochBegin).count();
  double read = loop.times().readData - timesAtBegin.readData;
  double train = loop.times().train - timesAtBegin.train;
  int64_t batches = loop.status().iterations - iterationsAtBegin;
  char line[256];
  std::snprintf(line, sizeof(line), "%.2f s (training %.2f s, data %.2f s)",
                total, train, read);
  text = line;
  if (!file.isOpen())
    return;
  int n = std::snprintf(
      line, sizeof(line),
      "{\"iterations\":%lld,\"epoch\":%lld,\"batches\":%lld,\"seconds\":{"
      "\"epoch\":%.6f,\"train\":%.6f,\"read_data\":%.6f}}\n",
      static_cast<long long>(loop.status().iterations),
      static_cast<long long>(loop.status().epochs),
      static_cast<long long>(batches), total, train, read);
  file.writeAll(line, size_t(n));
}

} // namespace blocks
