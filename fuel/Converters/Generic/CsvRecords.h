// CsvRecords: the records of a file of separated values, as RFC 4180 has them:
// fields may stand in quotes, and then hold separators, ends of lines, and
// quotes (doubled). Plain or gzip, lines that end with LF or CR LF.
#pragma once

#include "fuel/Converters/GzipFile.h"

#include <optional>
#include <string_view>
#include <vector>

namespace fuel {

class CsvRecords {
public:
  CsvRecords(const std::string &path, char separator);

  /// Reads the next record; false at the end. Lines without any character are
  /// no records, unless the first record has one field: then they are empty
  /// fields. InputError naming file, line and column.
  bool next();
  size_t count() const { return fields.size(); }
  /// Good until the next call of `next`.
  std::string_view field(size_t i) const {
    return std::string_view(text).substr(fields[i].begin, fields[i].length);
  }
  /// "data.csv:3:7", where the field or the record begins.
  std::string where(size_t field) const;
  std::string where() const { return where(0); }

private:
  struct Field {
    size_t begin, length;
    int64_t line, column;
  };
  int peek();
  int take();
  bool takeEndOfLine();
  void beginField();
  void readPlain();
  void readQuoted();
  void keep(char c);
  [[noreturn]] void fail(int64_t atLine, int64_t atColumn,
                         const std::string &what) const;

  GzipFile file;
  char separator;
  std::string buffer;
  size_t at = 0;
  bool ended = false;
  std::optional<bool> oneColumn; ///< Known after the first record.
  int64_t line = 1, column = 1;
  std::string text; ///< Fields of the record, without quotes.
  std::vector<Field> fields;
};

} // namespace fuel
