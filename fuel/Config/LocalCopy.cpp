// useLocalCopy: see include/fuel/Config.h. A copy of x.hdf5 has beside it
// x.hdf5.from, which says what it is a copy of, and x.hdf5.lock, which the
// process that copies holds. The copy appears by a rename, so whoever reads an
// older one goes on with that.
#include "fuel/Config.h"

#include "blocks/Error.h"
#include "runtime/Base/AtomicFile.h"
#include "runtime/Base/Sha256.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

namespace fuel {

namespace fs = std::filesystem;
using blocks::FileDescriptor;
using blocks::IoError;

namespace {
/// So full a disk may become.
constexpr double fullest = 0.9;

/// Whether `path` lies in `folder`; both are canonical.
bool isWithin(const fs::path &path, const fs::path &folder) {
  auto [end, rest] =
      std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

/// A hash of the size and of three pieces: enough to tell a copy that was cut,
/// or a file that is another one.
std::string sampleOf(const FileDescriptor &file) {
  constexpr uint64_t piece = 1 << 16;
  uint64_t size = file.size();
  std::vector<char> buffer(piece);
  blocks::Sha256 hash;
  hash.update(std::to_string(size));
  for (uint64_t at : {uint64_t(0), size / 2, size > piece ? size - piece : 0})
    hash.update(buffer.data(), file.readAt(buffer.data(), piece, at));
  return hash.hex();
}

std::string statusOf(const FileDescriptor &file) {
  struct stat info;
  if (::fstat(file.get(), &info) != 0)
    throw blocks::ioError("read", file.path(), errno);
  return std::to_string(info.st_size) + " " +
         std::to_string(info.st_mtim.tv_sec) + "." +
         std::to_string(info.st_mtim.tv_nsec);
}

fs::path canonicalOf(const std::string &path) {
  std::error_code error;
  fs::path canonical = fs::canonical(path, error);
  if (error)
    throw blocks::ioError("read", path, error.value());
  return canonical;
}

/// Whether something can be read there.
bool isThere(const std::string &path) {
  std::error_code error;
  return fs::exists(path, error);
}

fs::file_time_type changeOf(const std::string &path) {
  std::error_code error;
  fs::file_time_type time = fs::last_write_time(path, error);
  if (error)
    throw blocks::ioError("read", path, error.value());
  return time;
}

std::string sizeText(uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f MB", double(bytes) / 1e6);
  return text;
}

class LocalCopy {
public:
  LocalCopy(const Config &config, const std::string &path, const Notice &notice)
      : config(config), notice(notice), folder(config.localDataPath),
        source(path, O_RDONLY), original(canonicalOf(path).string()),
        copy((folder / fs::path(path).filename()).string()) {}

  std::string use();

private:
  void makeFolder() const;
  FileDescriptor lock() const;
  bool isCurrent() const;
  bool adopt() const;
  void checkOwner() const;
  bool fits() const;
  void make() const;
  void record() const;
  std::string recordText() const;
  void say(const std::string &text) const {
    if (notice)
      notice(text);
  }
  std::string setting() const {
    auto origin = config.origins.find("local_data_path");
    return "local_data_path" + (origin == config.origins.end()
                                    ? ""
                                    : " (from " + origin->second + ")");
  }

  const Config &config;
  const Notice &notice;
  fs::path folder;
  FileDescriptor source;
  std::string original, copy;
};

void LocalCopy::makeFolder() const {
  std::error_code error;
  fs::create_directories(folder, error);
  std::error_code unreadable;
  if (!fs::is_directory(folder, unreadable))
    throw IoError("cannot make the folder of local copies '" + folder.string() +
                  "'" + (error ? ": " + error.message() : "") + "; change " +
                  setting() + ", or set it to nothing to read '" + original +
                  "' itself");
}

std::string LocalCopy::recordText() const {
  return original + "\n" + statusOf(source) + "\n" + sampleOf(source) +
         "\nend\n";
}

bool LocalCopy::isCurrent() const {
  std::ifstream file(copy + ".from");
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()) || text.str() != recordText() ||
      !isThere(copy))
    return false;
  return sampleOf(FileDescriptor(copy, O_RDONLY)) == sampleOf(source);
}

/// A copy without a record: Fuel's own, if it is as new and has the same bytes.
/// Anything else is not ours to replace.
bool LocalCopy::adopt() const {
  if (isThere(copy + ".from") || !isThere(copy))
    return false;
  if (changeOf(copy) < changeOf(original) ||
      sampleOf(FileDescriptor(copy, O_RDONLY)) != sampleOf(source))
    throw IoError("'" + copy + "' has the name of a local copy of '" +
                  original +
                  "', but is another file; remove or rename it, or "
                  "change " +
                  setting());
  record();
  return true;
}

/// A copy of another file that is still there is in use: two of one name would
/// replace each other's for ever.
void LocalCopy::checkOwner() const {
  std::ifstream file(copy + ".from");
  std::string owner;
  if (!std::getline(file, owner) || owner == original || !isThere(owner) ||
      !isThere(copy))
    return;
  throw IoError("'" + copy + "' is the local copy of '" + owner +
                "', and would be that of '" + original +
                "', too; rename one of these, or change " + setting());
}

bool LocalCopy::fits() const {
  struct statvfs info;
  if (::statvfs(folder.c_str(), &info) != 0)
    throw blocks::ioError("read", folder, errno);
  double total = double(info.f_blocks) * double(info.f_frsize);
  double used = total - double(info.f_bfree) * double(info.f_frsize);
  if (used + double(source.size()) < fullest * total)
    return true;
  say("'" + original + "' (" + sizeText(source.size()) +
      ") is not copied to '" + folder.string() +
      "': that disk would be more than 90 % full; reading the original");
  return false;
}

/// Waits for a process that copies the same file.
FileDescriptor LocalCopy::lock() const {
  FileDescriptor file(copy + ".lock", O_RDWR | O_CREAT);
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0)
    return file;
  if (errno == EWOULDBLOCK)
    say("waiting for another process, which copies '" + original + "'");
  while (::flock(file.get(), LOCK_EX) != 0)
    if (errno != EINTR)
      throw blocks::ioError("lock", file.path(), errno);
  return file;
}

void LocalCopy::make() const {
  say("copying '" + original + "' (" + sizeText(source.size()) + ") to '" +
      copy + "'");
  std::string before = statusOf(source);
  blocks::AtomicFile file(copy);
  std::vector<char> buffer(4 << 20);
  uint64_t at = 0;
  while (size_t bytes = source.readAt(buffer.data(), buffer.size(), at)) {
    file.write(buffer.data(), bytes);
    at += bytes;
  }
  if (statusOf(source) != before || at != source.size())
    throw IoError("'" + original + "' changed while it was copied to '" + copy +
                  "'; wait until it is complete");
  if (sampleOf(file.descriptor()) != sampleOf(source))
    throw IoError("'" + copy +
                  "' does not hold what was written to it; is "
                  "its disk damaged?");
  file.commit();
  record();
}

void LocalCopy::record() const {
  blocks::AtomicFile file(copy + ".from");
  file.write(recordText());
  file.commit();
}

std::string LocalCopy::use() {
  makeFolder();
  if (isCurrent())
    return copy;
  FileDescriptor held = lock();
  if (isCurrent() || adopt())
    return copy;
  checkOwner();
  if (!fits())
    return original;
  make();
  return copy;
}
} // namespace

std::string useLocalCopy(const Config &config, const std::string &path,
                         const Notice &notice) {
  std::error_code unreadable; // Whoever reads it says so.
  if (config.localDataPath.empty() || !fs::is_regular_file(path, unreadable))
    return path;
  fs::path original = canonicalOf(path);
  auto holds = [&](const std::string &folder) {
    std::error_code error;
    fs::path canonical = fs::canonical(folder, error);
    return !error && isWithin(original, canonical);
  };
  if (holds(config.localDataPath) ||
      std::none_of(config.dataPath.begin(), config.dataPath.end(), holds))
    return path;
  return LocalCopy(config, path, notice).use();
}

} // namespace fuel
