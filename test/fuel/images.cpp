// Images: decoding of every kind of PNG and JPEG that is to be read, and of
// altered ones, which give an error or an image, never a crash.
//
//   test-fuel-images SCRATCH DATA [MUTATIONS [SEED]]
#include "blocks/Error.h"
#include "fuel/Images/ImageDecoder.h"
#include "fuel/Mt19937.h"
#include "test/Check.h"
#include "test/fuel/Isolated.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cstdio> // jpeglib.h needs it before.
#include <jpeglib.h>
#include <png.h>

using namespace fuel;
using Bytes = std::vector<uint8_t>;

//===-- Encoding ----------------------------------------------------------===//

/// A smooth picture, so that JPEG keeps it nearly.
static uint8_t sample(int64_t y, int64_t x, int channel) {
  return uint8_t(20 + 2 * y + 2 * x + 30 * channel);
}
constexpr int height = 24, width = 32;

static void appendPng(png_structp png, png_bytep data, size_t count) {
  auto *out = static_cast<Bytes *>(png_get_io_ptr(png));
  out->insert(out->end(), data, data + count);
}

/// `depth` bits a channel of a PNG colour type; the high byte is the sample.
static Bytes pngOf(int type, int depth, bool interlaced = false) {
  Bytes out;
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &out, appendPng, nullptr);
  png_set_IHDR(png, info, width, height, depth, type,
               interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (type == PNG_COLOR_TYPE_PALETTE) {
    png_color colours[256];
    for (int i = 0; i < 256; ++i)
      colours[i] = {png_byte(i), png_byte(255 - i), 7};
    png_set_PLTE(png, info, colours, 256);
  }
  png_write_info(png, info);
  int channels = png_get_channels(png, info), bytes = depth / 8;
  std::vector<Bytes> rows;
  std::vector<png_bytep> pointers;
  for (int y = 0; y < height; ++y) {
    Bytes row;
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c)
        for (int b = 0; b < bytes; ++b)
          row.push_back(b == 0 ? sample(y, x, c) : uint8_t(x));
    rows.push_back(std::move(row));
  }
  for (Bytes &row : rows)
    pointers.push_back(row.data());
  png_write_image(png, pointers.data());
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return out;
}

static Bytes jpegOf(J_COLOR_SPACE space, int channels, bool progressive) {
  jpeg_compress_struct info;
  jpeg_error_mgr manager;
  info.err = jpeg_std_error(&manager);
  jpeg_create_compress(&info);
  unsigned char *memory = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &memory, &size);
  info.image_width = width;
  info.image_height = height;
  info.input_components = channels;
  info.in_color_space = space;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 98, TRUE);
  if (progressive)
    jpeg_simple_progression(&info);
  jpeg_start_compress(&info, TRUE);
  for (int y = 0; y < height; ++y) {
    Bytes row;
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c)
        row.push_back(sample(y, x, c));
    JSAMPROW line = row.data();
    jpeg_write_scanlines(&info, &line, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  Bytes out(memory, memory + size);
  std::free(memory);
  return out;
}

//===-- Decoding ----------------------------------------------------------===//

static Bytes decode(const Bytes &bytes, bool colour = true) {
  ImageSize size = imageSize(bytes, "a test's image");
  Bytes out(size_t(size.height * size.width * (colour ? 3 : 1)));
  decodeImage(bytes, size, colour, out.data(), "a test's image");
  return out;
}

/// `expected(y, x, c)` within `tolerance`, channel by channel.
template <typename Expected>
static void checkImage(const char *name, const Bytes &found, int channels,
                       int tolerance, Expected expected) {
  CHECK_EQ(found.size(), size_t(height * width * channels));
  int worst = 0;
  for (int c = 0; c < channels; ++c)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        worst = std::max(
            worst, std::abs(int(found[size_t((c * height + y) * width + x)]) -
                            int(expected(y, x, c))));
  if (worst > tolerance)
    checkFailed(__FILE__, __LINE__,
                std::string(name) + ": differs by " + std::to_string(worst));
}

static uint8_t grey(int y, int x, int) { return sample(y, x, 0); }
static uint8_t luma(int y, int x, int) {
  return uint8_t((sample(y, x, 0) * 19595u + sample(y, x, 1) * 38470u +
                  sample(y, x, 2) * 7471u + 0x8000u) >>
                 16);
}

static void kinds() {
  for (bool interlaced : {false, true})
    for (int depth : {8, 16}) {
      checkImage("PNG", decode(pngOf(PNG_COLOR_TYPE_RGB, depth, interlaced)), 3,
                 0, sample);
      checkImage("PNG, alpha",
                 decode(pngOf(PNG_COLOR_TYPE_RGBA, depth, interlaced)), 3, 0,
                 sample);
      checkImage("grey PNG",
                 decode(pngOf(PNG_COLOR_TYPE_GRAY, depth, interlaced)), 3, 0,
                 grey);
      checkImage("grey PNG, alpha",
                 decode(pngOf(PNG_COLOR_TYPE_GRAY_ALPHA, depth, interlaced)), 3,
                 0, grey);
    }
  checkImage("palette", decode(pngOf(PNG_COLOR_TYPE_PALETTE, 8)), 3, 0,
             [](int y, int x, int c) -> uint8_t {
               uint8_t index = sample(y, x, 0);
               return c == 0 ? index : c == 1 ? uint8_t(255 - index) : 7;
             });
  checkImage("PNG to grey", decode(pngOf(PNG_COLOR_TYPE_RGB, 8), false), 1, 0,
             luma);
  checkImage("grey to grey", decode(pngOf(PNG_COLOR_TYPE_GRAY, 8), false), 1, 0,
             grey);
  for (bool progressive : {false, true}) {
    checkImage("JPEG", decode(jpegOf(JCS_RGB, 3, progressive)), 3, 12, sample);
    checkImage("JPEG to grey", decode(jpegOf(JCS_RGB, 3, progressive), false),
               1, 6, luma);
    checkImage("grey JPEG", decode(jpegOf(JCS_GRAYSCALE, 1, progressive)), 3, 6,
               grey);
  }
}

/// Of four inks, as Pillow turns them to colours: (255 - ink) (255 - black) /
/// 255. Files of four channels hold inks as they are unless Adobe's marker says
/// they are turned round.
static void inks() {
  checkImage("CMYK JPEG", decode(jpegOf(JCS_CMYK, 4, false)), 3, 12,
             [](int y, int x, int c) {
               int ink = sample(y, x, c), black = sample(y, x, 3);
               return ink * black / 255;
             });
}

static void refused() {
  for (const Bytes &whole :
       {pngOf(PNG_COLOR_TYPE_RGB, 8), jpegOf(JCS_RGB, 3, false)})
    for (size_t size : {size_t(0), size_t(3), size_t(20), whole.size() / 2,
                        whole.size() - 30}) {
      Bytes cut(whole.begin(), whole.begin() + long(size));
      CHECK_THROWS(decode(cut), "a test's image is not a readable image");
    }
  Bytes huge = pngOf(PNG_COLOR_TYPE_RGB, 8);
  huge[16] = huge[20] = 0x7f;
  CHECK_THROWS(decode(huge), "more than 2^28");
  Bytes claims = pngOf(PNG_COLOR_TYPE_RGB, 8);
  claims[18] = claims[22] = 0x3f; // 16 thousand squared.
  CHECK_THROWS(decode(claims), "too few for the");
}

/// The last scan of a progressive file, over and over.
static void manyScans() {
  Bytes whole = jpegOf(JCS_GRAYSCALE, 1, true);
  const uint8_t marker[] = {0xff, 0xda};
  auto last = std::find_end(whole.begin(), whole.end(), std::begin(marker),
                            std::end(marker));
  Bytes scan(last, whole.end() - 2), many(whole.begin(), whole.end() - 2);
  auto repeat = [&](int count) {
    Bytes bytes = many;
    for (int i = 0; i < count; ++i)
      bytes.insert(bytes.end(), scan.begin(), scan.end());
    bytes.insert(bytes.end(), whole.end() - 2, whole.end());
    return bytes;
  };
  CHECK_EQ(decode(repeat(100)).size(), size_t(3 * height * width));
  CHECK_THROWS(decode(repeat(600)), "it has more than 500 scans");
}

struct Tally {
  int images = 0, errors = 0;
};

static void altered(int count, uint64_t seed) {
  const Bytes originals[] = {
      pngOf(PNG_COLOR_TYPE_RGB, 8),     pngOf(PNG_COLOR_TYPE_GRAY_ALPHA, 16),
      pngOf(PNG_COLOR_TYPE_PALETTE, 8), pngOf(PNG_COLOR_TYPE_RGBA, 8, true),
      jpegOf(JCS_RGB, 3, false),        jpegOf(JCS_RGB, 3, true),
      jpegOf(JCS_GRAYSCALE, 1, false),  jpegOf(JCS_CMYK, 4, false)};
  Tally tally;
  int signal = isolated::run(tally, [&](Tally &mine) {
    for (int i = 0; i < count; ++i) {
      isolated::allowSeconds(10);
      Mt19937 random(seed * 1000003 + uint64_t(i));
      Bytes bytes = originals[size_t(i) % std::size(originals)];
      for (uint64_t changes = 1 + random.interval(3); changes-- > 0;)
        bytes[random.interval(bytes.size() - 1)] = uint8_t(random.next());
      if (random.interval(4) == 0)
        bytes.resize(random.interval(bytes.size()));
      try {
        decode(bytes, random.interval(1));
        ++mine.images;
      } catch (const blocks::InputError &) {
        ++mine.errors;
      }
    }
  });
  CHECK_EQ(signal, 0);
  CHECK_EQ(tally.images + tally.errors, count);
  CHECK(tally.images > 0 && tally.errors > 0);
  std::printf("%d altered images: %d decoded, %d errors\n", count, tally.images,
              tally.errors);
}

int main(int argc, char **argv) {
  kinds();
  inks();
  refused();
  manyScans();
  altered(argc > 3 ? std::atoi(argv[3]) : 500,
          argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1);
  return checkSummary();
}
