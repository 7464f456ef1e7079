// ImageShape: how decoded images are brought to their size: the options
// --resize and --crop, what they make of a size, and of pixels.
#pragma once

#include "fuel/Convert.h"
#include "fuel/Images/ImageDecoder.h"
#include "fuel/Images/Resample.h"

#include <optional>

namespace fuel {

class ImageShape {
public:
  static std::vector<ConverterOption> options();
  explicit ImageShape(const ConvertOptions &options);

  /// Whether anything is to be decoded.
  bool decodes() const { return decode; }
  int64_t channels() const { return grey ? 1 : 3; }
  /// The size of the result; UsageError naming `where` if the image is too
  /// small for the crop.
  ImageSize result(ImageSize image, const std::string &where) const;
  /// Pixels of the result, channel by channel, into `out`.
  void convert(std::span<const uint8_t> bytes, ImageSize image,
               const std::string &where, uint8_t *out) const;

private:
  ImageSize resized(ImageSize image) const;
  bool decode = false, grey = false;
  std::optional<ImageSize> exact, crop;
  std::optional<int64_t> shorterSide;
  Resampling resampling = Resampling::Bilinear;
};

} // namespace fuel
