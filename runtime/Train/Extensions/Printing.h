// Printing: one line an epoch for the person who watches, and a word at the
// beginning and the end.
#pragma once

#include "blocks/MainLoop.h"
#include "runtime/Train/Extensions/Timing.h"

#include <ostream>

namespace blocks {

class Printing : public Extension {
public:
  /// `epochs` is the total, 0 if unknown; `timing` stands before this one.
  Printing(std::ostream &text, int64_t epochs, const Timing &timing)
      : text(text), epochs(epochs), timing(timing) {}
  std::string name() const override { return "printing"; }

  void onResumption(MainLoop &loop) override;
  void afterEpoch(MainLoop &loop) override;
  void onInterrupt(MainLoop &loop) override;
  void afterTraining(MainLoop &loop) override;

private:
  std::ostream &text;
  int64_t epochs;
  const Timing &timing;
};

/// "train/cost 0.5231, test/error_rate 0.12": six significant digits.
std::string formatValues(std::span<const NamedValue> values);

} // namespace blocks
