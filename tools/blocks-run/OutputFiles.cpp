// OutputFiles: see the header.
#include "tools/blocks-run/OutputFiles.h"

#include "blocks/Error.h"
#include "runtime/Checkpoint/CheckpointHeader.h"

#include <filesystem>
#include <unistd.h>

namespace fs = std::filesystem;

namespace blocks::cli {

/// By what is at the paths if there is something, else by the paths themselves.
static bool isSameFile(const std::string &a, const std::string &b) {
  std::error_code error;
  if (fs::exists(a, error) && fs::exists(b, error))
    return fs::equivalent(a, b, error);
  return fs::weakly_canonical(fs::absolute(a, error), error) ==
         fs::weakly_canonical(fs::absolute(b, error), error);
}

static void checkDistinct(const NamedFile &output, const NamedFile &other) {
  if (!output.path.empty() && !other.path.empty() &&
      isSameFile(output.path, other.path))
    throw UsageError(output.option + " and " + other.option +
                     " name the same file '" + output.path +
                     "', which would be overwritten; give " + output.option +
                     " another path");
}

static void checkWritable(const NamedFile &output) {
  if (output.path.empty())
    return;
  auto refuse = [&](const std::string &why) {
    throw IoError(output.option + " '" + output.path +
                  "' cannot be written: " + why);
  };
  std::error_code error;
  fs::path folder = fs::path(output.path).parent_path();
  if (folder.empty())
    folder = ".";
  bool exists = fs::exists(output.path, error);
  if (fs::is_directory(output.path, error))
    refuse("it is a folder; name a file in it");
  if (exists && output.replaced && !fs::is_regular_file(output.path, error))
    refuse("it is not a regular file; name a file to write");
  if (!fs::is_directory(folder, error))
    refuse("there is no folder '" + folder.string() + "'; create it first");
  bool inPlace = exists && !output.replaced;
  if (::access(inPlace ? output.path.c_str() : folder.c_str(), W_OK) != 0)
    refuse("permission denied; choose another folder");
}

void checkOutputFiles(const std::vector<NamedFile> &inputs,
                      const std::vector<NamedFile> &outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    for (const NamedFile &input : inputs)
      checkDistinct(outputs[i], input);
    for (size_t j = 0; j < i; ++j)
      checkDistinct(outputs[i], outputs[j]);
    checkWritable(outputs[i]);
  }
}

void checkNoOtherFile(const NamedFile &checkpoint) {
  std::error_code error;
  if (checkpoint.path.empty() || !fs::exists(checkpoint.path, error) ||
      fs::file_size(checkpoint.path, error) == 0 ||
      looksLikeCheckpoint(checkpoint.path))
    return;
  throw UsageError(checkpoint.option + " '" + checkpoint.path +
                   "' exists and is no checkpoint, so it is not replaced; "
                   "remove it, or name another file");
}

} // namespace blocks::cli
