// NamelessFile: see NamelessFile.h.
#include "fuel/Writing/NamelessFile.h"

#include <fcntl.h>
#include <unistd.h>

namespace fuel {

blocks::FileDescriptor namelessFile(const std::string &folder,
                                    const std::string &hint) {
  try {
    return blocks::FileDescriptor(folder, O_TMPFILE | O_RDWR, 0600);
  } catch (const blocks::IoError &) {
    std::string path =
        folder + "/.rows-" + std::to_string(::getpid()) + "-" + hint;
    blocks::FileDescriptor file(path, O_CREAT | O_EXCL | O_RDWR, 0600);
    ::unlink(path.c_str());
    return file;
  }
}

} // namespace fuel
