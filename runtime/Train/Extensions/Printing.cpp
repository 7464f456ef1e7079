// Printing: see Printing.h.
#include "runtime/Train/Extensions/Printing.h"

#include <cstdio>

namespace blocks {

std::string formatValues(std::span<const NamedValue> values) {
  std::string result;
  for (const NamedValue &value : values) {
    char number[32];
    std::snprintf(number, sizeof(number), "%.6g", value.value);
    if (!result.empty())
      result += ", ";
    ((result += value.name) += ' ') += number;
  }
  return result;
}

static std::string progress(const LoopStatus &status) {
  return std::to_string(status.epochs) + " epochs, " +
         std::to_string(status.iterations) + " batches";
}

void Printing::onResumption(MainLoop &loop) {
  text << "resumed after " << progress(loop.status());
  if (loop.status().epochStarted)
    text << " (" << loop.status().batchesInEpoch << " in this epoch)";
  text << std::endl;
}

void Printing::afterEpoch(MainLoop &loop) {
  text << "epoch " << loop.status().epochs;
  if (epochs > 0)
    text << "/" << epochs;
  text << ", " << loop.status().iterations
       << " batches: " << formatValues(loop.row) << "; " << timing.summary()
       << std::endl;
}

void Printing::onInterrupt(MainLoop &loop) {
  text << "interrupted by signal " << loop.interruptedBy() << std::endl;
}

void Printing::afterTraining(MainLoop &loop) {
  text << "training ended after " << progress(loop.status()) << ": "
       << loop.finishReason() << std::endl;
}

} // namespace blocks
