// CsvSchema: see CsvSchema.h.
#include "fuel/Converters/Generic/CsvSchema.h"

#include "blocks/Error.h"
#include "fuel/Converters/Generic/AxisNames.h"

#include <algorithm>
#include <charconv>

namespace fuel {

using blocks::InputError;
using blocks::UsageError;

/// More classes than this are no classes.
static constexpr size_t mostClasses = 1 << 20;

//===-- Numbers -----------------------------------------------------------===//

template <typename T> static std::optional<T> parse(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-')
    text.remove_prefix(1);
  T value{};
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  // Smaller or larger than a double can be: rounded as usual.
  if (error == std::errc::result_out_of_range && std::is_floating_point_v<T> &&
      end == text.data() + text.size())
    return T(std::strtod(std::string(text).c_str(), nullptr));
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::optional<double> csvNumber(std::string_view text) {
  return parse<double>(text);
}

std::optional<int64_t> csvInteger(std::string_view text) {
  return parse<int64_t>(text);
}

//===-- Which columns -----------------------------------------------------===//

static ConverterOption columnOption(const char *name, const char *help) {
  ConverterOption option;
  option.name = name;
  option.help = help;
  option.repeated = true;
  return option;
}

std::vector<ConverterOption> CsvSchema::options() {
  ConverterOption each;
  each.name = "each-column";
  each.help = "make a source of each column rather than 'features' of those "
              "that no option names";
  each.flag = true;
  return {
      columnOption("features", "columns of the source 'features', by name or "
                               "number: a,b,5,7-9; otherwise all that no "
                               "other option names"),
      columnOption("targets", "columns of the source 'targets'"),
      columnOption("source", "columns of another source: NAME=a,b"),
      columnOption("ignore", "columns to leave out"),
      columnOption("categorical", "columns that become class numbers, though "
                                  "their values may be numbers"),
      columnOption("one-hot", "columns that become a 0 or 1 for each of their "
                              "values"),
      columnOption("text", "columns that stay strings, each a source"),
      each};
}

/// Columns by name, number (from 1) or range of numbers.
std::vector<std::string> CsvSchema::select(const std::string &text,
                                           const std::string &option) const {
  std::vector<std::string> chosen;
  for (const std::string &part : splitText(text, ',')) {
    if (std::find(names.begin(), names.end(), part) != names.end()) {
      chosen.push_back(part);
      continue;
    }
    size_t dash = part.find('-');
    auto first = csvInteger(part.substr(0, dash));
    auto last =
        dash == std::string::npos ? first : csvInteger(part.substr(dash + 1));
    if (!first || !last || *first < 1 || *last < *first ||
        *last > int64_t(names.size())) {
      std::string known;
      for (const std::string &name : names)
        known += (known.empty() ? "" : ", ") + name;
      throw UsageError("--" + option + " names the column '" + part +
                       "'; there are: " + known + " (or 1 to " +
                       std::to_string(names.size()) + ")");
    }
    for (int64_t i = *first; i <= *last; ++i)
      chosen.push_back(names[size_t(i - 1)]);
  }
  return chosen;
}

CsvSchema::CsvSchema(const ConvertOptions &options,
                     const std::vector<std::string> &given)
    : names(given) {
  for (const std::string &name : names)
    columns[name].name = name;
  auto each = [&](const std::string &option, auto use) {
    for (const std::string &text : options.list(option))
      for (const std::string &name : select(text, option))
        use(name);
  };
  each("ignore", [&](const std::string &name) { used.insert(name); });
  each("categorical", [&](auto &name) { columns[name].categorical = true; });
  each("one-hot", [&](auto &name) { columns[name].oneHot = true; });
  for (const char *name : {"features", "targets"}) {
    std::vector<std::string> chosen;
    each(name, [&](auto &column) { chosen.push_back(column); });
    if (!chosen.empty())
      addSource(name, std::move(chosen));
  }
  for (const std::string &text : options.list("source")) {
    size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError("--source is '" + text + "'; expected NAME=COLUMNS");
    addSource(text.substr(0, equals),
              select(text.substr(equals + 1), "source"));
  }
  each("text", [&](const std::string &name) {
    columns[name].text = true;
    addSource(name, {name});
  });
  addOthers(options.flag("each-column"));
}

void CsvSchema::addSource(const std::string &name,
                          std::vector<std::string> chosen) {
  for (const CsvSource &other : sources)
    if (other.name == name)
      throw UsageError("the source '" + name + "' is named twice");
  for (const std::string &column : chosen)
    if (!used.insert(column).second)
      throw UsageError("the column '" + column + "' of source '" + name +
                       "' is used already, or ignored");
  sources.push_back({CsvSource::Kind::Reals, name, std::move(chosen)});
}

void CsvSchema::addOthers(bool eachColumn) {
  std::vector<std::string> others;
  for (const std::string &name : names)
    if (!used.count(name))
      others.push_back(name);
  bool named = std::any_of(sources.begin(), sources.end(),
                           [](auto &s) { return s.name == "features"; });
  if (eachColumn)
    for (const std::string &name : others)
      addSource(name, {name});
  else if (!named && !others.empty())
    addSource("features", std::move(others));
  if (sources.empty())
    throw UsageError("every column is ignored; nothing is left to write");
}

std::vector<const CsvSource *>
CsvSchema::sourcesIn(const std::vector<std::string> &present,
                     const std::string &where) const {
  std::vector<const CsvSource *> here;
  auto has = [&](const std::string &name) {
    return std::find(present.begin(), present.end(), name) != present.end();
  };
  for (const CsvSource &source : sources) {
    int64_t count =
        std::count_if(source.columns.begin(), source.columns.end(), has);
    if (count == int64_t(source.columns.size()))
      here.push_back(&source);
    else if (count > 0)
      throw InputError(where + " has " + std::to_string(count) + " of the " +
                       std::to_string(source.columns.size()) +
                       " columns of source '" + source.name +
                       "'; expected all or none");
  }
  if (here.empty())
    throw InputError(where + " has no column of any source");
  return here;
}

std::vector<size_t>
CsvSchema::columnsOf(const std::vector<const CsvSource *> &sources,
                     const std::vector<std::string> &names) {
  std::vector<size_t> numbers;
  for (const CsvSource *source : sources)
    for (const std::string &column : source->columns)
      numbers.push_back(size_t(std::find(names.begin(), names.end(), column) -
                               names.begin()));
  return numbers;
}

//===-- What they hold ----------------------------------------------------===//

void CsvSchema::learn(CsvRows &rows,
                      const std::vector<const CsvSource *> &present) {
  std::vector<size_t> indices = columnsOf(present, rows.names());
  std::vector<CsvColumn *> learned;
  for (size_t index : indices)
    learned.push_back(&columns.at(rows.names()[index]));
  rows.use(indices);
  while (rows.next())
    for (size_t i = 0; i < indices.size(); ++i)
      if (!learned[i]->text)
        learnCell(*learned[i], rows.cell(indices[i]), rows, indices[i]);
}

void CsvSchema::learnCell(CsvColumn &column, std::string_view text,
                          const CsvRows &rows, size_t index) {
  if (column.integers && !csvInteger(text))
    column.integers = false;
  if (column.numbers && !column.integers && !csvNumber(text)) {
    column.numbers = false;
    column.problem = rows.where(index) + ": column '" + column.name +
                     "' holds '" + std::string(text.substr(0, 40)) + "'";
  }
  // Of numbers nobody may ask for the classes; all of them may be too many.
  bool collects = column.oneHot || column.categorical || !column.numbers ||
                  column.classes.size() < 1024;
  column.incomplete |= !collects;
  if (!collects || column.classes.find(text) != column.classes.end())
    return;
  column.classes.emplace(text, 0);
  if (column.classes.size() > mostClasses)
    throw InputError(rows.where(index) + ": column '" + column.name +
                     "' has more than " + std::to_string(mostClasses) +
                     " different values; is it one of classes?");
}

bool CsvSchema::learnsAgain() {
  bool again = false;
  for (auto &[name, column] : columns)
    if (!column.numbers && column.incomplete) {
      column.incomplete = false;
      again = true;
    }
  return again;
}

/// In the order of their numbers if they are whole ones, else of their bytes.
void CsvSchema::numberClasses(CsvColumn &column) {
  std::vector<std::string> values;
  for (const auto &[value, number] : column.classes)
    values.push_back(value);
  if (column.integers)
    std::sort(values.begin(), values.end(),
              [](const std::string &a, const std::string &b) {
                auto x = *csvInteger(a), y = *csvInteger(b);
                return x != y ? x < y : a < b; // "1" and "01".
              });
  for (size_t i = 0; i < values.size(); ++i)
    column.classes[values[i]] = int64_t(i);
}

CsvSource::Kind CsvSchema::kindOf(const CsvSource &source) const {
  const CsvColumn &first = columns.at(source.columns.front());
  bool alone = source.columns.size() == 1 && !first.oneHot;
  if (alone && first.text)
    return CsvSource::Kind::Text;
  if (alone && (first.categorical || !first.numbers))
    return CsvSource::Kind::Classes;
  for (const std::string &name : source.columns) {
    const CsvColumn &column = columns.at(name);
    if (!column.oneHot && (column.categorical || !column.numbers))
      throw InputError(
          (column.problem.empty() ? "column '" + name + "' is categorical"
                                  : column.problem) +
          ", but source '" + source.name + "' has numbers; choose --one-hot " +
          name + ", --ignore " + name + ", or a source of its own (--targets " +
          name + ", --text " + name + ")");
  }
  return alone && first.integers && source.name != "features"
             ? CsvSource::Kind::Integers
             : CsvSource::Kind::Reals;
}

void CsvSchema::decide() {
  for (CsvSource &source : sources) {
    source.kind = kindOf(source);
    for (const std::string &name : source.columns)
      if (CsvColumn &column = columns.at(name);
          column.oneHot || source.kind == CsvSource::Kind::Classes)
        numberClasses(column);
  }
}

/// Matrices are f32 as networks want them, classes as small as they go.
void CsvSchema::addTypes(ElementTypes &types) const {
  using blocks::DType;
  for (const CsvSource &source : sources) {
    if (source.kind == CsvSource::Kind::Reals)
      types.addDefault(source.name, DType::Float32, true);
    if (source.kind == CsvSource::Kind::Integers)
      types.addDefault(source.name, DType::Int64, false);
    if (source.kind == CsvSource::Kind::Classes) {
      size_t classes = columns.at(source.columns.front()).classes.size();
      types.addDefault(source.name,
                       classes <= 256     ? DType::UInt8
                       : classes <= 65536 ? DType::UInt16
                                          : DType::Int32,
                       false);
    }
  }
}

int64_t CsvSchema::width(const CsvSource &source) const {
  int64_t width = 0;
  for (const std::string &name : source.columns)
    width +=
        columns.at(name).oneHot ? int64_t(columns.at(name).classes.size()) : 1;
  return width;
}

std::map<std::string, std::vector<std::string>> CsvSchema::lists() const {
  std::map<std::string, std::vector<std::string>> lists;
  auto classNames = [](const CsvColumn &column) {
    std::vector<std::string> values(column.classes.size());
    for (const auto &[value, number] : column.classes)
      values[size_t(number)] = value;
    return values;
  };
  for (const CsvSource &source : sources) {
    if (source.kind == CsvSource::Kind::Classes) {
      lists[source.name + "_classes"] =
          classNames(columns.at(source.columns.front()));
      continue;
    }
    if (source.kind != CsvSource::Kind::Reals)
      continue;
    auto &meanings = lists[source.name + "_names"];
    for (const std::string &name : source.columns) {
      if (!columns.at(name).oneHot) {
        meanings.push_back(name);
        continue;
      }
      for (const std::string &value : classNames(columns.at(name)))
        meanings.push_back(name + "=" + value);
    }
  }
  return lists;
}

} // namespace fuel
