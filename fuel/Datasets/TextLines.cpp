// TextLines: see TextLines.h.
#include "fuel/Datasets/TextLines.h"

#include "runtime/Base/FileDescriptor.h"

#include <cerrno>
#include <cstring>
#include <zlib.h>

namespace fuel {

TextLines::~TextLines() { close(); }

void TextLines::close() {
  if (file)
    gzclose(file);
  file = nullptr;
}

void TextLines::rewind() {
  close();
  current = 0;
  number = 0;
  buffer.clear();
  at = 0;
}

void TextLines::open() {
  file = gzopen(files[current].c_str(), "rb");
  if (!file)
    throw blocks::ioError("open", files[current], errno ? errno : ENOMEM);
  gzbuffer(file, 1 << 16);
  number = 0;
}

// Reads on until the buffer holds a line; the last one may lack its end.
bool TextLines::readLine(std::string &line) {
  for (size_t searched = at;;) {
    size_t end = buffer.find('\n', searched);
    if (end != std::string::npos) {
      line.assign(buffer, at, end - at);
      at = end + 1;
      return true;
    }
    buffer.erase(0, at);
    at = 0;
    searched = buffer.size();
    if (searched > mostBytes)
      throw blocks::CorruptError(
          "line " + std::to_string(number + 1) + " of '" + files[current] +
          "' has more than " + std::to_string(mostBytes) +
          " bytes; is it a text file of the kind expected?");
    constexpr size_t piece = 1 << 16;
    buffer.resize(searched + piece);
    int got = gzread(file, buffer.data() + searched, piece);
    buffer.resize(searched + size_t(std::max(got, 0)));
    int error = 0;
    const char *reason = gzerror(file, &error);
    if (got < 0 || (error != Z_OK && error != Z_STREAM_END))
      throw blocks::CorruptError("cannot read '" + files[current] +
                                 "': " + reason);
    if (got == 0) {
      line = std::move(buffer);
      buffer.clear();
      return !line.empty();
    }
  }
}

bool TextLines::next(std::string &line) {
  for (; current < files.size(); ++current) {
    if (!file)
      open();
    if (readLine(line)) {
      ++number;
      if (!line.empty() && line.back() == '\r')
        line.pop_back();
      return true;
    }
    close();
  }
  return false;
}

std::string TextLines::where() const {
  return "'" + files[current] + "', line " + std::to_string(number);
}

//===-- Tokens ------------------------------------------------------------===//

static bool isSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f');
}

/// Bytes of the UTF-8 character that begins with `first`; 1 for a stray byte.
static size_t characterBytes(char first) {
  auto byte = static_cast<unsigned char>(first);
  return byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
}

void forEachToken(std::string_view line, TextLevel level,
                  const std::function<void(std::string_view)> &use) {
  size_t begin = 0, end = line.size();
  while (begin < end && isSpace(line[begin]))
    ++begin;
  while (end > begin && isSpace(line[end - 1]))
    --end;
  while (begin < end) {
    size_t stop = begin;
    if (level == TextLevel::Character) {
      stop = std::min(end, begin + characterBytes(line[begin]));
      use(line.substr(begin, stop - begin));
      begin = stop;
      continue;
    }
    while (stop < end && !isSpace(line[stop]))
      ++stop;
    if (stop > begin)
      use(line.substr(begin, stop - begin));
    begin = stop + 1;
  }
}

} // namespace fuel
