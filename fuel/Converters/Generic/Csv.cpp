// The converter `csv`: files of separated values. Read twice: once to learn
// what the columns hold, once to write.
#include "fuel/Converters/Generic/CsvSchema.h"
#include "fuel/Converters/Generic/Generic.h"
#include "fuel/Converters/Generic/InputArguments.h"
#include "fuel/Converters/Generic/WriteExamples.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cstring>

namespace fuel {

using blocks::DType;

namespace {
//===-- Rows as examples --------------------------------------------------===//

class CsvExamples : public ExampleReader {
public:
  CsvExamples(std::unique_ptr<CsvRows> given, const CsvSchema &schema,
              std::vector<const CsvSource *> here)
      : table(std::move(given)) {
    table->use(CsvSchema::columnsOf(here, table->names()));
    for (const CsvSource *source : here)
      addSource(*source, schema);
  }
  const std::vector<SourceInfo> &sources() const override { return infos; }

  bool next(Batch &batch) override {
    batch.resize(infos.size());
    for (Filled &source : filled)
      source.clear();
    int64_t count = 0;
    for (; count < piece && table->next(); ++count)
      for (Filled &source : filled)
        addRow(source);
    for (size_t i = 0; i < infos.size(); ++i)
      filled[i].give(infos[i], count, batch.sources[i], batch.items[i]);
    batch.examples = count;
    return count > 0;
  }

private:
  struct Cell {
    size_t index; ///< In the table.
    const CsvColumn *column;
  };
  /// What the rows of a piece give for one source.
  struct Filled {
    CsvSource::Kind kind;
    std::vector<Cell> cells;
    std::vector<double> reals;
    std::vector<int64_t> integers;
    std::string text;
    std::vector<int64_t> lengths;

    void clear() {
      reals.clear();
      integers.clear();
      text.clear();
      lengths.clear();
    }
    void give(const SourceInfo &info, int64_t rows, blocks::Array &out,
              RaggedItems &items) const {
      if (kind == CsvSource::Kind::Text) {
        items.clear(1);
        for (int64_t length : lengths)
          items.append(std::span(&length, 1));
        out.resizeRows(DType::UInt8, int64_t(text.size()), {});
        return copy(text.data(), out);
      }
      out.resizeRows(info.dtype, rows, {info.shape[1]});
      if (kind == CsvSource::Kind::Reals)
        copy(reals.data(), out);
      else
        copy(integers.data(), out);
    }
    static void copy(const void *from, blocks::Array &out) {
      if (out.bytes())
        std::memcpy(out.data(), from, out.bytes());
    }
  };

  void addSource(const CsvSource &source, const CsvSchema &schema) {
    Filled fill{source.kind, {}, {}, {}, {}, {}};
    std::vector<size_t> indices =
        CsvSchema::columnsOf({&source}, table->names());
    for (size_t i = 0; i < indices.size(); ++i)
      fill.cells.push_back({indices[i], &schema.column(source.columns[i])});
    filled.push_back(std::move(fill));
    int64_t width = schema.width(source);
    SourceInfo info{source.name, DType::Int64, {-1, width}, {"batch", "index"}};
    if (source.kind == CsvSource::Kind::Reals) {
      info.dtype = DType::Float64;
      info.axisLabels[1] = source.name == "targets" ? "target" : "feature";
      piece = std::min(piece, rowsInPiece(8 * size_t(width)));
    }
    if (source.kind == CsvSource::Kind::Text) {
      info = {source.name, DType::UInt8, {-1, -1}, {"batch", "character"}};
      info.ragged = info.text = true;
    }
    infos.push_back(std::move(info));
  }

  void addRow(Filled &source) const {
    for (const Cell &cell : source.cells) {
      std::string_view text = table->cell(cell.index);
      if (source.kind == CsvSource::Kind::Text) {
        source.text += text;
        source.lengths.push_back(int64_t(text.size()));
      } else if (source.kind == CsvSource::Kind::Integers) {
        source.integers.push_back(
            known(csvInteger(text), cell, "a whole number"));
      } else if (source.kind == CsvSource::Kind::Classes) {
        source.integers.push_back(classOf(cell, text));
      } else if (cell.column->oneHot) {
        size_t first = source.reals.size();
        source.reals.resize(first + cell.column->classes.size(), 0);
        source.reals[first + size_t(classOf(cell, text))] = 1;
      } else {
        source.reals.push_back(known(csvNumber(text), cell, "a number"));
      }
    }
  }

  /// Files are read twice, and may change between.
  template <typename T>
  T known(const std::optional<T> &value, const Cell &cell,
          const char *what) const {
    if (!value)
      throw blocks::InputError(table->where(cell.index) + ": column '" +
                               cell.column->name + "' holds '" +
                               std::string(table->cell(cell.index)) +
                               "'; expected " + what);
    return *value;
  }
  int64_t classOf(const Cell &cell, std::string_view text) const {
    auto found = cell.column->classes.find(text);
    bool exists = found != cell.column->classes.end();
    return known(exists ? std::optional(found->second) : std::nullopt, cell,
                 "a value that was there before");
  }

  std::unique_ptr<CsvRows> table;
  std::vector<SourceInfo> infos;
  std::vector<Filled> filled;
  int64_t piece = 4096;
};

//===-- The converter -----------------------------------------------------===//

char separatorOf(const std::string &text) {
  if (text == "tab" || text == "\\t")
    return '\t';
  if (text.size() == 1 && text != "\"" && text != "\n" && text != "\r")
    return text[0];
  throw blocks::UsageError("--separator is '" + text +
                           "'; expected one character, or 'tab'");
}

CsvDialect dialectOf(const ConvertOptions &options) {
  CsvDialect dialect;
  dialect.separator = separatorOf(options.text("separator"));
  dialect.header = !options.flag("no-header");
  dialect.numbersAsNames = options.flag("header");
  if (!dialect.header && dialect.numbersAsNames)
    throw blocks::UsageError("--header and --no-header exclude each other");
  for (const std::string &text : options.list("missing"))
    dialect.missing.insert(text);
  if (options.has("fill"))
    dialect.fill = options.text("fill");
  dialect.dropMissing = options.flag("drop-missing");
  if (dialect.fill && dialect.dropMissing)
    throw blocks::UsageError("--fill and --drop-missing exclude each other");
  return dialect;
}

std::string convertCsv(const ConvertOptions &options) {
  std::vector<InputArgument> arguments =
      inputArguments(options, InputForm::Split);
  OutputPlan plan = OutputPlan::of(options, "data");
  CsvDialect dialect = dialectOf(options);
  auto open = [&](const std::string &split) {
    std::vector<std::string> files;
    for (const InputArgument &argument : arguments)
      if (argument.split == split)
        files.push_back(argument.path);
    return std::make_unique<CsvRows>(files, dialect);
  };
  std::vector<std::string> splits = splitsOf(arguments);
  CsvSchema schema(options, open(splits.front())->names());
  auto where = [](const std::string &split) {
    return split.empty() ? "the input" : "split '" + split + "'";
  };
  do
    for (const std::string &split : splits) {
      ProgressTask task(options.progress, "learning the columns", -1);
      auto rows = open(split);
      schema.learn(*rows, schema.sourcesIn(rows->names(), where(split)));
    }
  while (schema.learnsAgain());
  schema.decide();
  ElementTypes types(options.list("dtype"));
  schema.addTypes(types);
  std::vector<SplitReader> readers;
  std::vector<SourceInfo> all;
  for (const std::string &split : splits) {
    auto rows = open(split);
    auto here = schema.sourcesIn(rows->names(), where(split));
    auto reader = std::make_unique<CsvExamples>(std::move(rows), schema, here);
    all.insert(all.end(), reader->sources().begin(), reader->sources().end());
    readers.push_back(
        {split, castExamples(std::move(reader), types, where(split))});
  }
  types.check(all);
  Companions companions;
  companions.texts = schema.lists();
  return writeExamples(options, plan, std::move(readers), companions);
}
} // namespace

Converter csvConverter() {
  Converter converter;
  converter.name = "csv";
  converter.summary =
      "tables of separated values: numbers as features, classes as targets";
  converter.outputName = "data";
  converter.options = inputOptions("files, as [SPLIT=]FILE; plain or gzip");
  ConverterOption separator, header, names, missing, fill, drop;
  separator.name = "separator";
  separator.help = "between fields: one character, or 'tab'";
  separator.defaultValue = ",";
  header.name = "no-header";
  header.help = "the first line is a row; columns are called 1, 2, …";
  header.flag = true;
  names.name = "header";
  names.help = "the first line names the columns, though all of it is numbers";
  names.flag = true;
  missing.name = "missing";
  missing.help = "another text for a missing value, beside nothing, NA, N/A, "
                 "NaN, nan and null";
  missing.repeated = true;
  fill.name = "fill";
  fill.help = "what stands for missing values, which are an error otherwise";
  drop.name = "drop-missing";
  drop.help = "leave out rows that lack a value";
  drop.flag = true;
  for (const ConverterOption &option :
       {separator, header, names, missing, fill, drop})
    converter.options.push_back(option);
  for (ConverterOption &option : CsvSchema::options())
    converter.options.push_back(std::move(option));
  for (ConverterOption &option : outputOptions())
    converter.options.push_back(std::move(option));
  ConverterOption dtype;
  dtype.name = "dtype";
  dtype.help = "element type of sources of fractions, or of one source as "
               "SOURCE=TYPE [float32; whole numbers int64, classes the "
               "smallest]";
  dtype.repeated = true;
  converter.options.push_back(dtype);
  converter.convert = convertCsv;
  return converter;
}

} // namespace fuel
