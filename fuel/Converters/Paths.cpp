// Paths: see Paths.h.
#include "fuel/Converters/Paths.h"

#include "blocks/Error.h"
#include "runtime/Base/FileDescriptor.h"

#include <filesystem>

namespace fuel {

namespace fs = std::filesystem;

static fs::file_status statusOf(const std::string &path) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none)
    throw blocks::ioError("look at", path, error.value());
  return status;
}

bool fileExists(const std::string &path) { return fs::exists(statusOf(path)); }

bool folderExists(const std::string &path) {
  return fs::is_directory(statusOf(path));
}

namespace {
using Find = std::string (*)(const std::string &, const std::string &);

std::string findPlain(const std::string &directory, const std::string &name) {
  std::string path = fs::path(directory) / name;
  return fileExists(path) ? path : "";
}

std::vector<std::string> findAll(const ConvertOptions &options,
                                 const std::string &converter,
                                 const std::vector<std::string> &names,
                                 Find find) {
  std::vector<std::string> paths;
  std::string missing;
  for (const std::string &name : names) {
    paths.push_back(find(options.directory, name));
    if (paths.back().empty())
      missing += (missing.empty() ? "" : ", ") + name;
  }
  if (!missing.empty())
    throw blocks::InputError("'" + options.directory + "' lacks " + missing +
                             "; name the folder that holds them with "
                             "--directory, or get them with 'fuel-download " +
                             converter + "'");
  return paths;
}
} // namespace

std::vector<std::string> findInputs(const ConvertOptions &options,
                                    const std::string &converter,
                                    const std::vector<std::string> &names) {
  return findAll(options, converter, names, findPlain);
}

std::string findPlainOrGzip(const std::string &directory,
                            const std::string &name) {
  std::string found = findPlain(directory, name);
  if (found.empty() && name.ends_with(".gz"))
    found = findPlain(directory, name.substr(0, name.size() - 3));
  return found;
}

std::vector<std::string>
findPlainOrGzipInputs(const ConvertOptions &options,
                      const std::string &converter,
                      const std::vector<std::string> &names) {
  return findAll(options, converter, names, findPlainOrGzip);
}

std::string outputPath(const ConvertOptions &options, std::string name) {
  if (!options.outputName.empty())
    name = options.outputName;
  std::string extension = fs::path(name).extension();
  if (extension != ".hdf5" && extension != ".hdf" && extension != ".h5")
    name += ".hdf5";
  if (!folderExists(options.outputDirectory))
    throw blocks::InputError("the output folder '" + options.outputDirectory +
                             "' does not exist; create it first");
  return fs::path(options.outputDirectory) / name;
}

} // namespace fuel
