// GzipFile: a gzipped or plain file, read from its beginning to its end. What
// is damaged gives an error that names the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

struct gzFile_s;

namespace fuel {

class GzipFile {
public:
  /// IoError if it cannot be opened.
  explicit GzipFile(const std::string &path);
  ~GzipFile();
  GzipFile(const GzipFile &) = delete;
  GzipFile &operator=(const GzipFile &) = delete;

  const std::string &path() const { return name; }
  /// Reads up to `bytes`; fewer only at the end of the file.
  size_t read(void *data, size_t bytes);
  /// True at the end; damage there (a missing or wrong checksum) is an error.
  bool atEnd();
  /// No content of this file can be longer: deflate shrinks by 1032 at most.
  uint64_t mostBytes() const { return bound; }

private:
  std::string reason();
  std::string name;
  gzFile_s *file;
  uint64_t bound = 0;
};

} // namespace fuel
