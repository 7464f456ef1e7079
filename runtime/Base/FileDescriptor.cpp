// FileDescriptor: see FileDescriptor.h.
#include "runtime/Base/FileDescriptor.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace blocks {

IoError ioError(std::string_view action, const std::string &path, int code) {
  std::string text = "cannot " + std::string(action) + " '" + path +
                     "': " + std::strerror(code);
  if (code == ENOSPC || code == EDQUOT)
    text += "; free some space or choose a path on another disk";
  else if (code == EFBIG)
    text += "; raise the file size limit (ulimit -f)";
  else if (code == ENOENT && action != "read")
    text += "; does its directory exist?";
  return IoError(text);
}

FileDescriptor::FileDescriptor(const std::string &path, int flags,
                               unsigned mode)
    : name(path) {
  do
    descriptor = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0)
    throw ioError((flags & O_ACCMODE) == O_RDONLY ? "read" : "write", path,
                  errno);
}

FileDescriptor::~FileDescriptor() {
  if (descriptor >= 0)
    ::close(descriptor);
}

FileDescriptor::FileDescriptor(FileDescriptor &&other) noexcept
    : descriptor(std::exchange(other.descriptor, -1)),
      name(std::move(other.name)) {}

FileDescriptor &FileDescriptor::operator=(FileDescriptor &&other) noexcept {
  std::swap(descriptor, other.descriptor);
  std::swap(name, other.name);
  return *this;
}

void FileDescriptor::writeAll(const void *data, size_t bytes) {
  auto *p = static_cast<const char *>(data);
  while (bytes) {
    ssize_t n = ::write(descriptor, p, bytes);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      throw ioError("write", name, n < 0 ? errno : ENOSPC);
    p += n;
    bytes -= size_t(n);
  }
}

void FileDescriptor::writeAt(const void *data, size_t bytes, uint64_t offset) {
  auto *p = static_cast<const char *>(data);
  while (bytes) {
    ssize_t n = ::pwrite(descriptor, p, bytes, off_t(offset));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      throw ioError("write", name, n < 0 ? errno : ENOSPC);
    p += n;
    bytes -= size_t(n);
    offset += uint64_t(n);
  }
}

size_t FileDescriptor::readAt(void *data, size_t bytes, uint64_t offset) const {
  auto *p = static_cast<char *>(data);
  size_t done = 0;
  while (done < bytes) {
    ssize_t n =
        ::pread(descriptor, p + done, bytes - done, off_t(offset + done));
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      throw ioError("read", name, errno);
    if (n == 0)
      break;
    done += size_t(n);
  }
  return done;
}

uint64_t FileDescriptor::size() const {
  struct stat info;
  if (::fstat(descriptor, &info) != 0)
    throw ioError("read", name, errno);
  return uint64_t(info.st_size);
}

void FileDescriptor::truncate(uint64_t bytes) {
  if (::ftruncate(descriptor, off_t(bytes)) != 0)
    throw ioError("truncate", name, errno);
}

void FileDescriptor::seekEnd() {
  if (::lseek(descriptor, 0, SEEK_END) < 0)
    throw ioError("seek in", name, errno);
}

void FileDescriptor::sync() {
  // Pipes and character devices cannot be synced, and need not be.
  if (::fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS)
    throw ioError("write", name, errno);
}

void FileDescriptor::close() {
  if (::close(std::exchange(descriptor, -1)) != 0 && errno != EINTR)
    throw ioError("write", name, errno);
}

void syncDirectoryOf(const std::string &path) {
  size_t slash = path.rfind('/');
  std::string directory = slash == std::string::npos ? "."
                          : slash == 0               ? "/"
                                                     : path.substr(0, slash);
  FileDescriptor handle(directory, O_RDONLY | O_DIRECTORY);
  handle.sync();
}

} // namespace blocks
