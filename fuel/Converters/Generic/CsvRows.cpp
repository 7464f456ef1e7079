// CsvRows: see CsvRows.h.
#include "fuel/Converters/Generic/CsvRows.h"

#include "blocks/Error.h"
#include "runtime/Base/Text.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>

namespace fuel {

using blocks::InputError;
using blocks::joined;
using blocks::trimmed;

CsvRows::CsvRows(std::vector<std::string> files, const CsvDialect &dialect)
    : files(std::move(files)), dialect(dialect) {
  open();
}

/// One column whose name holds what separates columns elsewhere: a table with
/// another separator, which would become one column of "classes".
static void checkSeparator(const CsvRecords &records, char separator) {
  if (records.count() != 1)
    return;
  std::string name(records.field(0));
  for (char other : {',', ';', '\t', '|'})
    if (other != separator && name.find(other) != std::string::npos)
      throw InputError(records.where(0) + ": the only column is called '" +
                       name + "'; are columns separated by " +
                       (other == '\t'
                            ? "tabs (--separator tab)?"
                            : std::string("'") + other + "' (--separator '" +
                                  other + "')?"));
}

// Without a header the first record tells the number of columns, and is a row.
void CsvRows::open() {
  records = std::make_unique<CsvRecords>(files[current], dialect.separator);
  pending = false;
  if (!records->next()) {
    if (columns.empty())
      throw InputError(
          "'" + files[current] + "' is empty; expected " +
          (dialect.header ? "a line with the names of the columns" : "rows"));
    return;
  }
  checkSeparator(*records, dialect.separator);
  if (dialect.header)
    return readHeader();
  pending = true;
  if (columns.empty())
    for (size_t i = 0; i < records->count(); ++i)
      columns.push_back(std::to_string(i + 1));
}

static bool isNumber(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  auto [stop, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && stop == text.data() + text.size();
}

/// "0", "1", "2" … or "1", "2", "3" …, as programs call columns without names.
static bool areCounted(const std::vector<std::string> &names) {
  if (names.size() < 3 || (names[0] != "0" && names[0] != "1"))
    return false;
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] != std::to_string(i + size_t(names[0] == "1")))
      return false;
  return true;
}

void CsvRows::readHeader() {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  for (size_t i = 0; i < records->count(); ++i) {
    names.emplace_back(records->field(i));
    if (!seen.insert(names.back()).second)
      throw InputError(records->where(i) + ": the column '" + names.back() +
                       "' is there twice; expected each name once, or "
                       "--no-header if the first line is a row");
  }
  if (!dialect.numbersAsNames && !areCounted(names) &&
      std::all_of(names.begin(), names.end(), isNumber))
    throw InputError(records->where(0) +
                     ": the names of the columns are numbers (" +
                     joined(names, ", ").substr(0, 60) +
                     "); expected names, --no-header if the first line is a "
                     "row, or --header if they are names");
  if (columns.empty())
    columns = names;
  else if (names != columns)
    throw InputError("'" + files[current] + "' has the columns " +
                     joined(names, ", ") + ", but '" + files.front() +
                     "' has " + joined(columns, ", ") +
                     "; expected the same in all files of a "
                     "split");
}

void CsvRows::checkCount() const {
  if (records->count() != columns.size())
    throw InputError(records->where() + ": the row has " +
                     std::to_string(records->count()) + " fields; expected " +
                     std::to_string(columns.size()));
}

bool CsvRows::next() {
  for (;;) {
    if (!pending && !records->next()) {
      if (current + 1 == files.size())
        return false;
      ++current;
      open();
      continue;
    }
    pending = false;
    checkCount();
    if (!dialect.dropMissing ||
        std::none_of(usedColumns.begin(), usedColumns.end(),
                     [this](size_t i) { return isMissing(i); }))
      return true;
    ++drops;
  }
}

bool CsvRows::isMissing(size_t column) const {
  return dialect.missing.count(trimmed(records->field(column))) != 0;
}

std::string_view CsvRows::cell(size_t column) const {
  if (!isMissing(column))
    return trimmed(records->field(column));
  if (dialect.fill)
    return *dialect.fill;
  throw InputError(where(column) + ": column '" + columns[column] +
                   "' has no value (found '" +
                   std::string(records->field(column)) +
                   "'); say what stands for it with --fill VALUE, or leave "
                   "such rows out with --drop-missing");
}

} // namespace fuel
