// AtomicFile: replaces a file as a whole or not at all. Bytes go to a temporary
// beside the target; `commit` makes them durable and renames. A crash, a full
// disk or an exception leaves the previous file as it was. Used for
// checkpoints, parameter archives, plots and converted data sets.
#pragma once

#include "runtime/Base/FileDescriptor.h"

#include <string>
#include <string_view>

namespace blocks {

class AtomicFile {
public:
  /// Creates the temporary, and removes those that killed runs left for this
  /// target. A symbolic link is followed; a target that is no regular file is
  /// an error. At most one AtomicFile a target and process at a time.
  explicit AtomicFile(const std::string &path);
  /// Removes a temporary that was not committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile &) = delete;
  AtomicFile &operator=(const AtomicFile &) = delete;

  void write(const void *data, size_t bytes) { file.writeAll(data, bytes); }
  void write(std::string_view text) { write(text.data(), text.size()); }

  const std::string &path() const { return target; }
  /// Where the bytes are until `commit`; libraries that write by name (HDF5)
  /// may open it, and must have closed it before `commit`.
  const std::string &temporary() const { return temporaryPath; }
  FileDescriptor &descriptor() { return file; }

  /// fsync, rename over the target, fsync the directory.
  void commit();

private:
  std::string target, temporaryPath;
  FileDescriptor file;
  bool committed = false;
};

/// Removes the temporaries of `target` whose writers no longer run.
void removeStaleTemporaries(const std::string &target);

} // namespace blocks
