// Profile: see Profile.h.
#include "runtime/Train/Extensions/Profile.h"

#include <cstdio>
#include <ostream>

namespace blocks {

void Profile::beforeTraining(MainLoop &loop) {
  begin = Clock::now();
  timesAtBegin = loop.times();
  iterationsAtBegin = loop.status().iterations;
}

void Profile::afterTraining(MainLoop &loop) {
  RunProfile profile;
  profile.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  profile.waited = loop.times().readData - timesAtBegin.readData;
  profile.trained = loop.times().train - timesAtBegin.train;
  profile.batches = loop.status().iterations - iterationsAtBegin;
  profile.data = loop.stream().statistics();
  print(profile);
  events.profile(profile);
}

void Profile::print(const RunProfile &profile) {
  char line[256];
  auto share = [&](const char *name, double seconds) {
    std::snprintf(line, sizeof line, "  %-18s %9.3f s  %6.2f %%\n", name,
                  seconds,
                  profile.seconds > 0 ? 100 * seconds / profile.seconds : 0);
    text << line;
  };
  std::snprintf(line, sizeof line, "%lld batches in %.3f s:\n",
                static_cast<long long>(profile.batches), profile.seconds);
  text << line;
  share("waiting for data", profile.waited);
  share("training steps", profile.trained);
  share("all else", profile.seconds - profile.waited - profile.trained);
  if (!profile.data)
    return;
  std::snprintf(
      line, sizeof line,
      "Data, in threads of their own: %lld; %lld of %lld batches were "
      "not ready when asked for:\n",
      static_cast<long long>(profile.data->workers),
      static_cast<long long>(profile.data->waits),
      static_cast<long long>(profile.data->batches));
  text << line;
  for (const fuel::LayerTime &layer : profile.data->layers) {
    std::snprintf(line, sizeof line, "  %9.3f s  ", layer.seconds);
    text << line << layer.name << "\n";
  }
  text << std::flush;
}

} // namespace blocks
