// Config: where data sets lie and other defaults, from the environment and a
// configuration file. Precedence: an environment variable, then the file, then
// the default. The file is the one that FUEL_CONFIG names, or ~/.fuelrc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fuel {

struct Config {
  /// Folders searched for data sets, in this order (FUEL_DATA_PATH, separated
  /// by ':').
  std::vector<std::string> dataPath;
  /// A folder for copies of data sets on other machines' disks; "" for none
  /// (FUEL_LOCAL_DATA_PATH).
  std::string localDataPath;
  int64_t defaultSeed = 1;
  /// Element type of floating-point data, "float32" or "float64"; "" where
  /// nothing says (FUEL_FLOATX).
  std::string floatX;
  /// Modules of Python's Fuel (FUEL_EXTRA_DOWNLOADERS, FUEL_EXTRA_CONVERTERS,
  /// separated by blanks): read, so that its files are accepted, and not used.
  std::vector<std::string> extraDownloaders, extraConverters;
  std::string file; ///< The file that was read, or "".
};

/// Throws InputError for a file that cannot be understood, naming the line and
/// the keys that there are. The file is TOML if its name ends in .toml, else
/// the part of YAML that Fuel's files use: "key: value", lists as [a, b] or as
/// lines "- a", comments by #.
Config loadConfig();

/// Path of `name`: as it is if it names a file or has a folder, else the first
/// folder of the data path that holds it. InputError that lists the folders
/// searched and says how to name others.
std::string findData(const Config &config, const std::string &name);

} // namespace fuel
