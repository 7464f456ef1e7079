// NanGuard: see NanGuard.h.
#include "runtime/Train/Extensions/NanGuard.h"

#include "blocks/Error.h"
#include "blocks/Parameters.h"
#include "runtime/Train/Aggregator.h"

#include <algorithm>
#include <cmath>

namespace blocks {

namespace {
bool isCost(const OutputSpec &output) {
  return std::find(output.roles.begin(), output.roles.end(), "cost") !=
         output.roles.end();
}

const char *nameOf(double value) {
  return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

template <typename T> bool allFinite(const Array &array) {
  const T *values = array.as<T>();
  // x - x is 0 for finite x and NaN otherwise; a sum vectorizes.
  T sum = 0;
  for (int64_t i = 0, n = array.size(); i < n; ++i)
    sum += values[i] - values[i];
  return sum == 0;
}
} // namespace

NanGuard::NanGuard(const EntrySpec &entry, OnNan action, std::ostream &messages)
    : action(action), messages(messages) {
  bool anyCost =
      std::any_of(entry.outputs.begin(), entry.outputs.end(), isCost);
  for (size_t i = 0; i < entry.outputs.size(); ++i)
    if (entry.outputs[i].shape.empty() &&
        (!anyCost || isCost(entry.outputs[i])))
      watched.push_back(i);
}

void NanGuard::afterBatch(MainLoop &loop) {
  for (size_t output : watched)
    if (double value = scalarValue(loop.outputs()[output]);
        !std::isfinite(value))
      found(loop, output, value);
}

void NanGuard::found(MainLoop &loop, size_t output, double value) {
  std::string what =
      "'" + loop.entry().outputs[output].name + "' is " + nameOf(value) +
      " at step " + std::to_string(loop.status().iterations) + " (epoch " +
      std::to_string(loop.status().epochOfLastBatch()) + ", batch " +
      std::to_string(loop.status().batchesInEpoch) + ")";
  if (action == OnNan::Stop)
    throw NumericError(what + "; lower the learning rate or clip the gradient, "
                              "and resume from the last checkpoint, or train "
                              "on with --on-nan continue");
  if (!announced)
    messages << "warning: " << what << "; training goes on (--on-nan continue)"
             << std::endl;
  announced = true;
}

void checkFinite(const ProgramSpec &spec, const ProgramState &state,
                 int64_t iterations) {
  for (size_t i = 0; i < spec.state.size(); ++i) {
    const Array &array = state.arrays[i];
    if (!isParameter(spec.state[i]) ||
        (array.dtype() == DType::Float32   ? allFinite<float>(array)
         : array.dtype() == DType::Float64 ? allFinite<double>(array)
                                           : true))
      continue;
    throw NumericError("parameter '" + spec.state[i].path +
                       "' holds NaN or infinity after step " +
                       std::to_string(iterations) +
                       "; the previous checkpoint is kept");
  }
}

} // namespace blocks
