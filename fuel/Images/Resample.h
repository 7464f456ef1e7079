// Resample: images in other sizes and turned images, with the results of
// Python's imaging library (Pillow) for bytes.
#pragma once

#include "blocks/Array.h"

#include <optional>
#include <span>
#include <string>

namespace fuel {

enum class Resampling { Nearest, Bilinear, Bicubic, Lanczos };
std::optional<Resampling> resamplingOf(const std::string &name);

/// One plane to one of another size. `Nearest` takes any element type, the
/// others bytes and floats.
void resizePlane(blocks::DType dtype, const std::byte *in, int64_t height,
                 int64_t width, std::byte *out, int64_t newHeight,
                 int64_t newWidth, Resampling how);

/// One plane turned counter-clockwise about its centre; what comes from
/// outside is 0. Nearest or bilinear.
void rotatePlane(blocks::DType dtype, const std::byte *in, int64_t height,
                 int64_t width, std::byte *out, double degrees, Resampling how);

} // namespace fuel
