// StreamStatistics: where a stream's time goes. "Is training waiting for data?"
// is answered by `waited` beside the wall-clock time; "for which part of the
// pipeline?" by the layers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fuel {

/// The work of one layer, summed over all threads.
struct LayerTime {
  std::string name;
  int64_t items = 0;
  double seconds = 0;
};

struct StreamStatistics {
  int64_t batches = 0; ///< Delivered.
  int64_t workers = 0; ///< Threads; 0: batches are made within `next`.
  int64_t waits = 0;   ///< Calls of `next` that found nothing ready.
  double waited = 0;   ///< Seconds spent in `next`.
  double between = 0;  ///< Seconds from one `next` to the following one.
  std::vector<LayerTime> layers; ///< From the data to the top.
};

} // namespace fuel
