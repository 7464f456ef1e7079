// NamedData: see NamedData.h.
#include "fuel/Streams/NamedData.h"

#include "blocks/Error.h"
#include "fuel/BuiltInDatasets.h"
#include "fuel/Server.h"
#include "fuel/Streams/DataKinds.h"

#include <iostream>
#include <sstream>

namespace fuel {

namespace {
std::vector<std::string> splitNames(const std::string &joined) {
  std::vector<std::string> names;
  std::istringstream text(joined);
  for (std::string name; std::getline(text, name, '+');)
    names.push_back(name);
  return names;
}

void say(const StreamOptions &options, const std::string &line) {
  if (options.notice)
    options.notice(line);
  else
    std::cerr << line << std::endl;
}

/// A data set with a single split, whatever that is called, has it for "train".
std::vector<std::string> splitsOf(const StreamOptions &options,
                                  const BuiltInDataset *set) {
  if (set && set->splits.size() == 1 && options.split == "train")
    return set->splits;
  return splitNames(options.split);
}

bool isFile(const std::string &file) {
  return !isStreamAddress(file) && !isZeroMqAddress(file) && !isDataCall(file);
}
} // namespace

std::shared_ptr<const Dataset> openNamedFile(const StreamOptions &options,
                                             const std::string &file) {
  Config config = loadConfig();
  FoundDataset found = findDataset(config, file);
  H5PYDatasetOptions dataset;
  dataset.file = useLocalCopy(
      config, found.path, [&](const std::string &line) { say(options, line); });
  dataset.whichSets = splitsOf(options, found.set);
  if (!options.sources.empty())
    dataset.sources = options.sources;
  dataset.preserveOrder = options.preserveOrder;
  dataset.loadInMemory = options.loadInMemory;
  return openH5PYDataset(dataset);
}

std::vector<std::string> allTransforms(const StreamOptions &options) {
  if (!options.defaultTransformers)
    return options.transforms;
  Config config = loadConfig();
  const BuiltInDataset *set =
      isFile(options.file) ? findDataset(config, options.file).set : nullptr;
  if (!set)
    throw blocks::UsageError(
        "'" + options.file +
        "' is no built-in data set, so there are no default transformers for "
        "it; name them by --transform (fuel-info --datasets lists the data "
        "sets and theirs)");
  std::vector<std::string> transforms = defaultTransforms(*set, config);
  transforms.insert(transforms.end(), options.transforms.begin(),
                    options.transforms.end());
  return transforms;
}

} // namespace fuel
