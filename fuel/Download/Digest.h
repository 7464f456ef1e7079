// Digest: MD5, SHA-1 or SHA-256 of a file, whichever a publisher gives. The
// former two only tell damage, not deceit; where a list has several, all are
// checked.
#pragma once

#include "fuel/Download.h"

namespace fuel {

/// In hexadecimal digits. `stopped` is asked now and then; "" if it says so.
std::string digestOf(const std::string &path, const std::string &algorithm,
                     Progress *progress, const std::function<bool()> &stopped);

/// The checksum that an earlier download has recorded in `path`.sha256, in the
/// form of the program sha256sum; nothing if there is no such file.
std::optional<Checksum> recordedChecksum(const std::string &path);
void recordChecksum(const std::string &path, const std::string &hex);

} // namespace fuel
