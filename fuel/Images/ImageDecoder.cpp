// ImageDecoder: see ImageDecoder.h. libjpeg and libpng leave by longjmp when
// something is wrong, so the functions that call them own nothing.
#include "fuel/Images/ImageDecoder.h"

#include "blocks/Error.h"

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <vector>

#include <jpeglib.h>
#include <png.h>

namespace fuel {

using blocks::InputError;

namespace {

constexpr int64_t mostPixels = int64_t(1) << 28;

//===-- Headers -----------------------------------------------------------===//

int64_t bigEndian(const uint8_t *at, int count) {
  int64_t value = 0;
  for (int i = 0; i < count; ++i)
    value = value << 8 | at[i];
  return value;
}

bool isPng(std::span<const uint8_t> bytes) {
  return bytes.size() >= 24 && std::memcmp(bytes.data(), "\x89PNG", 4) == 0;
}

bool isJpeg(std::span<const uint8_t> bytes) {
  return bytes.size() >= 4 && bytes[0] == 0xff && bytes[1] == 0xd8;
}

/// Walks over the segments to the one that begins a frame.
ImageSize jpegSize(std::span<const uint8_t> bytes) {
  size_t at = 2;
  while (at + 9 <= bytes.size()) {
    if (bytes[at] != 0xff) {
      ++at;
      continue;
    }
    uint8_t marker = bytes[at + 1];
    if (marker == 0xff) {
      ++at;
      continue;
    }
    bool frame = marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 &&
                 marker != 0xc8 && marker != 0xcc;
    if (frame)
      return {bigEndian(&bytes[at + 5], 2), bigEndian(&bytes[at + 7], 2)};
    bool alone = marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += alone ? 2 : 2 + size_t(bigEndian(&bytes[at + 2], 2));
  }
  return {0, 0};
}

//===-- JPEG --------------------------------------------------------------===//

struct JpegFailure {
  jpeg_error_mgr manager; // First: libjpeg hands back a pointer to it.
  std::jmp_buf leave;
  char message[JMSG_LENGTH_MAX];
};

void jpegFails(j_common_ptr info) {
  auto *failure = reinterpret_cast<JpegFailure *>(info->err);
  info->err->format_message(info, failure->message);
  std::longjmp(failure->leave, 1);
}

void jpegKeepsQuiet(j_common_ptr, int) {}

/// Rows of interleaved RGB (or grey) into `pixels`; false with a message.
bool decodeJpeg(const uint8_t *bytes, size_t count, int64_t height,
                int64_t width, bool colour, uint8_t *pixels,
                JpegFailure &failure) {
  jpeg_decompress_struct info;
  info.err = jpeg_std_error(&failure.manager);
  failure.manager.error_exit = jpegFails;
  failure.manager.emit_message = jpegKeepsQuiet;
  if (setjmp(failure.leave)) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, const_cast<uint8_t *>(bytes), (unsigned long)(count));
  jpeg_read_header(&info, TRUE);
  info.out_color_space = colour ? JCS_RGB : JCS_GRAYSCALE;
  jpeg_start_decompress(&info);
  bool same = info.output_height == height && info.output_width == width &&
              info.output_components == (colour ? 3 : 1);
  if (!same)
    std::snprintf(failure.message, sizeof failure.message,
                  "its headers disagree");
  size_t row = size_t(width) * (colour ? 3 : 1);
  while (same && info.output_scanline < info.output_height) {
    JSAMPROW line = pixels + info.output_scanline * row;
    jpeg_read_scanlines(&info, &line, 1);
  }
  if (same)
    jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return same;
}

//===-- PNG ---------------------------------------------------------------===//

struct PngSource {
  const uint8_t *at, *end;
  char message[200];
};

void readPng(png_structp png, png_bytep out, size_t count) {
  auto *source = static_cast<PngSource *>(png_get_io_ptr(png));
  if (size_t(source->end - source->at) < count)
    png_error(png, "it ends too early");
  std::memcpy(out, source->at, count);
  source->at += count;
}

void pngFails(png_structp png, png_const_charp text) {
  auto *source = static_cast<PngSource *>(png_get_error_ptr(png));
  std::snprintf(source->message, sizeof source->message, "%s", text);
  png_longjmp(png, 1);
}

void pngKeepsQuiet(png_structp, png_const_charp) {}

/// The same for PNG, always as RGB. `lines` has room for a pointer a row.
bool decodePng(PngSource &source, int64_t height, int64_t width,
               uint8_t *pixels, png_bytep *lines) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source,
                                           pngFails, pngKeepsQuiet);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (!info || setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, nullptr);
    return false;
  }
  png_set_read_fn(png, &source, readPng);
  png_set_user_limits(png, 1u << 28, 1u << 28);
  png_read_info(png, info);
  png_set_palette_to_rgb(png);
  png_set_expand_gray_1_2_4_to_8(png);
  png_set_strip_16(png);
  png_set_strip_alpha(png);
  png_set_gray_to_rgb(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  if (png_get_image_height(png, info) != height ||
      png_get_image_width(png, info) != width ||
      png_get_rowbytes(png, info) != size_t(width) * 3)
    png_error(png, "its headers disagree");
  for (int64_t y = 0; y < height; ++y)
    lines[y] = pixels + y * width * 3;
  png_read_image(png, lines);
  png_destroy_read_struct(&png, &info, nullptr);
  return true;
}

[[noreturn]] void reject(const std::string &where, const std::string &why) {
  throw InputError(where + " is not a readable image: " + why +
                   "; expected the bytes of a PNG or JPEG file");
}
} // namespace

ImageSize imageSize(std::span<const uint8_t> bytes, const std::string &where) {
  ImageSize size{0, 0};
  if (isPng(bytes))
    size = {bigEndian(&bytes[20], 4), bigEndian(&bytes[16], 4)};
  else if (isJpeg(bytes))
    size = jpegSize(bytes);
  else
    reject(where, "it begins like neither");
  if (size.height < 1 || size.width < 1)
    reject(where, "its header gives no size");
  if (size.height > mostPixels / size.width)
    reject(where, "it has " + std::to_string(size.height) + "x" +
                      std::to_string(size.width) + " pixels, more than 2^28");
  return size;
}

void decodeImage(std::span<const uint8_t> bytes, ImageSize size, bool colour,
                 uint8_t *out, const std::string &where) {
  int64_t count = size.height * size.width;
  bool png = isPng(bytes);
  int64_t channels = png || colour ? 3 : 1;
  std::vector<uint8_t> pixels(size_t(count * channels));
  if (png) {
    PngSource source{bytes.data(), bytes.data() + bytes.size(), "no memory"};
    std::vector<png_bytep> lines(size_t(size.height));
    if (!decodePng(source, size.height, size.width, pixels.data(),
                   lines.data()))
      reject(where, source.message);
  } else {
    JpegFailure failure;
    if (!decodeJpeg(bytes.data(), bytes.size(), size.height, size.width, colour,
                    pixels.data(), failure))
      reject(where, failure.message);
  }
  if (channels == 1) {
    std::memcpy(out, pixels.data(), pixels.size());
    return;
  }
  if (colour) {
    for (int64_t c = 0; c < 3; ++c, out += count)
      for (int64_t i = 0; i < count; ++i)
        out[i] = pixels[size_t(3 * i + c)];
    return;
  }
  // The weights of ITU-R 601-2 in 16 bits, as Python's imaging library has.
  for (int64_t i = 0; i < count; ++i)
    out[i] = uint8_t((pixels[size_t(3 * i)] * 19595u +
                      pixels[size_t(3 * i + 1)] * 38470u +
                      pixels[size_t(3 * i + 2)] * 7471u + 0x8000u) >>
                     16);
}

} // namespace fuel
