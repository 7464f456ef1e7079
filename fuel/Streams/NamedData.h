// NamedData: what a name of a data set means to a stream: the file that is
// read, its splits, and its default transformers.
#pragma once

#include "fuel/Dataset.h"
#include "fuel/OpenStream.h"

namespace fuel {

/// A file by its path or name, or its copy on the local disk.
std::shared_ptr<const Dataset> openNamedFile(const StreamOptions &options,
                                             const std::string &file);
/// The options' transformers, after the data set's own if those are asked for.
/// UsageError if there is no such data set.
std::vector<std::string> allTransforms(const StreamOptions &options);

} // namespace fuel
