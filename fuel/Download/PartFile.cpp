// PartFile: see PartFile.h.
#include "fuel/Download/PartFile.h"

#include "blocks/Error.h"
#include "runtime/Base/AtomicFile.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fuel {

using blocks::FileDescriptor;

static std::string originPath(const std::string &part) {
  return part + ".from";
}

PartFile::PartFile(const std::string &target)
    : target(target), part(target + ".part") {
  open();
  bytes = file.size();
  if (bytes > 0)
    readOrigin();
}

/// The lock belongs to the file, not to its name: another process may have
/// published or removed what was opened before it was locked.
void PartFile::open() {
  for (;;) {
    file = FileDescriptor(part, O_RDWR | O_CREAT);
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK)
        throw blocks::IoError("another process is downloading '" + target +
                              "'; wait until it is done");
      throw blocks::ioError("lock", part, errno);
    }
    struct stat opened, named;
    if (::fstat(file.get(), &opened) == 0 &&
        ::stat(part.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
        opened.st_dev == named.st_dev)
      return;
  }
}

void PartFile::readOrigin() {
  std::ifstream lines(originPath(part));
  PartOrigin read;
  std::string total, end;
  if (!std::getline(lines, read.url) || !std::getline(lines, read.validator) ||
      !std::getline(lines, total) || !std::getline(lines, end) || end != "end")
    return;
  uint64_t number = 0;
  auto [rest, error] =
      std::from_chars(total.data(), total.data() + total.size(), number);
  if (error == std::errc() && rest == total.data() + total.size())
    read.total = number;
  from = read;
}

void PartFile::restart(const PartOrigin &origin) {
  file.truncate(0);
  bytes = 0;
  blocks::AtomicFile record(originPath(part));
  record.write(origin.url + "\n" + origin.validator + "\n" +
               (origin.total ? std::to_string(*origin.total) : "") + "\nend\n");
  record.commit();
  from = origin;
}

void PartFile::append(const void *data, size_t count) {
  file.writeAt(data, count, bytes);
  bytes += count;
}

void PartFile::publish() {
  file.sync();
  if (std::rename(part.c_str(), target.c_str()) != 0)
    throw blocks::ioError("replace", target, errno);
  ::unlink(originPath(part).c_str());
  blocks::syncDirectoryOf(target);
}

void PartFile::clear() {
  file.truncate(0);
  bytes = 0;
  from.reset();
  ::unlink(originPath(part).c_str());
}

void PartFile::discard() {
  ::unlink(part.c_str());
  ::unlink(originPath(part).c_str());
}

} // namespace fuel
