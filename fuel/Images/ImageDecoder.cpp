// ImageDecoder: see ImageDecoder.h. libjpeg and libpng leave by longjmp when
// something is wrong, so the functions that call them own nothing.
#include "fuel/Images/ImageDecoder.h"

#include "blocks/Error.h"

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <vector>

#include <jpeglib.h>
// After jpeglib.h, whose types it needs.
#include <jerror.h>
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

/// Of the warnings only a missing end is an error: the decoder would make up
/// the rest.
void jpegWarns(j_common_ptr info, int level) {
  if (level < 0 && info->err->msg_code == JWRN_JPEG_EOF)
    jpegFails(info);
}

/// Each scan of a progressive file goes over all of the picture, so a small
/// file of many would take hours.
constexpr int mostScans = 500;

void jpegCountsScans(j_common_ptr info) {
  if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number <= mostScans)
    return;
  auto *failure = reinterpret_cast<JpegFailure *>(info->err);
  std::snprintf(failure->message, sizeof failure->message,
                "it has more than %d scans", mostScans);
  std::longjmp(failure->leave, 1);
}

/// A row of four inks, which are stored as their complements, to RGB, as
/// Python's imaging library does it.
void mixInks(const uint8_t *inks, int64_t width, uint8_t *rgb) {
  for (int64_t x = 0; x < width; ++x, inks += 4)
    for (int c = 0; c < 3; ++c) {
      unsigned product = (255u - inks[c]) * inks[3] + 128;
      *rgb++ = uint8_t(inks[3] - ((product + (product >> 8)) >> 8));
    }
}

struct JpegTarget {
  int64_t height, width;
  bool colour;
  uint8_t *pixels; ///< Has room for RGB.
  uint8_t *inks;   ///< Room for a row of four inks.
  int channels;    ///< Of what was decoded: 3 or 1.
};

/// Rows of interleaved RGB (or grey); false with a message.
bool decodeJpeg(const uint8_t *bytes, size_t count, JpegTarget &target,
                JpegFailure &failure) {
  jpeg_decompress_struct info;
  info.err = jpeg_std_error(&failure.manager);
  failure.manager.error_exit = jpegFails;
  failure.manager.emit_message = jpegWarns;
  jpeg_progress_mgr progress = {};
  progress.progress_monitor = jpegCountsScans;
  if (setjmp(failure.leave)) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_create_decompress(&info);
  info.progress = &progress;
  jpeg_mem_src(&info, const_cast<uint8_t *>(bytes), (unsigned long)(count));
  jpeg_read_header(&info, TRUE);
  bool mixed = info.num_components == 4;
  target.channels = target.colour || mixed ? 3 : 1;
  info.out_color_space = mixed           ? JCS_CMYK
                         : target.colour ? JCS_RGB
                                         : JCS_GRAYSCALE;
  jpeg_start_decompress(&info);
  bool same = info.output_height == target.height &&
              info.output_width == target.width &&
              info.output_components == (mixed ? 4 : target.channels);
  if (!same)
    std::snprintf(failure.message, sizeof failure.message,
                  "its headers disagree");
  size_t row = size_t(target.width) * size_t(target.channels);
  while (same && info.output_scanline < info.output_height) {
    uint8_t *place = target.pixels + info.output_scanline * row;
    JSAMPROW line = mixed ? target.inks : place;
    jpeg_read_scanlines(&info, &line, 1);
    if (mixed)
      mixInks(target.inks, target.width, place);
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
  // A bit a pixel, compressed as well as can be.
  constexpr int64_t mostPerByte = 8 * 1100;
  if (size.height * size.width / mostPerByte > int64_t(bytes.size()))
    reject(where, "it has " + std::to_string(bytes.size()) +
                      " bytes, too few for the " + std::to_string(size.height) +
                      "x" + std::to_string(size.width) +
                      " pixels that its header claims");
  return size;
}

void decodeImage(std::span<const uint8_t> bytes, ImageSize size, bool colour,
                 uint8_t *out, const std::string &where) {
  int64_t count = size.height * size.width;
  int channels = 3;
  std::vector<uint8_t> pixels(size_t(count * channels));
  if (isPng(bytes)) {
    PngSource source{bytes.data(), bytes.data() + bytes.size(), "no memory"};
    std::vector<png_bytep> lines(size_t(size.height));
    if (!decodePng(source, size.height, size.width, pixels.data(),
                   lines.data()))
      reject(where, source.message);
  } else {
    JpegFailure failure;
    std::vector<uint8_t> inks(size_t(size.width) * 4);
    JpegTarget target{size.height,   size.width,  colour,
                      pixels.data(), inks.data(), channels};
    if (!decodeJpeg(bytes.data(), bytes.size(), target, failure))
      reject(where, failure.message);
    channels = target.channels;
  }
  if (channels == 1) {
    std::memcpy(out, pixels.data(), size_t(count));
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
