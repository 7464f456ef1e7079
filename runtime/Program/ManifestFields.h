// ManifestFields: reads one JSON object strictly. Every field is asked for by
// name and type; `finish` refuses those that nobody asked for. Errors name the
// field by its place ("entries[0].sources[1].dtype").
#pragma once

#include "blocks/Error.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace blocks {

class ManifestFields {
public:
  using Json = nlohmann::json;
  ManifestFields(const Json &json, std::string place);

  /// True if there is such a field; it counts as not asked for.
  bool has(const std::string &name) const { return object.contains(name); }
  const Json &field(const std::string &name);
  const Json &list(const std::string &name);
  std::string text(const std::string &name);
  std::vector<std::string> texts(const std::string &name);
  int64_t integer(const std::string &name);
  std::vector<int64_t> integers(const std::string &name);
  /// Refuses fields that were not asked for.
  void finish() const;

  std::string placeOf(const std::string &name) const;
  [[noreturn]] static void fail(const std::string &place,
                                const std::string &problem);

private:
  const Json &object;
  std::string place;
  std::set<std::string> asked;
};

} // namespace blocks
