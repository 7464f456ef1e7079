// GzipFile: see GzipFile.h.
#include "fuel/Converters/GzipFile.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <zlib.h>

namespace fuel {

using blocks::CorruptError;

GzipFile::GzipFile(const std::string &path)
    : name(path), file(gzopen(path.c_str(), "rb")) {
  if (!file)
    throw blocks::IoError("cannot open '" + path +
                          "': " + std::strerror(errno ? errno : ENOMEM));
  gzbuffer(file, 1 << 17);
  std::error_code unknown;
  uint64_t bytes = std::filesystem::file_size(path, unknown);
  // Pipes have no size.
  bound = unknown || bytes > UINT64_MAX / 1040 - 64 ? UINT64_MAX
          : gzdirect(file)                          ? bytes
                                                    : (bytes + 64) * 1040;
}

GzipFile::~GzipFile() { gzclose(file); }

size_t GzipFile::read(void *data, size_t bytes) {
  size_t done = 0;
  while (done < bytes) {
    unsigned piece = unsigned(std::min<size_t>(bytes - done, 1 << 30));
    int got = gzread(file, static_cast<char *>(data) + done, piece);
    if (got < 0)
      throw CorruptError("cannot read '" + name + "': " + reason());
    if (got == 0)
      break;
    done += size_t(got);
  }
  return done;
}

bool GzipFile::atEnd() {
  char extra;
  if (read(&extra, 1) > 0)
    return false;
  int code = Z_OK;
  gzerror(file, &code);
  if (code != Z_OK && code != Z_STREAM_END)
    throw CorruptError("cannot read '" + name + "': " + reason());
  return true;
}

std::string GzipFile::reason() {
  int code = Z_OK;
  const char *text = gzerror(file, &code);
  return code == Z_ERRNO ? std::strerror(errno)
                         : std::string(text) + " (the file is damaged)";
}

} // namespace fuel
