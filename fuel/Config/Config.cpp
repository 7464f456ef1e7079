// Config: see include/fuel/Config.h.
#include "fuel/Config.h"

#include "blocks/Error.h"
#include "fuel/Config/ConfigFile.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace fuel {

namespace fs = std::filesystem;
using blocks::InputError;

namespace {
std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

std::string fromHome(const std::string &path) {
  if (path == "~" || path.rfind("~/", 0) == 0)
    return environment("HOME") + path.substr(1);
  return path;
}

std::vector<std::string> cut(const std::string &text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);)
    if (!part.empty())
      parts.push_back(part);
  return parts;
}

std::vector<std::string> folders(const std::vector<std::string> &values) {
  std::vector<std::string> result;
  for (const std::string &value : values)
    for (const std::string &part : cut(value, ':'))
      result.push_back(fromHome(part));
  return result;
}

std::vector<std::string> words(const std::vector<std::string> &values) {
  std::vector<std::string> result;
  for (const std::string &value : values)
    for (const std::string &part : cut(value, ' '))
      result.push_back(part);
  return result;
}

std::string one(const ConfigEntry &entry) {
  if (entry.values.size() != 1)
    throw InputError(entry.where + ": '" + entry.key + "' has " +
                     std::to_string(entry.values.size()) +
                     " values; expected one");
  return entry.values.front();
}

int64_t number(const ConfigEntry &entry) {
  std::string text = one(entry);
  char *end = nullptr;
  int64_t value = std::strtoll(text.c_str(), &end, 10);
  if (text.empty() || *end)
    throw InputError(entry.where + ": '" + entry.key + "' is '" + text +
                     "'; expected a whole number");
  return value;
}

void checkFloatX(const std::string &value, const std::string &where) {
  if (!value.empty() && value != "float32" && value != "float64")
    throw InputError(where + ": floatX is '" + value +
                     "'; expected float32 or float64");
}

void apply(const ConfigEntry &entry, Config &config) {
  if (entry.key == "data_path")
    config.dataPath = folders(entry.values);
  else if (entry.key == "local_data_path")
    config.localDataPath = fromHome(one(entry));
  else if (entry.key == "default_seed")
    config.defaultSeed = number(entry);
  else if (entry.key == "floatX")
    checkFloatX(config.floatX = one(entry), entry.where);
  else if (entry.key == "extra_downloaders")
    config.extraDownloaders = words(entry.values);
  else if (entry.key == "extra_converters")
    config.extraConverters = words(entry.values);
  else
    throw InputError(entry.where + ": unknown key '" + entry.key +
                     "'; expected data_path, local_data_path, default_seed, "
                     "floatX, extra_downloaders or extra_converters");
}

void applyEnvironment(Config &config) {
  if (std::string value = environment("FUEL_DATA_PATH"); !value.empty())
    config.dataPath = folders({value});
  if (const char *value = std::getenv("FUEL_LOCAL_DATA_PATH"))
    config.localDataPath = fromHome(value);
  if (std::string value = environment("FUEL_FLOATX"); !value.empty())
    checkFloatX(config.floatX = value, "the variable FUEL_FLOATX");
  if (std::string value = environment("FUEL_EXTRA_DOWNLOADERS"); !value.empty())
    config.extraDownloaders = words({value});
  if (std::string value = environment("FUEL_EXTRA_CONVERTERS"); !value.empty())
    config.extraConverters = words({value});
}

/// "" where there is none; a file named by the variable must be there.
std::string configFile() {
  std::string named = environment("FUEL_CONFIG");
  if (!named.empty())
    return fromHome(named);
  std::string usual = fromHome("~/.fuelrc");
  return fs::exists(usual) ? usual : "";
}
} // namespace

Config loadConfig() {
  Config config;
  config.file = configFile();
  if (!config.file.empty())
    for (const ConfigEntry &entry : readConfigFile(config.file))
      apply(entry, config);
  applyEnvironment(config);
  return config;
}

std::string findData(const Config &config, const std::string &name) {
  if (name.find('/') != std::string::npos || fs::exists(name))
    return name;
  std::string searched;
  for (const std::string &folder : config.dataPath) {
    fs::path path = fs::path(folder) / name;
    if (fs::exists(path))
      return path;
    searched += (searched.empty() ? "'" : ", '") + folder + "'";
  }
  throw InputError(
      "'" + name + "' is not in the current folder" +
      (searched.empty() ? ", and no data path is set" : " nor in " + searched) +
      "; name its folder, or set FUEL_DATA_PATH or data_path in ~/.fuelrc");
}

} // namespace fuel
