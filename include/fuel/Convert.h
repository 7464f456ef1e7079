// Converters: make a Fuel HDF5 file of a data set's original files. A table
// says which there are, what they read and which options they know; a program
// may add its own. Output is atomic: the file is complete, or it is not there.
#pragma once

#include "fuel/Progress.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace fuel {

/// What a converter can be told besides folders and the result's name.
struct ConverterOption {
  std::string name; ///< "dtype"; given as --dtype, or by its place.
  std::string help, defaultValue;
  bool flag = false;       ///< Takes no value.
  bool positional = false; ///< Given by its place.
  bool repeated = false;   ///< May be given several times.
  bool required = false;
  std::vector<std::string> choices; ///< If not empty: nothing else.
};

struct ConvertOptions {
  std::string directory = ".";       ///< Where the original files are.
  std::string outputDirectory = "."; ///< Must exist.
  std::string outputName;            ///< "" : the converter's own name.
  /// The command line, kept in the file as its origin.
  std::string command;
  /// Values of the converter's options by name. Flags have "true".
  std::map<std::string, std::vector<std::string>> values;
  Progress *progress = nullptr; ///< May be null.

  /// "" if not given.
  std::string text(const std::string &name) const;
  /// UsageError that names the option and what was found unless it is a number.
  double number(const std::string &name) const;
  int64_t integer(const std::string &name) const;
  bool flag(const std::string &name) const;
  std::vector<std::string> list(const std::string &name) const;
  bool has(const std::string &name) const { return !list(name).empty(); }
};

struct Converter {
  std::string name, summary;
  /// Default name of the result, without .hdf5; "" if it makes no file.
  std::string outputName;
  /// The original files, as the help lists them.
  std::vector<std::string> files;
  std::vector<ConverterOption> options;
  /// Called with complete and checked options; returns the path written.
  std::function<std::string(const ConvertOptions &)> convert;
};

/// All converters by name. The reference is good until another is registered.
const std::vector<Converter> &converters();
/// Adds a program's own, before any thread converts. UsageError if there is one
/// of this name.
void registerConverter(Converter converter);
/// Checks the options against the converter's table, fills in the defaults and
/// converts. Returns the path of the file written. Throws blocks::Error.
std::string runConverter(const std::string &name, ConvertOptions options);

} // namespace fuel
