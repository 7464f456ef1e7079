// ConvertOptions: typed access to a converter's options, and their check
// against its table. See include/fuel/Convert.h.
#include "fuel/Converters/ConvertOptions.h"

#include "blocks/Error.h"
#include "runtime/Base/NamedCalls.h"

#include <algorithm>
#include <charconv>

namespace fuel {

using blocks::UsageError;

//===-- Access ------------------------------------------------------------===//

std::vector<std::string> ConvertOptions::list(const std::string &name) const {
  auto found = values.find(name);
  return found == values.end() ? std::vector<std::string>() : found->second;
}

std::string ConvertOptions::text(const std::string &name) const {
  std::vector<std::string> given = list(name);
  return given.empty() ? "" : given.back();
}

bool ConvertOptions::flag(const std::string &name) const {
  return text(name) == "true";
}

namespace {
template <typename T>
T parse(const std::string &name, const std::string &text, const char *what) {
  T value{};
  const char *end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || text.empty())
    throw UsageError("the option '" + name + "' is '" + text + "'; expected " +
                     what);
  return value;
}
} // namespace

double ConvertOptions::number(const std::string &name) const {
  return parse<double>(name, text(name), "a number");
}

int64_t ConvertOptions::integer(const std::string &name) const {
  return parse<int64_t>(name, text(name), "a whole number");
}

uint64_t checkedShuffleSeed(int64_t seed) {
  if (seed < 0 || seed > int64_t(UINT32_MAX))
    throw blocks::UsageError("--shuffle-seed is " + std::to_string(seed) +
                             "; expected a number from 0 to 4294967295");
  return uint64_t(seed);
}

//===-- Check -------------------------------------------------------------===//

namespace {
std::string written(const ConverterOption &option) {
  return option.positional ? "'" + option.name + "'" : "--" + option.name;
}

void checkNames(const Converter &converter, const ConvertOptions &options) {
  for (const auto &[name, given] : options.values) {
    auto known = [&](const ConverterOption &o) { return o.name == name; };
    if (std::none_of(converter.options.begin(), converter.options.end(), known))
      throw UsageError("the converter '" + converter.name +
                       "' has no option '" + name + "'");
  }
}

void checkOption(const Converter &converter, const ConverterOption &option,
                 std::vector<std::string> &given) {
  std::string where =
      written(option) + " of the converter '" + converter.name + "'";
  if (given.empty() && option.required)
    throw UsageError(where + " is missing: " + option.help +
                     (option.choices.empty()
                          ? ""
                          : "; expected " + blocks::listOf(option.choices)));
  if (given.empty() && !option.defaultValue.empty())
    given = {option.defaultValue};
  if (given.size() > 1 && !option.repeated)
    throw UsageError(where + " is given " + std::to_string(given.size()) +
                     " times; expected once");
  for (const std::string &value : given)
    if (!option.choices.empty() &&
        std::find(option.choices.begin(), option.choices.end(), value) ==
            option.choices.end())
      throw UsageError(where + " is '" + value + "'; expected " +
                       blocks::listOf(option.choices));
}
} // namespace

void checkConvertOptions(const Converter &converter, ConvertOptions &options) {
  checkNames(converter, options);
  for (const ConverterOption &option : converter.options)
    checkOption(converter, option, options.values[option.name]);
}

} // namespace fuel
