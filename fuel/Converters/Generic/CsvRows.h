// CsvRows: the rows of several CSV files with the same columns: names of
// columns, equal numbers of fields, and what stands for a missing value.
#pragma once

#include "fuel/Converters/Generic/CsvRecords.h"

#include <memory>
#include <optional>
#include <set>

namespace fuel {

struct CsvDialect {
  char separator = ',';
  bool header = true;
  bool numbersAsNames = false; ///< A header may hold numbers alone.
  std::set<std::string, std::less<>> missing = {"",    "NA",  "N/A",
                                                "NaN", "nan", "null"};
  std::optional<std::string> fill; ///< Stands for missing values.
  bool dropMissing = false;        ///< Leave out rows that lack a value.
};

class CsvRows {
public:
  CsvRows(std::vector<std::string> files, const CsvDialect &dialect);

  /// Of the header; "1", "2" … without.
  const std::vector<std::string> &names() const { return columns; }
  /// Only these columns matter for `dropMissing`.
  void use(std::vector<size_t> used) { usedColumns = std::move(used); }

  /// False after the last row.
  bool next();
  /// The text of a column. InputError naming file, line and column if the value
  /// is missing and nothing stands for it.
  std::string_view cell(size_t column) const;
  /// "data.csv:3:7", where the column's field begins.
  std::string where(size_t column) const { return records->where(column); }
  /// Rows left out so far.
  int64_t dropped() const { return drops; }

private:
  void open();
  void readHeader();
  bool isMissing(size_t column) const;
  void checkCount() const;

  std::vector<std::string> files;
  CsvDialect dialect;
  size_t current = 0;
  std::unique_ptr<CsvRecords> records;
  bool pending = false; ///< A record was read that is the first row.
  std::vector<std::string> columns;
  std::vector<size_t> usedColumns;
  int64_t drops = 0;
};

} // namespace fuel
