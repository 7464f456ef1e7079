// AtomicFile: see AtomicFile.h. A temporary is named TARGET.tmp-PID, so that a
// later run can tell the ones of living writers from leftovers.
#include "runtime/Base/AtomicFile.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace blocks {

namespace {
std::string resolveTarget(const std::string &path) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (!fs::exists(status))
    return path;
  if (!fs::is_regular_file(status))
    throw IoError("cannot replace '" + path +
                  "': it is not a regular file; name a file to write");
  if (!fs::is_symlink(fs::symlink_status(path, error)))
    return path;
  return fs::canonical(path).string();
}

bool isRunning(pid_t pid) { return ::kill(pid, 0) == 0 || errno != ESRCH; }

/// The process that writes `name`, if that is a temporary of `stem`.
pid_t writerOf(const std::string &name, const std::string &stem) {
  if (name.size() <= stem.size() || name.compare(0, stem.size(), stem) != 0)
    return 0;
  pid_t pid = 0;
  const char *end = name.data() + name.size();
  auto [rest, error] = std::from_chars(name.data() + stem.size(), end, pid);
  return error == std::errc() && rest == end && pid > 0 ? pid : 0;
}
} // namespace

void removeStaleTemporaries(const std::string &target) {
  fs::path path(target);
  fs::path directory = path.has_parent_path() ? path.parent_path() : ".";
  std::string stem = path.filename().string() + ".tmp-";
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end;
       it.increment(error)) {
    pid_t pid = writerOf(it->path().filename().string(), stem);
    if (pid && pid != ::getpid() && !isRunning(pid))
      ::unlink(it->path().c_str());
  }
}

AtomicFile::AtomicFile(const std::string &path)
    : target(resolveTarget(path)),
      temporaryPath(target + ".tmp-" + std::to_string(::getpid())) {
  removeStaleTemporaries(target);
  ::unlink(temporaryPath.c_str()); // Our process number's former owner's.
  file = FileDescriptor(temporaryPath, O_RDWR | O_CREAT | O_EXCL);
  struct stat info;
  if (::stat(target.c_str(), &info) == 0) // Keep a replaced file's permissions.
    (void)!::fchmod(file.get(), info.st_mode & 0777);
}

AtomicFile::~AtomicFile() {
  if (!committed)
    ::unlink(temporaryPath.c_str());
}

void AtomicFile::commit() {
  file.sync();
  file.close();
  if (std::rename(temporaryPath.c_str(), target.c_str()) != 0)
    throw ioError("replace", target, errno);
  committed = true;
  syncDirectoryOf(target);
}

} // namespace blocks
