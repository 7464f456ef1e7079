// Reference: reads the JSON files beside the reference data and compares what
// we deliver with what they list.
#pragma once

#include "fuel/Dataset.h"
#include "fuel/IterationScheme.h"
#include "runtime/Base/Sha256.h"
#include "test/Check.h"

#include <nlohmann/json.hpp>

#include <cstring>
#include <fstream>
#include <string>

namespace reference {

using Json = nlohmann::json;

inline Json load(const std::string &path) {
  std::ifstream file(path);
  return Json::parse(file);
}

/// The SHA-256 of the bytes with big-endian elements turned round, where the
/// reference keeps them so.
inline std::string hashOf(const blocks::Array &array, bool bigEndian) {
  std::string bytes(reinterpret_cast<const char *>(array.data()),
                    array.bytes());
  size_t width = blocks::dtypeSize(array.dtype());
  for (size_t i = 0; bigEndian && i < bytes.size(); i += width)
    std::reverse(bytes.begin() + long(i), bytes.begin() + long(i + width));
  return blocks::Sha256::hexOf(bytes);
}

/// "|S5" for a text of width 5, else NumPy's name of the type.
inline std::string descriptorOf(blocks::DType dtype, bool text, int64_t width) {
  return text ? "|S" + std::to_string(width)
              : std::string(blocks::dtypeNumpy(dtype));
}

/// An array as NumPy has it: a text's last axis is part of its type.
inline void checkArray(const blocks::Array &array, const Json &expected,
                       const std::string &where, bool text = false) {
  std::string descr = expected["dtype"];
  bool bigEndian = descr.front() == '>';
  if (bigEndian)
    descr.front() = '<';
  blocks::Shape shape = array.shape();
  int64_t width = text ? shape.back() : 0;
  if (text)
    shape.pop_back();
  if (descriptorOf(array.dtype(), text, width) != descr ||
      Json(shape) != expected["shape"] ||
      Json(hashOf(array, bigEndian)) != expected["sha256"])
    checkFailed(__FILE__, __LINE__, where + ": the array differs");
}

/// Item by item, each as an array of its own.
inline void checkRagged(const blocks::Array &values,
                        const fuel::RaggedItems &items, const Json &expected,
                        const std::string &where) {
  CHECK_EQ(expected["kind"], "ragged");
  CHECK_EQ(items.count(), expected["length"].get<int64_t>());
  CHECK_EQ(values.size(), items.offsets.back());
  size_t width = blocks::dtypeSize(values.dtype());
  for (int64_t i = 0; i < items.count(); ++i) {
    auto shape = items.shape(i);
    blocks::Array item(values.dtype(), {shape.begin(), shape.end()});
    CHECK_EQ(item.size(), items.size(i));
    if (item.bytes())
      std::memcpy(item.data(),
                  values.data() + size_t(items.offsets[size_t(i)]) * width,
                  item.bytes());
    checkArray(item, expected["items"][size_t(i)],
               where + ", item " + std::to_string(i));
  }
}

/// `data` maps the names of sources to arrays.
inline void checkBatch(const fuel::Batch &batch,
                       const std::vector<fuel::SourceInfo> &sources,
                       const Json &data, const std::string &where,
                       bool example = false) {
  CHECK_EQ(batch.sources.size(), data.size());
  for (size_t i = 0; i < sources.size(); ++i) {
    const Json &expected = data.at(sources[i].name);
    std::string here = where + ", source " + sources[i].name;
    if (sources[i].ragged && !example)
      checkRagged(batch.sources[i], batch.items[i], expected, here);
    else
      checkArray(batch.sources[i], expected, here,
                 sources[i].text && !sources[i].ragged);
  }
}

inline fuel::Examples examplesOf(const Json &json) {
  if (json.is_array())
    return fuel::Examples(json.get<std::vector<int64_t>>());
  return fuel::Examples(json.get<int64_t>());
}

inline std::unique_ptr<fuel::IterationScheme> makeScheme(const Json &json) {
  std::string type = json["type"];
  uint64_t seed = json.value("seed", uint64_t(1));
  auto batch = [&] { return json["batch_size"].get<int64_t>(); };
  auto optional = [&](const char *key) -> std::optional<int64_t> {
    if (!json.contains(key))
      return std::nullopt;
    return json[key].get<int64_t>();
  };
  if (type == "SequentialScheme")
    return std::make_unique<fuel::SequentialScheme>(
        examplesOf(json["examples"]), batch());
  if (type == "ShuffledScheme")
    return std::make_unique<fuel::ShuffledScheme>(
        examplesOf(json["examples"]), batch(), seed,
        json.value("sorted_indices", false));
  if (type == "SequentialExampleScheme")
    return std::make_unique<fuel::SequentialExampleScheme>(
        examplesOf(json["examples"]));
  if (type == "ShuffledExampleScheme")
    return std::make_unique<fuel::ShuffledExampleScheme>(
        examplesOf(json["examples"]), seed);
  if (type == "ConstantScheme")
    return std::make_unique<fuel::ConstantScheme>(
        batch(), optional("num_examples"), optional("times"));
  std::vector<std::unique_ptr<fuel::IterationScheme>> parts;
  for (const Json &part : json.at("schemes"))
    parts.push_back(makeScheme(part));
  return std::make_unique<fuel::ConcatenatedScheme>(std::move(parts));
}

/// Requests of examples and of sizes are numbers, those of batches lists.
inline Json requestOf(const fuel::IterationScheme &scheme,
                      const std::vector<int64_t> &request) {
  if (scheme.kind() == fuel::RequestKind::Batch)
    return request;
  return request.front();
}

} // namespace reference
