// fuel-info: what a Fuel HDF5 file holds and where it came from.
#include "blocks/Array.h"
#include "fuel/FileInfo.h"
#include "tools/ToolMain.h"

#include <nlohmann/json.hpp>

using Json = nlohmann::ordered_json;

static std::string orUnknown(const std::string &text) {
  return text.empty() ? "N/A" : text;
}

static std::string joinLabels(const std::vector<std::string> &labels) {
  std::string text;
  for (const std::string &label : labels)
    text += (text.empty() ? "" : ", ") + (label.empty() ? "-" : label);
  return text;
}

static void printText(const fuel::FileInfo &info) {
  std::cout << "Command: " << orUnknown(info.convertCommand) << "\n"
            << "fuel-convert version: " << orUnknown(info.convertVersion)
            << "\n"
            << "Interface version: " << orUnknown(info.interfaceVersion)
            << "\n\nSources:\n";
  for (const fuel::FileInfo::Source &source : info.sources)
    std::cout << "  " << source.name << ": " << source.type << ", "
              << blocks::formatShape(source.shape) << " ("
              << joinLabels(source.axisLabels) << ")\n";
  std::cout << "\nSplits:\n";
  for (const fuel::FileInfo::Split &split : info.splits)
    for (const fuel::FileInfo::SplitPart &part : split.parts) {
      std::cout << "  " << split.name << ", " << part.source << ": "
                << part.stop - part.start << " rows, ";
      if (part.byIndex)
        std::cout << "by index\n";
      else
        std::cout << part.start << " to " << part.stop << "\n";
    }
}

static void printJson(const fuel::FileInfo &info) {
  Json sources = Json::object(), splits = Json::object();
  for (const fuel::FileInfo::Source &source : info.sources)
    sources[source.name] = {{"dtype", source.type},
                            {"shape", source.shape},
                            {"axis_labels", source.axisLabels}};
  for (const fuel::FileInfo::Split &split : info.splits) {
    Json parts = Json::object();
    for (const fuel::FileInfo::SplitPart &part : split.parts)
      parts[part.source] = {{"start", part.start},
                            {"stop", part.stop},
                            {"by_index", part.byIndex}};
    splits[split.name] = parts;
  }
  std::cout << Json{{"fuel_convert_command", info.convertCommand},
                    {"fuel_convert_version", info.convertVersion},
                    {"h5py_interface_version", info.interfaceVersion},
                    {"sources", sources},
                    {"splits", splits}}
                   .dump(-1, ' ', false, Json::error_handler_t::replace)
            << "\n";
}

int main(int argc, char **argv) {
  CLI::App app("Describes a Fuel HDF5 file: where it came from, its sources "
               "and its splits.",
               "fuel-info");
  app.footer("Examples:\n"
             "  fuel-info mnist.hdf5\n"
             "  fuel-info --json mnist.hdf5");
  std::string file;
  bool json = false;
  app.add_option("file", file, "the file to describe")->required();
  app.add_flag("--json", json, "print one JSON object");
  return blocks::toolMain(app, argc, argv, [&] {
    fuel::FileInfo info = fuel::readFileInfo(file);
    json ? printJson(info) : printText(info);
  });
}
