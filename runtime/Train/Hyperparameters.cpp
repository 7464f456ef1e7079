// Hyperparameters: see Hyperparameters.h.
#include "runtime/Train/Hyperparameters.h"

#include "blocks/Error.h"
#include "blocks/EventSink.h"
#include "runtime/Train/Aggregator.h"

#include <string_view>

namespace blocks {

namespace {
constexpr const char *role = "algorithm_hyperparameter";

size_t find(const ProgramSpec &spec, const std::string &path) {
  int64_t index = spec.findState(path);
  if (index >= 0 && spec.state[size_t(index)].hasRole(role) &&
      spec.state[size_t(index)].shape.empty())
    return size_t(index);
  std::string known;
  for (const StateSpec &one : spec.state)
    if (one.hasRole(role))
      known += (known.empty() ? "'" : ", '") + one.path + "'";
  throw UsageError("there is no hyperparameter '" + path + "'; there are " +
                   (known.empty() ? "none" : known));
}

void store(Array &array, double value) {
  if (array.dtype() == DType::Float32)
    *array.as<float>() = float(value);
  else if (array.dtype() == DType::Float64)
    *array.as<double>() = value;
  else if (array.dtype() == DType::Int64)
    *array.as<int64_t>() = int64_t(value);
  else
    throw UnsupportedError("hyperparameters of type " +
                           std::string(dtypeName(array.dtype())) +
                           " cannot be set");
}

std::string format(const Array &array) {
  char text[40];
  return {text,
          formatJsonNumber({"", scalarValue(array), array.dtype()}, text)};
}
} // namespace

void applyHyperparameters(const ProgramSpec &spec, ProgramState &state,
                          const std::map<std::string, double> &values,
                          std::ostream *announce) {
  for (const auto &[path, value] : values) {
    Array &array = state.arrays[find(spec, path)];
    std::string former = format(array);
    store(array, value);
    if (announce && format(array) != former)
      *announce << "'" << path << "' was " << former
                << " in the checkpoint; continuing with " << format(array)
                << std::endl;
  }
}

} // namespace blocks
