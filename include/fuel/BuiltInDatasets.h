// Built-in data sets: the ones that Fuel has a class for, by name. A name means
// a file in the folders of the data path, its splits, and the transformers that
// the data set is customarily read through.
#pragma once

#include "fuel/Config.h"
#include "fuel/Datasets.h"

#include <memory>
#include <string>
#include <vector>

namespace fuel {

struct BuiltInDataset {
  std::string name, summary;
  std::string file;                ///< Its name, without a folder.
  std::vector<std::string> splits; ///< As fuel-convert makes them.
  /// Default transformers, written as for openStream; the type "floatX" is the
  /// configuration's.
  std::vector<std::string> transforms;
  /// What makes the file: arguments of fuel-download ("" where it does not
  /// help) and of fuel-convert.
  std::string download, convert;
};

/// In the order of their names.
const std::vector<BuiltInDataset> &builtInDatasets();
/// By name, or the name of Fuel's class ("BinarizedMNIST"), however written;
/// null if there is none.
const BuiltInDataset *findBuiltIn(const std::string &name);

/// Where a name leads.
struct FoundDataset {
  std::string path;
  const BuiltInDataset *set = nullptr; ///< Null for a file of another name.
};

/// A file that exists, or a name with a folder, is meant as it is; then come
/// the names of built-in data sets, then files in the data path. Without a data
/// path the current folder is searched. InputError that names every place and,
/// for a built-in data set, the commands that make it.
FoundDataset findDataset(const Config &config, const std::string &name);

/// The default transformers in the configuration's float type (float32 if it
/// has none).
std::vector<std::string> defaultTransforms(const BuiltInDataset &set,
                                           const Config &config);

/// The text of the One Billion Word benchmark, in the folder "1-billion-word"
/// of the data path.
struct OneBillionWordOptions {
  bool heldOut = false;
  /// From 1 to 99, of the held-out text from 0 to 49.
  std::vector<int64_t> partitions;
  TextFileOptions text; ///< Its files are filled in.
};
std::unique_ptr<DataStream> openOneBillionWord(const Config &config,
                                               OneBillionWordOptions options);

} // namespace fuel
