// Spool: see Spool.h.
#include "fuel/Converters/Spool.h"

#include <fcntl.h>
#include <unistd.h>

namespace fuel {

/// Where the file system cannot make a nameless file, it loses its name at
/// once.
static blocks::FileDescriptor namelessFile(const std::string &folder) {
  try {
    return blocks::FileDescriptor(folder, O_TMPFILE | O_RDWR, 0600);
  } catch (const blocks::IoError &) {
    std::string path = folder + "/.spool-" + std::to_string(::getpid());
    blocks::FileDescriptor file(path, O_CREAT | O_EXCL | O_RDWR, 0600);
    ::unlink(path.c_str());
    return file;
  }
}

Spool::Spool(const std::string &folder) : file(namelessFile(folder)) {}

void Spool::append(const void *data, size_t count) {
  file.writeAll(data, count);
  bytes += count;
}

void Spool::read(void *data, size_t count, uint64_t offset) const {
  if (file.readAt(data, count, offset) != count)
    throw blocks::IoError("cannot read back bytes put aside in '" +
                          file.path() + "'");
}

} // namespace fuel
