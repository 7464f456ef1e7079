// ImageShape: see ImageShape.h.
#include "fuel/Converters/Generic/ImageShape.h"

#include "blocks/Error.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace fuel {

using blocks::UsageError;

std::vector<ConverterOption> ImageShape::options() {
  ConverterOption decode, grey, resize, crop, resample;
  decode.name = "decode";
  decode.help = "store pixels rather than the files' bytes";
  decode.flag = true;
  grey.name = "grey";
  grey.help = "one channel; implies --decode";
  grey.flag = true;
  resize.name = "resize";
  resize.help = "HEIGHTxWIDTH, or the length of the shorter side, which keeps "
                "the proportions; implies --decode";
  crop.name = "crop";
  crop.help = "HEIGHTxWIDTH from the middle, after --resize; implies --decode";
  resample.name = "resample";
  resample.help = "how to resize";
  resample.defaultValue = "bilinear";
  resample.choices = {"nearest", "bilinear", "bicubic"};
  return {decode, grey, resize, crop, resample};
}

static std::optional<int64_t> extentOf(std::string_view text) {
  int64_t value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1 ||
      value > 1 << 16)
    return std::nullopt;
  return value;
}

static ImageSize sizeOf(const std::string &text, const char *option) {
  size_t cross = text.find('x');
  if (cross != std::string::npos) {
    auto height = extentOf(std::string_view(text).substr(0, cross));
    auto width = extentOf(std::string_view(text).substr(cross + 1));
    if (height && width)
      return {*height, *width};
  }
  throw UsageError("--" + std::string(option) + " is '" + text +
                   "'; expected HEIGHTxWIDTH, of 1 to 65536");
}

ImageShape::ImageShape(const ConvertOptions &options)
    : grey(options.flag("grey")),
      resampling(*resamplingOf(options.text("resample"))) {
  if (options.has("resize")) {
    shorterSide = extentOf(options.text("resize"));
    if (!shorterSide)
      exact = sizeOf(options.text("resize"), "resize");
  }
  if (options.has("crop"))
    crop = sizeOf(options.text("crop"), "crop");
  decode = options.flag("decode") || grey || exact || shorterSide || crop;
}

ImageSize ImageShape::resized(ImageSize image) const {
  if (exact)
    return *exact;
  if (!shorterSide)
    return image;
  int64_t shorter = std::min(image.height, image.width);
  return {std::max<int64_t>(1, *shorterSide * image.height / shorter),
          std::max<int64_t>(1, *shorterSide * image.width / shorter)};
}

ImageSize ImageShape::result(ImageSize image, const std::string &where) const {
  ImageSize size = resized(image);
  if (size.height > (int64_t(1) << 28) / size.width)
    throw UsageError(where + " would have " + std::to_string(size.height) +
                     "x" + std::to_string(size.width) +
                     " pixels, more than 2^28; choose another --resize");
  if (!crop)
    return size;
  if (crop->height > size.height || crop->width > size.width)
    throw UsageError(where + " has " + std::to_string(size.height) + "x" +
                     std::to_string(size.width) +
                     " pixels, too few for --crop " +
                     std::to_string(crop->height) + "x" +
                     std::to_string(crop->width) + "; add --resize");
  return *crop;
}

// Plane by plane: decoded, resized, and the middle copied.
void ImageShape::convert(std::span<const uint8_t> bytes, ImageSize image,
                         const std::string &where, uint8_t *out) const {
  ImageSize size = resized(image), last = result(image, where);
  size_t from = size_t(image.height * image.width),
         to = size_t(size.height * size.width);
  std::vector<uint8_t> pixels(from * size_t(channels())), plane(to);
  decodeImage(bytes, image, !grey, pixels.data(), where);
  bool same = size.height == image.height && size.width == image.width;
  int64_t top = (size.height - last.height) / 2,
          left = (size.width - last.width) / 2;
  for (int64_t c = 0; c < channels(); ++c) {
    const uint8_t *in = pixels.data() + size_t(c) * from;
    if (!same) {
      resizePlane(blocks::DType::UInt8, reinterpret_cast<const std::byte *>(in),
                  image.height, image.width,
                  reinterpret_cast<std::byte *>(plane.data()), size.height,
                  size.width, resampling);
      in = plane.data();
    }
    for (int64_t y = 0; y < last.height; ++y, out += last.width)
      std::memcpy(out, in + (top + y) * size.width + left, size_t(last.width));
  }
}

} // namespace fuel
