// StreamState: the state of a stream as data: which epoch, how many items of it
// were delivered, and the scheme's generator at its start. Streams with and
// without prefetching share it, so a run may resume with the other choice.
#pragma once

#include <cstdint>
#include <string>

namespace fuel {

struct StreamState {
  int64_t epoch = 0;    ///< Epochs started; 0: none yet.
  int64_t consumed = 0; ///< Items delivered in this epoch.
  std::string scheme = "-";

  /// "fuel-stream/1 epoch=2 consumed=17 scheme=…".
  std::string text() const;
  /// Throws InputError on anything else.
  static StreamState parse(const std::string &text);
};

} // namespace fuel
