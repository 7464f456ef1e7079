// Config: see include/fuel/Config.h.
#include "fuel/Config.h"

#include "blocks/Error.h"
#include "fuel/Config/ConfigFile.h"
#include "runtime/Base/Text.h"

#include <algorithm>
#include <charconv>
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
  int64_t value = 0;
  const char *end = text.data() + text.size();
  auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end)
    throw InputError(entry.where + ": '" + entry.key + "' is '" + text +
                     "'; expected a whole number");
  return value;
}

void checkFloatX(const std::string &value, const std::string &where) {
  if (!value.empty() && value != "float32" && value != "float64")
    throw InputError(where + ": floatX is '" + value +
                     "'; expected float32 or float64");
}

/// What a key does with its values. In the order of the documentation.
struct Setting {
  const char *key, *variable; ///< Without a variable: nullptr.
  void (*set)(Config &, const ConfigEntry &);
  std::string (*show)(const Config &);
};

const Setting settings[] = {
    {"data_path", "FUEL_DATA_PATH",
     [](Config &config, const ConfigEntry &entry) {
       config.dataPath = folders(entry.values);
     },
     [](const Config &config) { return blocks::joined(config.dataPath, ":"); }},
    {"local_data_path", "FUEL_LOCAL_DATA_PATH",
     [](Config &config, const ConfigEntry &entry) {
       config.localDataPath = fromHome(one(entry));
     },
     [](const Config &config) { return config.localDataPath; }},
    {"default_seed", nullptr,
     [](Config &config, const ConfigEntry &entry) {
       config.defaultSeed = number(entry);
     },
     [](const Config &config) { return std::to_string(config.defaultSeed); }},
    {"floatX", "FUEL_FLOATX",
     [](Config &config, const ConfigEntry &entry) {
       checkFloatX(config.floatX = one(entry), entry.where);
     },
     [](const Config &config) { return config.floatX; }},
    {"extra_downloads", "FUEL_EXTRA_DOWNLOADS",
     [](Config &config, const ConfigEntry &entry) {
       config.extraDownloads = folders(entry.values);
     },
     [](const Config &config) {
       return blocks::joined(config.extraDownloads, ":");
     }},
    {"extra_downloaders", "FUEL_EXTRA_DOWNLOADERS",
     [](Config &config, const ConfigEntry &entry) {
       config.extraDownloaders = words(entry.values);
     },
     [](const Config &config) {
       return blocks::joined(config.extraDownloaders, " ");
     }},
    {"extra_converters", "FUEL_EXTRA_CONVERTERS",
     [](Config &config, const ConfigEntry &entry) {
       config.extraConverters = words(entry.values);
     },
     [](const Config &config) {
       return blocks::joined(config.extraConverters, " ");
     }},
};

std::string knownKeys() {
  std::string text;
  for (const Setting &setting : settings)
    text += (text.empty() ? "" : ", ") + std::string(setting.key);
  return text;
}

void apply(const ConfigEntry &entry, Config &config) {
  for (const Setting &setting : settings)
    if (entry.key == setting.key) {
      if (entry.values.empty())
        return; // Null: as if it were not there.
      setting.set(config, entry);
      config.origins[entry.key] = entry.where;
      return;
    }
  throw InputError(entry.where + ": unknown key '" + entry.key +
                   "'; expected one of: " + knownKeys());
}

/// A variable that is set to nothing turns the local copies off; of the others
/// it says nothing.
void applyEnvironment(Config &config) {
  for (const Setting &setting : settings) {
    const char *value =
        setting.variable ? std::getenv(setting.variable) : nullptr;
    if (!value || (!*value && std::string(setting.key) != "local_data_path"))
      continue;
    std::string where = std::string("the variable ") + setting.variable;
    setting.set(config, {setting.key, {value}, where});
    config.origins[setting.key] = where;
  }
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

std::vector<ConfigValue> describeConfig(const Config &config) {
  std::vector<ConfigValue> lines;
  for (const Setting &setting : settings) {
    auto origin = config.origins.find(setting.key);
    lines.push_back(
        {setting.key, setting.show(config),
         origin == config.origins.end() ? "default" : origin->second});
  }
  return lines;
}

std::string findInDataPath(const Config &config, const std::string &name) {
  std::vector<std::string> folders = config.dataPath;
  if (folders.empty())
    folders.push_back(".");
  for (const std::string &folder : folders) {
    fs::path path = fs::path(folder) / name;
    if (fs::exists(path) && !fs::is_directory(path))
      return path;
  }
  return "";
}

std::string describeDataPath(const Config &config) {
  if (config.dataPath.empty())
    return "'.' (no data path is set: FUEL_DATA_PATH, or data_path in "
           "~/.fuelrc)";
  auto origin = config.origins.find("data_path");
  return "'" + blocks::joined(config.dataPath, "', '") + "' (the data path" +
         (origin == config.origins.end() ? "" : ", from " + origin->second) +
         ")";
}

} // namespace fuel
