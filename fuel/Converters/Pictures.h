// Pictures: the image files of an archive as colours, plane by plane.
#pragma once

#include "blocks/Array.h"
#include "fuel/Converters/ArchiveFiles.h"

namespace fuel {

class Pictures {
public:
  explicit Pictures(const ArchiveFiles &files) : files(files) {}
  /// The image of this number: 3 x height x width bytes; good until the next
  /// call. InputError naming archive and file if it is none, or has more than
  /// 2^26 pixels.
  const blocks::Array &read(size_t index);

private:
  const ArchiveFiles &files;
  std::vector<std::byte> buffer;
  blocks::Array pixels;
};

} // namespace fuel
