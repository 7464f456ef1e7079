// Strict reading of JSON objects: see ManifestFields.h.
#include "runtime/Program/ManifestFields.h"

namespace blocks {

ManifestFields::ManifestFields(const Json &json, std::string place)
    : object(json), place(std::move(place)) {
  if (!json.is_object())
    fail(this->place, "is not an object");
}

void ManifestFields::fail(const std::string &place,
                          const std::string &problem) {
  throw CorruptError("the compiled program's manifest is damaged: " +
                     (place.empty() ? "it" : "'" + place + "'") + " " +
                     problem + "; compile the model again");
}

std::string ManifestFields::placeOf(const std::string &name) const {
  return place.empty() ? name : place + "." + name;
}

const ManifestFields::Json &ManifestFields::field(const std::string &name) {
  asked.insert(name);
  auto found = object.find(name);
  if (found == object.end())
    fail(placeOf(name), "is missing");
  return *found;
}

const ManifestFields::Json &ManifestFields::list(const std::string &name) {
  const Json &value = field(name);
  if (!value.is_array())
    fail(placeOf(name), "is not a list");
  return value;
}

std::string ManifestFields::text(const std::string &name) {
  const Json &value = field(name);
  if (!value.is_string())
    fail(placeOf(name), "is not a text");
  return value.get<std::string>();
}

std::vector<std::string> ManifestFields::texts(const std::string &name) {
  std::vector<std::string> result;
  for (const Json &value : list(name)) {
    if (!value.is_string())
      fail(placeOf(name), "holds something that is no text");
    result.push_back(value.get<std::string>());
  }
  return result;
}

static bool isInteger(const ManifestFields::Json &value) {
  bool tooLarge =
      value.is_number_unsigned() && value.get<uint64_t>() > uint64_t(INT64_MAX);
  return value.is_number_integer() && !tooLarge;
}

int64_t ManifestFields::integer(const std::string &name) {
  const Json &value = field(name);
  if (!isInteger(value))
    fail(placeOf(name), "is no integer");
  return value.get<int64_t>();
}

std::vector<int64_t> ManifestFields::integers(const std::string &name) {
  std::vector<int64_t> result;
  for (const Json &value : list(name)) {
    if (!isInteger(value))
      fail(placeOf(name), "holds something that is no integer");
    result.push_back(value.get<int64_t>());
  }
  return result;
}

void ManifestFields::finish() const {
  for (const auto &item : object.items())
    if (!asked.count(item.key()))
      fail(placeOf(item.key()), "is unknown");
}

} // namespace blocks
