// Reference: reads the JSON files beside the reference data and compares what
// we deliver with what they list.
#pragma once

#include "fuel/Dataset.h"
#include "fuel/IterationScheme.h"
#include "runtime/Base/Sha256.h"
#include "test/Check.h"

#include <nlohmann/json.hpp>

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

inline void checkArray(const blocks::Array &array, const Json &expected,
                       const std::string &where) {
  std::string descr = expected["dtype"];
  bool bigEndian = descr.front() == '>';
  if (bigEndian)
    descr.front() = '<';
  if (blocks::dtypeNumpy(array.dtype()) != descr ||
      Json(array.shape()) != expected["shape"] ||
      Json(hashOf(array, bigEndian)) != expected["sha256"])
    checkFailed(__FILE__, __LINE__, where + ": the array differs");
}

/// `data` maps the names of sources to arrays.
inline void checkBatch(const fuel::Batch &batch,
                       const std::vector<fuel::SourceInfo> &sources,
                       const Json &data, const std::string &where) {
  CHECK_EQ(batch.sources.size(), data.size());
  for (size_t i = 0; i < sources.size(); ++i)
    checkArray(batch.sources[i], data.at(sources[i].name),
               where + ", source " + sources[i].name);
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
