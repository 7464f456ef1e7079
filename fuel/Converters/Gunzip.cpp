// Gunzip: see Gunzip.h.
#include "fuel/Converters/Gunzip.h"

#include "blocks/Error.h"

#include <algorithm>
#include <new>
#include <zlib.h>

namespace fuel {

bool isGzip(std::span<const std::byte> bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte(0x1f) &&
         bytes[1] == std::byte(0x8b);
}

namespace {
/// Ends with its scope.
struct Inflater : z_stream {
  Inflater() : z_stream{} {
    constexpr int gzipFormat = 16 + MAX_WBITS;
    if (inflateInit2(this, gzipFormat) != Z_OK)
      throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(this); }
  Inflater(const Inflater &) = delete;
  Inflater &operator=(const Inflater &) = delete;
};
} // namespace

void gunzip(std::span<const std::byte> bytes, std::vector<std::byte> &out,
            uint64_t most, const std::string &where) {
  Inflater stream;
  stream.next_in =
      const_cast<Bytef *>(reinterpret_cast<const Bytef *>(bytes.data()));
  stream.avail_in = uInt(std::min<size_t>(bytes.size(), UINT32_MAX));
  size_t done = 0;
  out.clear();
  for (int code = Z_OK; code != Z_STREAM_END;) {
    if (done > most)
      throw blocks::CorruptError(where + " unpacks to more than " +
                                 std::to_string(most) + " bytes");
    out.resize(std::max<size_t>(2 * done, 1 << 16));
    stream.next_out = reinterpret_cast<Bytef *>(out.data()) + done;
    stream.avail_out = uInt(out.size() - done);
    code = inflate(&stream, Z_NO_FLUSH);
    done = out.size() - stream.avail_out;
    if (code != Z_OK && code != Z_STREAM_END)
      throw blocks::CorruptError(where + " is a damaged gzip file");
  }
  out.resize(done);
}

} // namespace fuel
