// TextTable: text files whose lines are fields, separated by blanks or by a
// character; empty lines count for nothing. Plain or gzip.
#pragma once

#include "fuel/Datasets/TextLines.h"

#include <string>
#include <string_view>
#include <vector>

namespace fuel {

class TextTable {
public:
  /// `separator` ' ' stands for any number of blanks. Blanks around fields are
  /// dropped.
  explicit TextTable(const std::string &path, char separator = ' ');

  /// The next line that is not empty; false at the end.
  bool next();
  const std::string &line() const { return text; }
  const std::vector<std::string_view> &fields() const { return parts; }
  /// "'file', line 3".
  std::string where() const { return lines.where(); }

  /// InputError unless the line has as many fields.
  void requireFields(size_t count) const;
  /// InputError naming line and field unless it is a number.
  double number(size_t field) const;
  /// The same for a whole number in [low, high].
  int64_t integer(size_t field, int64_t low, int64_t high) const;
  [[noreturn]] void refuse(size_t field, const std::string &expected) const;

private:
  void split();
  TextLines lines;
  char separator;
  std::string text;
  std::vector<std::string_view> parts;
};

} // namespace fuel
