// StreamState: the state of a stream as one line of text: which epoch, how many
// items of it were delivered, the random generators at its start, and where
// each layer stands. A checksum tells damage. Streams with any number of
// workers share it, so a run may resume with another one.
#pragma once

#include "fuel/Layer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fuel {

struct StreamState {
  int64_t epoch = 0;    ///< Epochs started; 0: none yet.
  int64_t consumed = 0; ///< Items delivered in this epoch.
  std::vector<std::string> random;
  Position position;

  /// "fuel-stream/2 epoch=2 consumed=17 random=… at=… streams=… check=…".
  std::string text() const;
  /// Throws InputError on anything else.
  static StreamState parse(const std::string &text);
};

} // namespace fuel
