// TextLines: the lines of several files, plain or gzip, one after the other,
// and their words and characters.
#pragma once

#include "fuel/Datasets.h"

#include <string_view>

struct gzFile_s;

namespace fuel {

class TextLines {
public:
  /// A line of more than `mostBytes` is an error.
  explicit TextLines(std::vector<std::string> files,
                     size_t mostBytes = size_t(-1))
      : files(std::move(files)), mostBytes(mostBytes) {}
  ~TextLines();
  TextLines(const TextLines &) = delete;
  TextLines &operator=(const TextLines &) = delete;

  void rewind();
  /// Without its end; false after the last line.
  bool next(std::string &line);
  /// "'file', line 3", of the line that `next` gave.
  std::string where() const;

private:
  bool readLine(std::string &line);
  void open();
  void close();
  std::vector<std::string> files;
  size_t mostBytes;
  size_t current = 0; ///< The file being read, or to be opened.
  int64_t number = 0;
  gzFile_s *file = nullptr;
  std::string buffer;
  size_t at = 0;
};

/// Calls `use` with each word, or each character in UTF-8.
void forEachToken(std::string_view line, TextLevel level,
                  const std::function<void(std::string_view)> &use);

} // namespace fuel
