// WavFile: the samples of a WAV file (RIFF), uncompressed, in place.
#pragma once

#include "blocks/Array.h"

#include <span>
#include <string>

namespace fuel {

struct WavFile {
  int64_t channels = 0, rate = 0;
  /// time x channels: ui8, i16, i32, f32 or f64, as they are stored.
  blocks::ArrayView samples;
};

/// The samples point into `bytes`. CorruptError or UnsupportedError naming
/// `where`.
WavFile readWav(std::span<const std::byte> bytes, const std::string &where);

} // namespace fuel
