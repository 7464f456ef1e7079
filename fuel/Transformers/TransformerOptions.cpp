// TransformerOptions: see include/fuel/Registry.h.
#include "fuel/Registry.h"

#include "blocks/Error.h"

#include <charconv>
#include <cmath>
#include <sstream>

namespace fuel {

using blocks::DType;
using blocks::UsageError;

TransformerOptions::TransformerOptions(std::string name, Values list,
                                       std::string kind)
    : text(name), what(std::move(kind)) {
  std::string inside;
  for (auto &[key, value] : list) {
    inside += (inside.empty() ? "" : ",") + key + "=" + value;
    if (!values.emplace(key, value).second)
      throw UsageError("the " + what + " '" + name + "' has the option '" +
                       key + "' twice");
  }
  if (!inside.empty())
    text += "(" + inside + ")";
}

void TransformerOptions::refuse(const std::string &why) const {
  throw UsageError("the " + what + " '" + text + "' " + why);
}

std::vector<std::string> TransformerOptions::names() const {
  std::vector<std::string> left;
  for (const auto &[name, value] : values)
    left.push_back(name);
  return left;
}

bool TransformerOptions::has(const std::string &key) const {
  return values.count(key) > 0;
}

std::string TransformerOptions::take(const std::string &key) {
  auto found = values.find(key);
  if (found == values.end())
    refuse("lacks the option '" + key + "'");
  std::string value = found->second;
  values.erase(found);
  return value;
}

std::string TransformerOptions::take(const std::string &key,
                                     const std::string &otherwise) {
  return has(key) ? take(key) : otherwise;
}

static bool parseInteger(const std::string &word, int64_t &value) {
  const char *end = word.data() + word.size();
  auto [stopped, error] = std::from_chars(word.data(), end, value);
  return error == std::errc() && stopped == end;
}

int64_t TransformerOptions::takeInteger(const std::string &key,
                                        std::optional<int64_t> otherwise) {
  if (!has(key) && otherwise)
    return *otherwise;
  std::string word = take(key);
  int64_t value = 0;
  if (!parseInteger(word, value))
    refuse("has " + key + "=" + word + "; expected a whole number");
  return value;
}

double TransformerOptions::takeNumber(const std::string &key,
                                      std::optional<double> otherwise) {
  if (!has(key) && otherwise)
    return *otherwise;
  std::string word = take(key);
  double value = 0;
  const char *end = word.data() + word.size();
  auto [stopped, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc() || stopped != end || !std::isfinite(value))
    refuse("has " + key + "=" + word + "; expected a number");
  return value;
}

bool TransformerOptions::takeBool(const std::string &key, bool otherwise) {
  std::string word = take(key, otherwise ? "true" : "false");
  if (word != "true" && word != "false")
    refuse("has " + key + "=" + word + "; expected true or false");
  return word == "true";
}

/// Our names and NumPy's.
DType TransformerOptions::takeDType(const std::string &key,
                                    const char *otherwise) {
  static constexpr std::pair<const char *, DType> numpy[] = {
      {"bool", DType::Bool},       {"int8", DType::Int8},
      {"int16", DType::Int16},     {"int32", DType::Int32},
      {"int64", DType::Int64},     {"uint8", DType::UInt8},
      {"uint16", DType::UInt16},   {"uint32", DType::UInt32},
      {"uint64", DType::UInt64},   {"float16", DType::Float16},
      {"float32", DType::Float32}, {"float64", DType::Float64},
  };
  std::string word = otherwise ? take(key, otherwise) : take(key);
  for (auto [known, dtype] : numpy)
    if (word == known || word == blocks::dtypeName(dtype))
      return dtype;
  refuse("names the element type '" + word +
         "'; expected for example f32, f64, ui8 or i64");
}

std::vector<std::string> TransformerOptions::takeList(const std::string &key) {
  std::vector<std::string> names;
  if (!has(key))
    return names;
  std::istringstream list(take(key));
  for (std::string name; std::getline(list, name, '+');)
    names.push_back(name);
  if (names.empty())
    refuse("names nothing in " + key + "; leave the option out, or name it");
  return names;
}

std::vector<int64_t> TransformerOptions::takeExtents(const std::string &key) {
  constexpr int64_t most = int64_t(1) << 31;
  std::string word = take(key);
  std::vector<int64_t> extents;
  double size = 1;
  std::istringstream list(word);
  for (std::string part; std::getline(list, part, 'x');) {
    int64_t extent = 0;
    if (!parseInteger(part, extent) || extent < 1 || extent > most)
      refuse("has " + key + "=" + word + "; expected extents such as 32x32");
    extents.push_back(extent);
    size *= double(extent);
  }
  if (size > double(int64_t(1) << 40))
    refuse("has " + key + "=" + word + ", which is absurdly large");
  return extents;
}

void TransformerOptions::expectAllTaken(const std::string &known) const {
  if (!values.empty())
    refuse("has no option '" + values.begin()->first + "'; it knows: " + known);
}

} // namespace fuel
