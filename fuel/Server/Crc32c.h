// Crc32c: the checksum of frames (Castagnoli's polynomial), by the processor's
// instruction where there is one. It finds what TCP's own sum lets through.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fuel {

/// The checksum of what `before` is the checksum of (0: nothing), followed by
/// these bytes.
uint32_t crc32c(uint32_t before, const void *data, size_t bytes);

} // namespace fuel
