// MappedFile: see MappedFile.h.
#include "runtime/Base/MappedFile.h"

#include "runtime/Base/FileDescriptor.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <utility>

namespace blocks {

MappedFile::MappedFile(const std::string &path) {
  FileDescriptor file(path, O_RDONLY);
  length = size_t(file.size());
  if (length == 0)
    return;
  void *address = ::mmap(nullptr, length, PROT_READ, MAP_SHARED, file.get(), 0);
  if (address == MAP_FAILED)
    throw ioError("read", path, errno);
  begin = static_cast<const std::byte *>(address);
}

MappedFile::~MappedFile() {
  if (begin)
    ::munmap(const_cast<std::byte *>(begin), length);
}

MappedFile::MappedFile(MappedFile &&other) noexcept
    : begin(std::exchange(other.begin, nullptr)),
      length(std::exchange(other.length, 0)) {}

MappedFile &MappedFile::operator=(MappedFile &&other) noexcept {
  std::swap(begin, other.begin);
  std::swap(length, other.length);
  return *this;
}

} // namespace blocks
