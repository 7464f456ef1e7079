// The converter `append-split`: see include/fuel/AppendSplit.h. It changes a
// file rather than making one.
#include "fuel/AppendSplit.h"

#include "blocks/Error.h"
#include "fuel/Converters/Generic/AxisNames.h"
#include "fuel/Converters/Generic/Generic.h"
#include "fuel/Converters/Npy.h"
#include "fuel/Datasets/TextLines.h"
#include "fuel/FileInfo.h"
#include "fuel/Transformers/Elements.h"

#include <charconv>
#include <filesystem>

namespace fuel {

using blocks::UsageError;

namespace {
std::optional<int64_t> rowNumber(std::string_view text) {
  int64_t value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    return std::nullopt;
  return value;
}

/// "10:20", "10:" to the end, ":20".
RowSlice rangeOf(const std::string &text) {
  size_t colon = text.find(':');
  if (colon != std::string::npos) {
    std::string start = text.substr(0, colon), stop = text.substr(colon + 1);
    auto first = start.empty() ? std::optional<int64_t>(0) : rowNumber(start);
    auto last = rowNumber(stop);
    if (first && (last || stop.empty()))
      return {*first, last};
  }
  throw UsageError("--rows is '" + text +
                   "'; expected START:STOP, START: or :STOP");
}

std::vector<int64_t> rowsOfNpy(const std::string &path,
                               const std::string &folder) {
  auto file = openNpy(path, "", folder);
  if (file->rows() == 0 || file->info().shape.size() != 1 ||
      file->info().text || file->info().dtype == blocks::DType::Bool ||
      file->info().dtype >= blocks::DType::Float16)
    throw blocks::InputError("'" + path +
                             "' is no list of row numbers; expected integers "
                             "of one axis");
  blocks::Array values(file->info().dtype, {file->rows()}), wide;
  file->read(file->rows(), values.data());
  castElements(values, blocks::DType::Int64, wide);
  return {wide.as<int64_t>(), wide.as<int64_t>() + wide.size()};
}

/// A number a line, or an array of NumPy.
std::vector<int64_t> rowsOf(const std::string &path,
                            const std::string &folder) {
  if (path.ends_with(".npy"))
    return rowsOfNpy(path, folder);
  std::vector<int64_t> rows;
  TextLines lines({path});
  for (std::string line; lines.next(line);) {
    auto row = rowNumber(line);
    if (!row)
      throw blocks::InputError(lines.where() + ": '" + line.substr(0, 40) +
                               "' is no row number; expected one a line");
    rows.push_back(*row);
  }
  if (rows.empty())
    throw blocks::InputError("'" + path +
                             "' holds no row number; expected one a line");
  return rows;
}

/// The one that is named, or the only one.
std::string dataSplit(const ConvertOptions &options, const std::string &file) {
  if (options.has("data-split"))
    return options.text("data-split");
  FileInfo info = readFileInfo(file);
  if (info.splits.size() == 1)
    return info.splits.front().name;
  std::string known;
  for (const FileInfo::Split &split : info.splits)
    known += (known.empty() ? "" : ", ") + split.name;
  throw UsageError("name a split of '" + file +
                   "' with --data-split; it has: " + known);
}

std::string convertAppendSplit(const ConvertOptions &options) {
  auto resolve = [&](const std::string &name) {
    return (std::filesystem::path(options.directory) / name)
        .lexically_normal()
        .string();
  };
  std::vector<std::string> given = options.list("file-and-name");
  if (given.size() != 2)
    throw UsageError("append-split is given " + std::to_string(given.size()) +
                     " names; expected two: that of the file and that of the "
                     "new split");
  std::string path = resolve(given[0]);
  NewSplit split;
  split.name = given[1];
  split.of = options.text("of");
  split.comment = options.text("comment");
  if (options.has("sources"))
    split.sources = splitText(options.text("sources"), ',');
  if (options.has("rows") && options.has("indices"))
    throw UsageError("--rows and --indices exclude each other");
  std::string folder = std::filesystem::path(path).parent_path().string();
  if (options.has("rows"))
    split.rows = rangeOf(options.text("rows"));
  if (options.has("indices"))
    split.rows =
        rowsOf(resolve(options.text("indices")), folder.empty() ? "." : folder);
  if (options.has("data")) {
    split.dataFile = resolve(options.text("data"));
    split.dataSplit = dataSplit(options, split.dataFile);
    if (split.comment.empty())
      split.comment = "split '" + split.dataSplit + "' of " +
                      std::filesystem::path(split.dataFile).filename().string();
  }
  appendSplit(path, split, options.command, options.progress);
  return path;
}

ConverterOption named(const char *name, const char *help) {
  ConverterOption option;
  option.name = name;
  option.help = help;
  return option;
}
} // namespace

Converter appendSplitConverter() {
  Converter converter;
  converter.name = "append-split";
  converter.summary = "adds a split to a file that there is: rows that it has, "
                      "or those of another file";
  ConverterOption names =
      named("file-and-name", "the file to be changed, and the new split");
  names.positional = names.repeated = names.required = true;
  converter.options = {
      names,
      named("rows", "rows START:STOP of the file, or of the split --of"),
      named("indices", "file of row numbers, one a line, or an array (.npy)"),
      named("of", "rows are those of this split; alone: all of them"),
      named("data", "file whose rows are appended"),
      named("data-split", "which of its splits; the only one by default"),
      named("sources", "sources of the new split: a,b; otherwise all"),
      named("comment", "kept with the split")};
  converter.convert = convertAppendSplit;
  return converter;
}

} // namespace fuel
