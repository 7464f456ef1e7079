// Spool: bytes put aside in a file without a name, to be read again in another
// order. Nothing is left of it, however the program ends.
#pragma once

#include "runtime/Base/FileDescriptor.h"

#include <cstddef>
#include <string>

namespace fuel {

class Spool {
public:
  /// In `folder`, which should be on the disk of the result.
  explicit Spool(const std::string &folder);

  uint64_t size() const { return bytes; }
  void append(const void *data, size_t count);
  /// IoError unless there are as many bytes.
  void read(void *data, size_t count, uint64_t offset) const;

private:
  blocks::FileDescriptor file;
  uint64_t bytes = 0;
};

} // namespace fuel
