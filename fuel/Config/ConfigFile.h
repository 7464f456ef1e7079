// ConfigFile: the entries of a configuration file, TOML or the part of YAML
// that Fuel's ~/.fuelrc uses, without any idea of what they mean.
#pragma once

#include <string>
#include <vector>

namespace fuel {

struct ConfigEntry {
  std::string key;
  std::vector<std::string> values; ///< One, or those of a list.
  std::string where;               ///< "'file', line 3".
};

/// Throws IoError if it cannot be read, InputError naming the line.
std::vector<ConfigEntry> readConfigFile(const std::string &path);

} // namespace fuel
