// TextTable: see TextTable.h.
#include "fuel/Converters/TextTable.h"

#include "blocks/Error.h"
#include "runtime/Base/Text.h"

#include <charconv>

namespace fuel {

namespace {
constexpr size_t longestLine = size_t(1) << 24;
constexpr std::string_view blanks = " \t\v\f";

std::string_view trimmed(std::string_view text) {
  return blocks::trimmed(text, blanks);
}
} // namespace

TextTable::TextTable(const std::string &path, char separator)
    : lines({path}, longestLine), separator(separator) {}

bool TextTable::next() {
  do {
    if (!lines.next(text))
      return false;
  } while (trimmed(text).empty());
  split();
  return true;
}

void TextTable::split() {
  parts.clear();
  std::string_view rest = trimmed(text);
  while (!rest.empty()) {
    size_t end =
        separator == ' ' ? rest.find_first_of(blanks) : rest.find(separator);
    parts.push_back(trimmed(rest.substr(0, end)));
    if (end == std::string_view::npos)
      return;
    rest.remove_prefix(end + 1);
    if (separator == ' ')
      rest = trimmed(rest);
    else if (rest.empty())
      parts.emplace_back();
  }
}

void TextTable::requireFields(size_t count) const {
  if (parts.size() != count)
    throw blocks::InputError(where() + " has " + std::to_string(parts.size()) +
                             " fields; expected " + std::to_string(count));
}

void TextTable::refuse(size_t field, const std::string &expected) const {
  constexpr size_t shown = 40;
  throw blocks::InputError(
      where() + ", field " + std::to_string(field + 1) + " is '" +
      std::string(parts[field].substr(0, shown)) + "'; expected " + expected);
}

double TextTable::number(size_t field) const {
  std::string_view part = parts.at(field);
  if (part.starts_with('+'))
    part.remove_prefix(1);
  double value = 0;
  auto [stop, error] =
      std::from_chars(part.data(), part.data() + part.size(), value);
  if (error != std::errc() || stop != part.data() + part.size())
    refuse(field, "a number");
  return value;
}

int64_t TextTable::integer(size_t field, int64_t low, int64_t high) const {
  double value = number(field);
  if (!(value >= double(low) && value <= double(high)) ||
      value != double(int64_t(value)))
    refuse(field, "a whole number from " + std::to_string(low) + " to " +
                      std::to_string(high));
  return int64_t(value);
}

} // namespace fuel
