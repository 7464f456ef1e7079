// Spool: see Spool.h.
#include "fuel/Converters/Spool.h"

#include "fuel/Writing/NamelessFile.h"

namespace fuel {

Spool::Spool(const std::string &folder) : file(namelessFile(folder, "spool")) {}

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
