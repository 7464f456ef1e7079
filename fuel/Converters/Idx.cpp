// Idx: see Idx.h.
#include "fuel/Converters/Idx.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <zlib.h>

namespace fuel {

using blocks::CorruptError;

namespace {
/// A gzipped or plain file, read through zlib.
class GzipFile {
public:
  explicit GzipFile(const std::string &path)
      : path(path), file(gzopen(path.c_str(), "rb")) {
    if (!file)
      throw blocks::IoError("cannot open '" + path +
                            "': " + std::strerror(errno));
    gzbuffer(file, 1 << 17);
  }
  ~GzipFile() { gzclose(file); }
  GzipFile(const GzipFile &) = delete;
  GzipFile &operator=(const GzipFile &) = delete;

  /// Reads up to `bytes`; fewer only at the end of the file.
  size_t read(void *data, size_t bytes) {
    size_t done = 0;
    while (done < bytes) {
      unsigned piece = unsigned(std::min<size_t>(bytes - done, 1 << 30));
      int got = gzread(file, static_cast<char *>(data) + done, piece);
      if (got < 0)
        throw CorruptError("cannot read '" + path + "': " + reason());
      if (got == 0)
        break;
      done += size_t(got);
    }
    return done;
  }
  /// True at the end; damage there (a missing or wrong checksum) is an error.
  bool atEnd() {
    char extra;
    if (read(&extra, 1) > 0)
      return false;
    int code = Z_OK;
    gzerror(file, &code);
    if (code != Z_OK && code != Z_STREAM_END)
      throw CorruptError("cannot read '" + path + "': " + reason());
    return true;
  }

private:
  std::string reason() {
    int code = Z_OK;
    const char *text = gzerror(file, &code);
    return code == Z_ERRNO ? std::strerror(errno)
                           : std::string(text) + " (the file is damaged)";
  }
  std::string path;
  gzFile file;
};

uint32_t bigEndian(const unsigned char *bytes) {
  return uint32_t(bytes[0]) << 24 | uint32_t(bytes[1]) << 16 |
         uint32_t(bytes[2]) << 8 | bytes[3];
}

blocks::Shape readHeader(GzipFile &file, const std::string &path, int rank) {
  unsigned char header[4 * 5];
  size_t wanted = 4 * size_t(rank + 1);
  uint32_t magic = 0x0800u + uint32_t(rank); // Unsigned bytes of this rank.
  size_t got = file.read(header, wanted);
  if (got < 4 || bigEndian(header) != magic)
    throw CorruptError(
        "'" + path + "' begins with the magic number " +
        (got < 4 ? "(none)" : std::to_string(bigEndian(header))) +
        "; expected " + std::to_string(magic) +
        ", that of an IDX file of unsigned bytes with " + std::to_string(rank) +
        " dimensions");
  if (got < wanted)
    throw CorruptError("'" + path + "' ends within its header");
  blocks::Shape shape;
  int64_t elements = 1;
  for (int i = 1; i <= rank; ++i) {
    shape.push_back(bigEndian(header + 4 * i));
    if (__builtin_mul_overflow(elements, shape.back(), &elements) ||
        elements > int64_t(1) << 40)
      throw CorruptError("'" + path + "' claims an impossible shape: " +
                         "its header is damaged");
  }
  return shape;
}
} // namespace

// The array grows piece by piece, so that a header that claims too much meets
// the end of the file before the end of the memory.
blocks::Array readIdx(const std::string &path, int rank) {
  GzipFile file(path);
  blocks::Shape shape = readHeader(file, path, rank);
  size_t bytes = size_t(blocks::numElements(shape));
  std::string content;
  for (size_t done = 0; done < bytes;) {
    size_t piece = std::min<size_t>(bytes - done, 1 << 26);
    content.resize(done + piece);
    size_t got = file.read(content.data() + done, piece);
    done += got;
    if (got < piece)
      throw CorruptError("'" + path + "' holds " + std::to_string(done) +
                         " bytes of data; its header " +
                         blocks::formatShape(shape) + " announces " +
                         std::to_string(bytes) + ": it is truncated");
  }
  if (!file.atEnd())
    throw CorruptError("'" + path + "' goes on after the " +
                       std::to_string(bytes) + " bytes that its header " +
                       blocks::formatShape(shape) + " announces");
  blocks::Array array(blocks::DType::UInt8, shape);
  if (bytes)
    std::memcpy(array.data(), content.data(), bytes);
  return array;
}

} // namespace fuel
