// Rotation: see Rotation.h. A crash between two of these calls loses nothing:
// PATH stays until the new file is renamed onto it.
#include "runtime/Checkpoint/Rotation.h"

#include "runtime/Base/AtomicFile.h"
#include "runtime/Base/FileDescriptor.h"
#include "runtime/Checkpoint/CheckpointFile.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace fs = std::filesystem;

namespace blocks {

namespace {
std::string numbered(const std::string &path, int64_t number) {
  return number == 0 ? path : path + "." + std::to_string(number);
}

void renameFile(const std::string &from, const std::string &to) {
  if (std::rename(from.c_str(), to.c_str()) != 0)
    throw ioError("replace", to, errno);
}

/// `to` becomes another name of `from`; false where there are no hard links
/// (FAT, some network disks).
bool linkOver(const std::string &from, const std::string &to) {
  std::string temporary = to + ".tmp-" + std::to_string(::getpid());
  ::unlink(temporary.c_str());
  if (::link(from.c_str(), temporary.c_str()) != 0)
    return false;
  renameFile(temporary, to);
  return true;
}

std::string bestOf(const std::string &path) { return path + ".best"; }
} // namespace

void rotateCheckpoints(const std::string &path, int64_t keep) {
  std::error_code error;
  for (int64_t i = keep; i > 0 && fs::remove(numbered(path, i), error);)
    ++i; // Left by a run that kept more.
  std::string first = numbered(path, 1);
  if (keep < 2 || !fs::exists(path, error) ||
      fs::equivalent(path, first, error)) // A killed run had linked it already.
    return;
  for (int64_t i = keep - 1; i > 1; --i)
    if (fs::exists(numbered(path, i - 1), error))
      renameFile(numbered(path, i - 1), numbered(path, i));
  // Without links PATH is absent for a moment, and a resume finds PATH.1.
  if (!linkOver(path, first))
    renameFile(path, first);
}

void keepAsBest(const std::string &from, const std::string &path) {
  std::string best = bestOf(path);
  removeStaleTemporaries(best);
  if (linkOver(from, best))
    return syncDirectoryOf(best);
  AtomicFile copy(best);
  fs::copy_file(from, copy.temporary(), fs::copy_options::overwrite_existing);
  copy.commit();
}

void removeBestCheckpoint(const std::string &path) {
  std::error_code error;
  if (!fs::remove(bestOf(path), error) && error)
    throw ioError("remove", bestOf(path), error.value());
}

std::vector<std::string> findCheckpoints(const std::string &path) {
  std::vector<std::string> found;
  std::error_code error;
  constexpr int64_t maxKept = 1000;
  int64_t missing = 0;
  // A gap of one can be left by a crash while files were being renumbered.
  for (int64_t i = 0; i < maxKept && missing < 3; ++i) {
    if (fs::is_regular_file(numbered(path, i), error))
      found.push_back(numbered(path, i));
    else
      ++missing;
  }
  return found;
}

} // namespace blocks
