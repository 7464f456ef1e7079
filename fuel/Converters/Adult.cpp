// The adult converter: the census income data set, `adult.data` and
// `adult.test`, to sources `features` (n, columns) and `targets` (n, 1: more
// than 50,000 a year), splits `train` and `test`. Lines with an unknown value
// ('?') are left out. Numbers stay as they are, names become one column for
// each value, in the order of the variables.
//
// Fuel takes the values of a variable from a Python set, whose order differs
// from run to run, and for either file apart. Here columns are in alphabetical
// order, and are those of both files together: equal columns mean equal values.
#include "fuel/Converters/BuiltIn.h"

#include "blocks/Error.h"
#include "fuel/Converters/Paths.h"
#include "fuel/Converters/RowBlock.h"
#include "fuel/Converters/TextTable.h"

#include <algorithm>

namespace fuel {

namespace {
/// What a line tells, in its order.
struct Variable {
  const char *name;
  bool number;
};
constexpr Variable variables[] = {{"age", true},
                                  {"workclass", false},
                                  {"fnlwgt", true},
                                  {"education", false},
                                  {"education-num", true},
                                  {"marital-status", false},
                                  {"occupation", false},
                                  {"relationship", false},
                                  {"race", false},
                                  {"sex", false},
                                  {"capital-gain", true},
                                  {"capital-loss", true},
                                  {"hours-per-week", true},
                                  {"native-country", false}};
constexpr size_t count = std::size(variables);

struct Person {
  std::string values[count];
  double numbers[count] = {};
  bool rich;
};

bool isRich(const TextTable &table) {
  std::string_view text = table.fields()[count];
  if (text == ">50K" || text == ">50K.")
    return true;
  if (text != "<=50K" && text != "<=50K.")
    table.refuse(count, ">50K or <=50K");
  return false;
}

std::vector<Person> readPeople(const std::string &path) {
  std::vector<Person> people;
  TextTable table(path, ',');
  while (table.next()) {
    // The file for the test begins with a remark.
    if (table.line().starts_with('|') ||
        table.line().find('?') != std::string::npos)
      continue;
    table.requireFields(count + 1);
    Person &person = people.emplace_back();
    for (size_t i = 0; i < count; ++i)
      if (variables[i].number)
        person.numbers[i] = table.number(i);
      else
        person.values[i] = table.fields()[i];
    person.rich = isRich(table);
  }
  if (people.empty())
    throw blocks::InputError("'" + path + "' describes nobody");
  return people;
}

/// The values of each named variable, sorted, and where its columns begin.
struct Columns {
  std::vector<std::string> values[count];
  size_t first[count];
  size_t total = 0;
};

Columns findColumns(const std::vector<Person> &train,
                    const std::vector<Person> &test) {
  Columns columns;
  for (size_t i = 0; i < count; ++i) {
    std::vector<std::string> &values = columns.values[i];
    if (!variables[i].number)
      for (const auto *people : {&train, &test})
        for (const Person &person : *people)
          values.push_back(person.values[i]);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    columns.first[i] = columns.total;
    columns.total += variables[i].number ? 1 : values.size();
  }
  constexpr size_t most = 4096;
  if (columns.total > most)
    throw blocks::InputError("the names in adult.data and adult.test make " +
                             std::to_string(columns.total) +
                             " columns; expected about 104");
  return columns;
}

void writePerson(const Person &person, const Columns &columns, double *row) {
  std::fill_n(row, columns.total, 0.0);
  for (size_t i = 0; i < count; ++i) {
    const std::vector<std::string> &values = columns.values[i];
    if (variables[i].number) {
      row[columns.first[i]] = person.numbers[i];
      continue;
    }
    auto at = std::lower_bound(values.begin(), values.end(), person.values[i]);
    row[columns.first[i] + size_t(at - values.begin())] = 1;
  }
}

void writePeople(DatasetFile &file, const char *split, const Columns &columns,
                 const std::vector<Person> &people) {
  RowBlock features(file, split, "features", blocks::DType::Float64,
                    {int64_t(columns.total)});
  RowBlock targets(file, split, "targets", blocks::DType::Bool, {1});
  for (const Person &person : people) {
    writePerson(person, columns, features.add<double>());
    *targets.add<uint8_t>() = person.rich;
  }
  features.flush();
  targets.flush();
}

std::string convert(const ConvertOptions &options) {
  std::string path = outputPath(options, "adult");
  std::vector<std::string> inputs =
      findInputs(options, "adult", {"adult.data", "adult.test"});
  std::vector<Person> train = readPeople(inputs[0]);
  std::vector<Person> test = readPeople(inputs[1]);
  Columns columns = findColumns(train, test);
  DatasetFile file(path);
  int64_t rows = int64_t(train.size() + test.size());
  file.addSource("features", blocks::DType::Float64,
                 {rows, int64_t(columns.total)}, {"batch", "feature"});
  file.addSource("targets", blocks::DType::Bool, {rows, 1}, {"batch", "index"});
  writePeople(file, "train", columns, train);
  writePeople(file, "test", columns, test);
  file.commit(options.command);
  return path;
}
} // namespace

Converter adultConverter() {
  Converter converter;
  converter.name = converter.outputName = "adult";
  converter.summary = "Adult: who earns more than 50,000 a year";
  converter.files = {"adult.data", "adult.test"};
  converter.convert = convert;
  return converter;
}

} // namespace fuel
