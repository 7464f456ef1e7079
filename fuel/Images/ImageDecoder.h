// ImageDecoder: PNG and JPEG bytes to pixels, channel by channel. Hostile bytes
// give an error that says what is wrong; sizes are bounded before anything is
// allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace fuel {

struct ImageSize {
  int64_t height, width;
};

/// From the header alone. InputError if it is no PNG or JPEG image, or one of
/// more than 2^28 pixels. `where` names the item.
ImageSize imageSize(std::span<const uint8_t> bytes, const std::string &where);

/// `out` has 3 (colour) or 1 (grey) planes of `size`.
void decodeImage(std::span<const uint8_t> bytes, ImageSize size, bool colour,
                 uint8_t *out, const std::string &where);

} // namespace fuel
