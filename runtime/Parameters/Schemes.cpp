// See Schemes.h.
#include "runtime/Parameters/Schemes.h"
#include "runtime/Parameters/Initialization.h"

#include "blocks/Error.h"
#include "blocks/Philox.h"

#include <algorithm>
#include <numeric>

namespace blocks {

void fail(const StateSpec &spec, const std::string &what) {
  throw InputError("initial values of '" + spec.path + "' (" +
                   std::string(dtypeName(spec.dtype)) + ", " +
                   formatShape(spec.shape) + "), scheme '" +
                   spec.initializer.kind + "': " + what);
}

Values::Values(const StateSpec &spec,
               std::initializer_list<std::string_view> known)
    : spec(spec) {
  for (auto &[name, value] : spec.initializer.values)
    if (std::find(known.begin(), known.end(), name) == known.end())
      fail(spec, "it has no value called '" + name + "'");
}

bool Values::has(const std::string &name) const {
  return spec.initializer.values.count(name) != 0;
}

double Values::get(const std::string &name, double otherwise) const {
  auto it = spec.initializer.values.find(name);
  return it == spec.initializer.values.end() ? otherwise : it->second;
}

void store(Array &array, int64_t i, double value) {
  switch (array.dtype()) {
  case DType::Float32:
    array.as<float>()[i] = float(value);
    return;
  case DType::Float64:
    array.as<double>()[i] = value;
    return;
  case DType::Int32:
    array.as<int32_t>()[i] = int32_t(value);
    return;
  case DType::Int64:
    array.as<int64_t>()[i] = int64_t(value);
    return;
  default:
    throw UnsupportedError("initial values of type " +
                           std::string(dtypeName(array.dtype())) +
                           " are not supported; use f32, f64, i32 or i64");
  }
}

Array drawPart(const StateSpec &spec, size_t i, const InitializerSpec &part,
               const Shape &shape, uint64_t seed) {
  StateSpec own = spec;
  own.path += "[" + std::to_string(i) + "]";
  own.dtype = DType::Float64;
  own.shape = shape;
  own.initializer = part;
  return makeInitialArray(own, seed);
}

/// The first steps of a shuffle (Fisher and Yates) of each row's columns.
std::vector<int64_t> drawChoices(const StateSpec &spec, int64_t rows,
                                 int64_t count, int64_t columns,
                                 uint64_t seed) {
  uint32_t site = siteHash(spec.path.data(), spec.path.size());
  std::vector<int64_t> order(static_cast<size_t>(columns)), chosen;
  for (int64_t row = 0; row < rows; ++row) {
    std::iota(order.begin(), order.end(), 0);
    for (int64_t k = 0; k < count; ++k) {
      // The product with 32 random bits, without a bias that could be seen.
      uint64_t bits = philoxBits(seed, site, 0, 0, uint64_t(row * count + k));
      int64_t other = k + int64_t((bits * uint64_t(columns - k)) >> 32);
      std::swap(order[size_t(k)], order[size_t(other)]);
      chosen.push_back(order[size_t(k)]);
    }
  }
  return chosen;
}

} // namespace blocks
