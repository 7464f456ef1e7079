// fuel-info: what a Fuel HDF5 file holds and where it came from.
#include "blocks/Array.h"
#include "fuel/BuiltInDatasets.h"
#include "fuel/Config.h"
#include "fuel/FileInfo.h"
#include "runtime/Base/Text.h"
#include "tools/ToolMain.h"

#include <nlohmann/json.hpp>

#include <iomanip>
#include <sstream>

using Json = nlohmann::ordered_json;

static std::string orUnknown(const std::string &text) {
  return text.empty() ? "N/A" : text;
}

static std::string orDash(const std::string &name) {
  return name.empty() ? "-" : name;
}

static std::string orUnset(const std::string &text) {
  return text.empty() ? "(not set)" : text;
}

/// "187.5 KiB".
static std::string sizeText(uint64_t bytes) {
  const char *units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = double(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit < 6; ++unit)
    value /= 1024;
  std::ostringstream text;
  text << std::fixed << std::setprecision(unit ? 1 : 0) << value << " "
       << units[unit];
  return text.str();
}

static void printSource(const fuel::FileInfo::Source &source) {
  std::cout << "  " << source.name << ": ";
  if (!source.problem.empty()) {
    std::cout << "cannot be read: " << source.problem << "\n";
    return;
  }
  std::cout << source.type << ", " << blocks::formatShape(source.shape) << " ("
            << blocks::joined(source.axisLabels, ", ", orDash) << "), "
            << sizeText(source.bytes) << ", " << source.storage << "\n";
}

static void printText(const fuel::FileInfo &info) {
  std::cout << "Command: " << orUnknown(info.convertCommand) << "\n"
            << "fuel-convert version: " << orUnknown(info.convertVersion)
            << "\n"
            << "Interface version: " << orUnknown(info.interfaceVersion)
            << "\nSize: " << sizeText(info.bytes) << "\n\nSources:\n";
  for (const fuel::FileInfo::Source &source : info.sources)
    printSource(source);
  std::cout << "\nSplits:\n";
  for (const fuel::FileInfo::Split &split : info.splits)
    for (const fuel::FileInfo::SplitPart &part : split.parts) {
      std::cout << "  " << split.name << ", " << part.source << ": "
                << part.stop - part.start << " rows, ";
      if (part.byIndex)
        std::cout << "by index";
      else
        std::cout << part.start << " to " << part.stop;
      std::cout << (part.comment.empty() ? "" : " (" + part.comment + ")")
                << "\n";
    }
}

static void printJson(const fuel::FileInfo &info) {
  Json sources = Json::object(), splits = Json::object();
  for (const fuel::FileInfo::Source &source : info.sources)
    sources[source.name] = {{"dtype", source.type},
                            {"shape", source.shape},
                            {"axis_labels", source.axisLabels},
                            {"bytes", source.bytes},
                            {"storage", source.storage},
                            {"problem", source.problem}};
  for (const fuel::FileInfo::Split &split : info.splits) {
    Json parts = Json::object();
    for (const fuel::FileInfo::SplitPart &part : split.parts)
      parts[part.source] = {{"start", part.start},
                            {"stop", part.stop},
                            {"by_index", part.byIndex},
                            {"comment", part.comment}};
    splits[split.name] = parts;
  }
  std::cout << Json{{"fuel_convert_command", info.convertCommand},
                    {"fuel_convert_version", info.convertVersion},
                    {"h5py_interface_version", info.interfaceVersion},
                    {"bytes", info.bytes},
                    {"sources", sources},
                    {"splits", splits}}
                   .dump(-1, ' ', false, Json::error_handler_t::replace)
            << "\n";
}

/// Throws an error that counts the problems, after listing them.
static void check(const std::string &file, bool json) {
  std::vector<std::string> problems = fuel::checkFile(file);
  if (json)
    std::cout << Json{{"file", file}, {"problems", problems}}.dump(
                     -1, ' ', false, Json::error_handler_t::replace)
              << "\n";
  else
    for (const std::string &problem : problems)
      std::cout << problem << "\n";
  if (!problems.empty())
    throw blocks::CorruptError("'" + file + "' has " +
                               std::to_string(problems.size()) + " problems");
  if (!json)
    std::cout << "'" << file << "' is sound\n";
}

/// What fuel's programs take as set, and why.
static void printConfig(bool json) {
  fuel::Config config = fuel::loadConfig();
  Json values = Json::object();
  for (const fuel::ConfigValue &line : describeConfig(config))
    if (json)
      values[line.key] = {{"value", line.value}, {"origin", line.origin}};
    else
      std::cout << line.key << " = " << orUnset(line.value) << " ("
                << line.origin << ")\n";
  if (json)
    std::cout << Json{{"file", config.file}, {"values", values}}.dump() << "\n";
}

/// The data sets that have a name, and whether they are there.
static void printDatasets(bool json) {
  fuel::Config config = fuel::loadConfig();
  Json sets = Json::object();
  for (const fuel::BuiltInDataset &set : fuel::builtInDatasets()) {
    std::string path = fuel::findInDataPath(config, set.file);
    sets[set.name] = {{"summary", set.summary},
                      {"file", set.file},
                      {"path", path},
                      {"splits", set.splits},
                      {"default_transformers", defaultTransforms(set, config)},
                      {"download", set.download},
                      {"convert", set.convert}};
    if (json)
      continue;
    std::cout << set.name << ": " << set.summary << " ("
              << blocks::joined(set.splits, ", ", orDash) << "), "
              << (path.empty() ? "not there" : path) << "\n";
    for (const std::string &text : defaultTransforms(set, config))
      std::cout << "  " << text << "\n";
  }
  if (json)
    std::cout << sets.dump() << "\n";
}

int main(int argc, char **argv) {
  CLI::App app("Describes a Fuel HDF5 file: where it came from, its sources "
               "and its splits; or checks all of it.",
               "fuel-info");
  app.footer("Examples:\n"
             "  fuel-info mnist.hdf5\n"
             "  fuel-info --json mnist.hdf5\n"
             "  fuel-info --check mnist.hdf5\n"
             "  fuel-info --config");
  std::string file;
  bool json = false, checking = false, config = false, datasets = false;
  app.add_option("file", file,
                 "the file to describe, or the name of a data set");
  app.add_flag("--config", config,
               "describe the configuration instead: its values and where each "
               "comes from");
  app.add_flag("--datasets", datasets,
               "list the data sets that have a name, with their default "
               "transformers, and where they are");
  app.add_flag("--json", json, "print one JSON object");
  app.add_flag("--check", checking,
               "read everything: splits, indices, every row with its "
               "checksums and shapes; status 1 if something is wrong");
  return blocks::toolMain(app, argc, argv, [&] {
    if (config)
      return printConfig(json);
    if (datasets)
      return printDatasets(json);
    if (file.empty())
      throw blocks::UsageError("file is required; run with --help for usage");
    file = findDataset(fuel::loadConfig(), file).path;
    if (checking)
      return check(file, json);
    fuel::FileInfo info = fuel::readFileInfo(file);
    json ? printJson(info) : printText(info);
  });
}
