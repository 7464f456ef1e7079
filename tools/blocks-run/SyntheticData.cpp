// Synthetic batches: see the header.
#include "tools/blocks-run/SyntheticData.h"

#include "blocks/Error.h"
#include "blocks/Philox.h"

#include <set>

namespace blocks::cli {

static Shape concreteShape(const SourceSpec &source,
                           const std::map<std::string, int64_t> &extents) {
  Shape shape = source.shape;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] >= 0)
      continue;
    auto found = extents.find(source.axes[d]);
    if (found == extents.end())
      throw UsageError("axis '" + source.axes[d] + "' of source '" +
                       source.name + "' has no extent; add " + source.axes[d] +
                       "=N to --shape");
    shape[d] = found->second;
  }
  return shape;
}

void checkAxes(const EntrySpec &entry,
               const std::map<std::string, int64_t> &extents) {
  std::set<std::string> axes;
  for (const SourceSpec &source : entry.sources)
    for (size_t d = 0; d < source.shape.size(); ++d)
      if (source.shape[d] < 0)
        axes.insert(source.axes[d]);
  std::string known;
  for (const std::string &axis : axes)
    known += (known.empty() ? "" : ", ") + axis;
  for (const auto &[axis, extent] : extents)
    if (!axes.count(axis))
      throw UsageError(
          "--shape names the axis '" + axis + "', but entry '" + entry.name +
          "' has " +
          (known.empty() ? "no axis that can vary" : "the axes " + known));
}

template <typename T>
static void fill(Array &array, uint64_t seed, uint32_t site, bool isFloat) {
  T *data = array.as<T>();
  for (int64_t i = 0; i < array.size(); ++i) {
    uint32_t bits = philoxBits(seed, site, 0, 0, uint64_t(i));
    data[i] = isFloat ? T(philoxUniform(bits)) : T(bits & 1);
  }
}

static void fillByType(Array &array, uint64_t seed, uint32_t site) {
  switch (array.dtype()) {
  case DType::Float32:
    return fill<float>(array, seed, site, true);
  case DType::Float64:
    return fill<double>(array, seed, site, true);
  default:
    break;
  }
  switch (dtypeSize(array.dtype())) {
  case 1:
    return fill<uint8_t>(array, seed, site, false);
  case 2:
    return fill<uint16_t>(array, seed, site, false);
  case 4:
    return fill<uint32_t>(array, seed, site, false);
  default:
    return fill<uint64_t>(array, seed, site, false);
  }
}

std::vector<Array> syntheticBatch(const EntrySpec &entry,
                                  const std::map<std::string, int64_t> &extents,
                                  uint64_t seed) {
  std::vector<Array> batch;
  for (const SourceSpec &source : entry.sources) {
    Array &array =
        batch.emplace_back(source.dtype, concreteShape(source, extents));
    fillByType(array, seed, siteHash(source.name.data(), source.name.size()));
  }
  return batch;
}

} // namespace blocks::cli
