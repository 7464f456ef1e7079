// Paths: where a converter's original files lie, and where its result goes.
#pragma once

#include "fuel/Convert.h"

namespace fuel {

/// Whether there is something at `path`; IoError if the system does not tell.
bool fileExists(const std::string &path);
/// The same for a folder.
bool folderExists(const std::string &path);

/// Paths of `names` in the folder of the originals, in this order. If any is
/// missing: one InputError that lists all of them, the folder, and what to do.
std::vector<std::string> findInputs(const ConvertOptions &options,
                                    const std::string &converter,
                                    const std::vector<std::string> &names);

/// `directory`/`name`, or without its ending ".gz"; "" if neither exists.
std::string findPlainOrGzip(const std::string &directory,
                            const std::string &name);
/// The same as findInputs, where each of `names` ends in ".gz" or does not.
std::vector<std::string>
findPlainOrGzipInputs(const ConvertOptions &options,
                      const std::string &converter,
                      const std::vector<std::string> &names);

/// Path of the result, called `name` unless the options say otherwise; ".hdf5"
/// is added unless it ends in .hdf5, .hdf or .h5. InputError if its folder does
/// not exist.
std::string outputPath(const ConvertOptions &options, std::string name);

} // namespace fuel
