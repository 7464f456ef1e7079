// FileDescriptor: a move-only owner of an open file, with checked calls. Every
// failure becomes an IoError that names the file, the reason, and (for a full
// disk) what to do.
#pragma once

#include "blocks/Error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace blocks {

/// "cannot write '/x/y': No space left on device; free some space …".
/// `action` is a verb ("write", "open"); `code` is an errno.
IoError ioError(std::string_view action, const std::string &path, int code);

class FileDescriptor {
public:
  FileDescriptor() = default;
  /// `flags` and `mode` as for open(2); O_CLOEXEC is added.
  FileDescriptor(const std::string &path, int flags, unsigned mode = 0666);
  ~FileDescriptor();
  FileDescriptor(FileDescriptor &&other) noexcept;
  FileDescriptor &operator=(FileDescriptor &&other) noexcept;
  FileDescriptor(const FileDescriptor &) = delete;
  FileDescriptor &operator=(const FileDescriptor &) = delete;

  bool isOpen() const { return descriptor >= 0; }
  int get() const { return descriptor; }
  const std::string &path() const { return name; }

  /// Writes all bytes (one write(2) unless the kernel takes less).
  void writeAll(const void *data, size_t bytes);
  void writeAt(const void *data, size_t bytes, uint64_t offset);
  /// Reads up to `bytes` at `offset`; returns how many there were.
  size_t readAt(void *data, size_t bytes, uint64_t offset) const;
  uint64_t size() const;
  void truncate(uint64_t bytes);
  void seekEnd();
  /// fsync: returns when the bytes are on the disk.
  void sync();
  /// Closes and reports a deferred error (network file systems).
  void close();

private:
  int descriptor = -1;
  std::string name;
};

/// Makes a rename or a removal in the directory of `path` durable.
void syncDirectoryOf(const std::string &path);

} // namespace blocks
