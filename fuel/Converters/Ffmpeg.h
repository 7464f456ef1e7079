// Ffmpeg: sound in any format, decoded by the program ffmpeg in a process of
// its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fuel {

/// Whether the program can be found.
bool hasFfmpeg();

/// The file's sound as samples of 16 bits, `channels` beside each other.
/// InputError with the program's words if it fails.
std::vector<int16_t> decodeSound(const std::string &path, int64_t channels,
                                 int64_t rate);

} // namespace fuel
