// OutputFiles: what a command checks about the files that it will write, before
// it computes anything: hours of training must not end at a missing folder, and
// no output may take the place of the model, the data or another output.
#pragma once

#include <string>
#include <vector>

namespace blocks::cli {

/// A file that an option (or a positional argument) names; an empty path is
/// none.
struct NamedFile {
  std::string option, path;
  /// Written beside and renamed, so that it must be a regular file.
  bool replaced = true;
};

/// Throws a UsageError if two outputs, or an output and an input, are one file,
/// and an IoError if an output cannot be written where it shall be.
void checkOutputFiles(const std::vector<NamedFile> &inputs,
                      const std::vector<NamedFile> &outputs);

/// Throws a UsageError if there is a file at `path` that is no checkpoint: a
/// run would replace it.
void checkNoOtherFile(const NamedFile &checkpoint);

} // namespace blocks::cli
