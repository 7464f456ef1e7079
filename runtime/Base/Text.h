// What several parts do with texts: cutting off blanks, and lists of names for
// messages and settings.
#pragma once

#include <string>
#include <string_view>

namespace blocks {

/// Without the blanks at both ends.
inline std::string_view trimmed(std::string_view text,
                                std::string_view blanks = " \t") {
  size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

/// The words of the items, with the separator between them.
template <typename Items, typename Word>
std::string joined(const Items &items, std::string_view separator, Word word) {
  std::string text;
  bool first = true;
  for (const auto &item : items) {
    if (!first)
      text += separator;
    first = false;
    text += word(item);
  }
  return text;
}

template <typename Items>
std::string joined(const Items &items, std::string_view separator) {
  return joined(items, separator, [](const auto &item) { return item; });
}

/// "'a', 'b'" of names, or "none".
template <typename Items, typename Name>
std::string quotedNames(const Items &items, Name name) {
  std::string text = joined(items, ", ", [&](const auto &item) {
    return "'" + std::string(name(item)) + "'";
  });
  return text.empty() ? "none" : text;
}

template <typename Items> std::string quotedNames(const Items &items) {
  return quotedNames(items, [](const auto &item) { return item; });
}

} // namespace blocks
