// CsvSchema: which columns of CSV files become which sources, and of what kind
// they are. Numbers of several columns make a matrix; one column that is no
// number makes class numbers, whose names are kept. Kinds and classes are found
// by reading all files once.
#pragma once

#include "fuel/Convert.h"
#include "fuel/Converters/Generic/CastExamples.h"
#include "fuel/Converters/Generic/CsvRows.h"

namespace fuel {

struct CsvColumn {
  std::string name;
  bool oneHot = false;      ///< A 0 or 1 for each class.
  bool categorical = false; ///< Class numbers, though it may be numbers.
  bool text = false;        ///< Stays a string.
  // Found by reading.
  bool numbers = true, integers = true;
  std::string problem; ///< The first value that is no number, and where.
  std::map<std::string, int64_t, std::less<>> classes;
  bool incomplete =
      false; ///< Values were not kept, as it seemed to be numbers.
};

struct CsvSource {
  enum class Kind { Integers, Reals, Classes, Text } kind = Kind::Reals;
  std::string name;
  std::vector<std::string> columns; ///< By name.
};

class CsvSchema {
public:
  static std::vector<ConverterOption> options();
  /// `names`: the columns of the first split.
  CsvSchema(const ConvertOptions &options,
            const std::vector<std::string> &names);

  /// Sources whose columns are among `names`; InputError naming `where` if a
  /// source has only some of its columns there.
  std::vector<const CsvSource *>
  sourcesIn(const std::vector<std::string> &names,
            const std::string &where) const;
  /// Numbers of the columns of these sources within `names`.
  static std::vector<size_t>
  columnsOf(const std::vector<const CsvSource *> &sources,
            const std::vector<std::string> &names);

  /// Looks at all rows of a split.
  void learn(CsvRows &rows, const std::vector<const CsvSource *> &sources);
  /// After all splits: whether they must be looked at again, since a column
  /// that seemed to be numbers is one of classes.
  bool learnsAgain();
  /// At the end: kinds of sources, numbers of classes.
  void decide();
  /// Element types that the user did not ask for.
  void addTypes(ElementTypes &types) const;

  const CsvColumn &column(const std::string &name) const {
    return columns.at(name);
  }
  const std::vector<CsvSource> &all() const { return sources; }
  /// How many values a row of the source has.
  int64_t width(const CsvSource &source) const;
  /// "targets_classes", "features_names": what the numbers mean.
  std::map<std::string, std::vector<std::string>> lists() const;

private:
  std::vector<std::string> select(const std::string &text,
                                  const std::string &option) const;
  void addSource(const std::string &name, std::vector<std::string> columns);
  void addOthers(bool eachColumn);
  void learnCell(CsvColumn &column, std::string_view text, const CsvRows &rows,
                 size_t index);
  CsvSource::Kind kindOf(const CsvSource &source) const;
  void numberClasses(CsvColumn &column);

  std::vector<std::string> names;
  std::map<std::string, CsvColumn> columns;
  std::vector<CsvSource> sources;
  std::set<std::string> used;
};

/// A number in decimal notation, "inf" or "nan"; nothing otherwise.
std::optional<double> csvNumber(std::string_view text);
std::optional<int64_t> csvInteger(std::string_view text);

} // namespace fuel
