// Config: where data sets lie and other defaults, from the environment and a
// configuration file. Precedence: an environment variable, then the file, then
// the default. The file is the one that FUEL_CONFIG names, or ~/.fuelrc.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
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
  /// Lists of data sets for fuel-download (FUEL_EXTRA_DOWNLOADS, separated by
  /// ':'; see Download.h).
  std::vector<std::string> extraDownloads;
  std::string file; ///< The file that was read, or "".
  /// Key to where its value came from, "the variable FUEL_DATA_PATH" or
  /// "'file', line 3". Keys with their default are not there.
  std::map<std::string, std::string> origins;
};

/// One line of what a person may want to know.
struct ConfigValue {
  std::string key, value, origin;
};
/// All keys, with their values as they would be written and where these came
/// from.
std::vector<ConfigValue> describeConfig(const Config &config);

/// Throws InputError for a file that cannot be understood, naming the line and
/// the keys that there are. The file is TOML if its name ends in .toml, else
/// the part of YAML that Fuel's files use: "key: value", lists as [a, b] or as
/// lines "- a", comments by #. A key with no value or null is as if absent.
Config loadConfig();

/// The file `name`, which may lie in sub-folders, in the first folder of the
/// data path that has it; "" if none has. Without a data path the current
/// folder is searched.
std::string findInDataPath(const Config &config, const std::string &name);
/// The folders that are searched and who says so, for a message.
std::string describeDataPath(const Config &config);

/// Told a line about what a person should know; may be empty.
using Notice = std::function<void(const std::string &)>;

/// Where to read `path` from. With a folder for local copies, a file from the
/// data path is copied there by its name, once for all processes, and again
/// when it has changed; another path is returned as it is. If the disk would be
/// more than 90 % full the original is read, and `notice` told. Whatever else
/// keeps the copy from being made (no permission, a full disk, a file of that
/// name that is no copy) is an IoError: readers that quietly fell back would
/// all load the network.
std::string useLocalCopy(const Config &config, const std::string &path,
                         const Notice &notice = nullptr);

} // namespace fuel
