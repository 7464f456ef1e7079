// Pictures: see Pictures.h.
#include "fuel/Converters/Pictures.h"

#include "blocks/Error.h"
#include "fuel/Images/ImageDecoder.h"

namespace fuel {

const blocks::Array &Pictures::read(size_t index) {
  constexpr int64_t mostPixels = int64_t(1) << 26;
  std::span<const std::byte> content = files.read(index, buffer);
  std::span<const uint8_t> bytes(
      reinterpret_cast<const uint8_t *>(content.data()), content.size());
  std::string where = files.where(index);
  ImageSize size = imageSize(bytes, where);
  if (size.height * size.width > mostPixels)
    throw blocks::InputError(where + " has " + std::to_string(size.height) +
                             "x" + std::to_string(size.width) +
                             " pixels, more than 2^26");
  pixels.resize(blocks::DType::UInt8, {3, size.height, size.width});
  decodeImage(bytes, size, true, pixels.as<uint8_t>(), where);
  return pixels;
}

} // namespace fuel
