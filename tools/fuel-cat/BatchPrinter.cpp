// BatchPrinter: see BatchPrinter.h.
#include "tools/fuel-cat/BatchPrinter.h"

#include "fuel/Transformers/Half.h"
#include "runtime/Base/Sha256.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace fuel {

using blocks::Array;
using blocks::DType;
using Json = nlohmann::ordered_json;

namespace {
constexpr int64_t allValues = 64, someValues = 24;

bool isFloat(DType dtype) { return dtype >= DType::Float16; }
bool isUnsigned(DType t) { return t >= DType::UInt8 && t <= DType::UInt64; }

double realAt(const Array &array, int64_t i) {
  switch (array.dtype()) {
  case DType::Float16:
    return halfValue(array.as<uint16_t>()[i]);
  case DType::Float32:
    return array.as<float>()[i];
  default:
    return array.as<double>()[i];
  }
}

/// Any integer or boolean; those of 64 unsigned bits wrap around.
int64_t integerAt(const Array &array, int64_t i) {
  switch (array.dtype()) {
  case DType::Int8:
    return array.as<int8_t>()[i];
  case DType::Int16:
    return array.as<int16_t>()[i];
  case DType::Int32:
    return array.as<int32_t>()[i];
  case DType::UInt16:
    return array.as<uint16_t>()[i];
  case DType::UInt32:
    return array.as<uint32_t>()[i];
  case DType::Int64:
  case DType::UInt64:
    return array.as<int64_t>()[i];
  default:
    return array.as<uint8_t>()[i];
  }
}

/// JSON has no infinities: they are strings, as Python prints them.
Json real(double x) {
  if (std::isnan(x))
    return "nan";
  if (std::isinf(x))
    return x > 0 ? "inf" : "-inf";
  return x;
}

Json integer(const Array &array, int64_t value) {
  return isUnsigned(array.dtype()) ? Json(uint64_t(value)) : Json(value);
}

Json valueAt(const Array &array, int64_t i) {
  if (isFloat(array.dtype()))
    return real(realAt(array, i));
  if (array.dtype() == DType::Bool)
    return integerAt(array, i) != 0;
  return integer(array, integerAt(array, i));
}

/// In double precision, in order; integers exactly, modulo 2^64.
Json sumOf(const Array &array) {
  if (isFloat(array.dtype())) {
    double sum = 0;
    for (int64_t i = 0; i < array.size(); ++i)
      sum += realAt(array, i);
    return real(sum);
  }
  uint64_t sum = 0;
  for (int64_t i = 0; i < array.size(); ++i)
    sum += uint64_t(integerAt(array, i));
  return integer(array, int64_t(sum));
}

Json valuesOf(const Array &array, int64_t count) {
  Json values = Json::array();
  for (int64_t i = 0; i < std::min(count, array.size()); ++i)
    values.push_back(valueAt(array, i));
  return values;
}

/// Item `i` of a ragged source, as an array of its own.
Array itemOf(const Array &array, const RaggedItems &items, int64_t i) {
  auto shape = items.shape(i);
  Array item(array.dtype(), {shape.begin(), shape.end()});
  size_t width = blocks::dtypeSize(array.dtype());
  std::copy_n(array.data() + size_t(items.offsets[size_t(i)]) * width,
              item.bytes(), item.data());
  return item;
}

Json describe(const Array &array) {
  blocks::Sha256 hash;
  hash.update(array.data(), array.bytes());
  Json result{{"kind", "array"},
              {"dtype", std::string(blocks::dtypeNumpy(array.dtype()))},
              {"shape", array.shape()},
              {"sha256", hash.hex()},
              {isFloat(array.dtype()) ? "sum64" : "sum", sumOf(array)}};
  if (array.size() <= allValues)
    result["values"] = valuesOf(array, allValues);
  else
    result["first24"] = valuesOf(array, someValues);
  return result;
}

Json describeItems(const Array &array, const RaggedItems &items) {
  Json list = Json::array();
  for (int64_t i = 0; i < items.count(); ++i)
    list.push_back(describe(itemOf(array, items, i)));
  return {{"kind", "ragged"}, {"items", list}};
}
} // namespace

void BatchPrinter::print(int64_t epoch, int64_t number, const Batch &batch) {
  json ? printJson(epoch, number, batch) : printText(epoch, number, batch);
}

void BatchPrinter::printJson(int64_t epoch, int64_t number,
                             const Batch &batch) {
  Json data = Json::object();
  for (size_t i = 0; i < batch.sources.size(); ++i)
    data[stream.sources()[i].name] =
        stream.sources()[i].ragged
            ? describeItems(batch.sources[i], batch.items[i])
            : describe(batch.sources[i]);
  Json request = batch.request;
  if (stream.producesExamples() && batch.request.size() == 1)
    request = batch.request.front();
  out << Json{{"epoch", epoch},
              {"batch", number},
              {"request", request},
              {"data", data}}
             .dump()
      << "\n";
}

void BatchPrinter::printText(int64_t epoch, int64_t number,
                             const Batch &batch) {
  constexpr size_t shown = 8;
  out << "epoch " << epoch << ", batch " << number << ": " << batch.examples
      << " examples, rows";
  for (size_t i = 0; i < std::min(shown, batch.request.size()); ++i)
    out << " " << batch.request[i];
  out << (batch.request.size() > shown ? " …\n" : "\n");
  for (size_t i = 0; i < batch.sources.size(); ++i) {
    const Array &array = batch.sources[i];
    out << "  " << stream.sources()[i].name << ": "
        << blocks::dtypeName(array.dtype()) << " "
        << blocks::formatShape(array.shape()) << ":";
    for (const Json &value : valuesOf(array, shown))
      out << " " << value.dump();
    out << (array.size() > int64_t(shown) ? " …\n" : "\n");
  }
}

} // namespace fuel
