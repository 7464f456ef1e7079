// CastExamples: see CastExamples.h.
#include "fuel/Converters/Generic/CastExamples.h"

#include "blocks/Error.h"
#include "fuel/Transformers/Elements.h"
#include "fuel/Transformers/Half.h"

#include <algorithm>
#include <cmath>

namespace fuel {

using blocks::Array;
using blocks::DType;

//===-- Names -------------------------------------------------------------===//

DType elementTypeNamed(const std::string &name, const std::string &option) {
  constexpr std::pair<const char *, DType> names[] = {
      {"bool", DType::Bool},       {"int8", DType::Int8},
      {"int16", DType::Int16},     {"int32", DType::Int32},
      {"int64", DType::Int64},     {"uint8", DType::UInt8},
      {"uint16", DType::UInt16},   {"uint32", DType::UInt32},
      {"uint64", DType::UInt64},   {"float16", DType::Float16},
      {"float32", DType::Float32}, {"float64", DType::Float64}};
  for (const auto &[known, dtype] : names)
    if (name == known || name == blocks::dtypeName(dtype))
      return dtype;
  throw blocks::UsageError(
      "--" + option + " names the element type '" + name +
      "'; expected bool, int8 to int64, uint8 to uint64, or float16 to "
      "float64");
}

ConverterOption ElementTypes::option() {
  ConverterOption option;
  option.name = "dtype";
  option.help =
      "element type of all sources, or of one as SOURCE=TYPE; numbers "
      "that it cannot hold are an error";
  option.repeated = true;
  return option;
}

ElementTypes::ElementTypes(const std::vector<std::string> &given) {
  for (const std::string &text : given) {
    size_t equals = text.find('=');
    if (equals == std::string::npos)
      all = elementTypeNamed(text, "dtype");
    else
      single[text.substr(0, equals)] =
          elementTypeNamed(text.substr(equals + 1), "dtype");
  }
}

void ElementTypes::check(const std::vector<SourceInfo> &sources) const {
  for (const auto &[name, dtype] : single)
    if (std::none_of(sources.begin(), sources.end(),
                     [&](auto &source) { return source.name == name; }))
      throw blocks::UsageError("--dtype names the source '" + name +
                               "', which there is not");
}

void ElementTypes::addDefault(const std::string &source, DType dtype,
                              bool general) {
  single.emplace(source, general && all ? *all : dtype);
}

std::optional<DType> ElementTypes::of(const std::string &source) const {
  auto found = single.find(source);
  return found == single.end() ? all : found->second;
}

//===-- Numbers -----------------------------------------------------------===//

namespace {
/// Wide enough for every element type, so that comparison is exact.
long double valueAt(const Array &array, int64_t i) {
  switch (array.dtype()) {
  case DType::Bool:
    return array.as<uint8_t>()[i] != 0;
  case DType::Int8:
    return array.as<int8_t>()[i];
  case DType::Int16:
    return array.as<int16_t>()[i];
  case DType::Int32:
    return array.as<int32_t>()[i];
  case DType::Int64:
    return array.as<int64_t>()[i];
  case DType::UInt8:
    return array.as<uint8_t>()[i];
  case DType::UInt16:
    return array.as<uint16_t>()[i];
  case DType::UInt32:
    return array.as<uint32_t>()[i];
  case DType::UInt64:
    return array.as<uint64_t>()[i];
  case DType::Float16:
    return halfValue(array.as<uint16_t>()[i]);
  case DType::Float32:
    return array.as<float>()[i];
  case DType::Float64:
    return array.as<double>()[i];
  }
  return 0;
}

bool isFloat(DType dtype) { return dtype >= DType::Float16; }

class CastReader : public ExampleReader {
public:
  CastReader(std::unique_ptr<ExampleReader> inner, const ElementTypes &types,
             const std::string &where)
      : inner(std::move(inner)), where(where) {
    infos = this->inner->sources();
    for (SourceInfo &info : infos)
      if (auto dtype = types.of(info.name); dtype && !info.text)
        info.dtype = *dtype;
  }
  const std::vector<SourceInfo> &sources() const override { return infos; }
  std::optional<int64_t> rows() const override { return inner->rows(); }
  bool readInOrder(std::vector<int64_t> order) override {
    return inner->readInOrder(std::move(order));
  }
  std::string remark() const override { return inner->remark(); }

  bool next(Batch &batch) override {
    if (!inner->next(batch))
      return false;
    for (size_t i = 0; i < infos.size(); ++i)
      if (batch.sources[i].dtype() != infos[i].dtype) {
        castElements(batch.sources[i], infos[i].dtype, result);
        check(batch.sources[i], infos[i].name);
        std::swap(batch.sources[i], result);
      }
    done += batch.examples;
    return true;
  }

private:
  void check(const Array &given, const std::string &source) const {
    // Reals are rounded; what counts or names something is not.
    bool rounds = isFloat(result.dtype()) && isFloat(given.dtype());
    for (int64_t i = 0, n = given.size(); i < n; ++i) {
      long double before = valueAt(given, i), after = valueAt(result, i);
      if (rounds ? std::isfinite(after) || !std::isfinite(before)
                 : before == after)
        continue;
      std::string number = std::to_string(before);
      number.erase(number.find_last_not_of('0') + 1);
      if (number.ends_with('.'))
        number.pop_back();
      throw blocks::InputError(
          where + ", source '" + source + "', row " +
          std::to_string(done +
                         i / std::max<int64_t>(1, n / given.shape().at(0))) +
          ": " + number + " does not fit the element type " +
          std::string(blocks::dtypeName(result.dtype())) +
          "; choose another with --dtype");
    }
  }

  std::unique_ptr<ExampleReader> inner;
  std::string where;
  std::vector<SourceInfo> infos;
  Array result;
  int64_t done = 0;
};
} // namespace

std::unique_ptr<ExampleReader>
castExamples(std::unique_ptr<ExampleReader> reader, const ElementTypes &types,
             const std::string &where) {
  return std::make_unique<CastReader>(std::move(reader), types, where);
}

} // namespace fuel
