// Hyperparameters: see Hyperparameters.h.
#include "runtime/Train/Hyperparameters.h"

#include "blocks/Error.h"
#include "blocks/EventSink.h"
#include "runtime/Train/Aggregator.h"

#include <string_view>

namespace blocks {

namespace {
constexpr const char *role = "algorithm_hyperparameter";

std::string format(const Array &array) {
  char text[40];
  return {text,
          formatJsonNumber({"", scalarValue(array), array.dtype()}, text)};
}
/// "/algorithm.learning_rate" is also called "learning_rate".
bool isCalled(const std::string &path, const std::string &name) {
  return path == name || path.ends_with("." + name);
}

template <typename T> bool setElement(Array &array, T value) {
  if (*array.as<T>() == value)
    return false;
  *array.as<T>() = value;
  return true;
}
} // namespace

size_t findHyperparameter(const ProgramSpec &spec, const std::string &name) {
  std::vector<size_t> found;
  std::string known;
  for (size_t i = 0; i < spec.state.size(); ++i) {
    const StateSpec &one = spec.state[i];
    if (!one.hasRole(role) || !one.shape.empty())
      continue;
    known += (known.empty() ? "'" : ", '") + one.path + "'";
    if (isCalled(one.path, name))
      found.push_back(i);
  }
  if (found.size() == 1)
    return found.front();
  throw UsageError((found.empty() ? "there is no hyperparameter '"
                                  : "there are several hyperparameters '") +
                   name + "'; there are " + (known.empty() ? "none" : known));
}

bool setScalar(Array &array, double value) {
  switch (array.dtype()) {
  case DType::Float32:
    return setElement(array, float(value));
  case DType::Float64:
    return setElement(array, value);
  case DType::Int64:
    return setElement(array, int64_t(value));
  default:
    throw UnsupportedError("hyperparameters of type " +
                           std::string(dtypeName(array.dtype())) +
                           " cannot be set");
  }
}

void applyHyperparameters(const ProgramSpec &spec, ProgramState &state,
                          const std::map<std::string, double> &values,
                          std::ostream *announce) {
  for (const auto &[path, value] : values) {
    Array &array = state.arrays[findHyperparameter(spec, path)];
    std::string former = format(array);
    setScalar(array, value);
    if (announce && format(array) != former)
      *announce << "'" << path << "' was " << former
                << " in the checkpoint; continuing with " << format(array)
                << std::endl;
  }
}

} // namespace blocks
