// TrainingLog: the rows of a run, as JSON lines in a file that can be read
// while training goes on (a row is one write), and in memory. A SHA-256 of the
// file so far is kept as rows are written, so that a checkpoint can record
// where the log stood, and a resumed run can check that it continues the same
// log.
#pragma once

#include "blocks/EventSink.h"
#include "runtime/Base/FileDescriptor.h"
#include "runtime/Base/Sha256.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace blocks {

/// Where a log stood.
struct LogPosition {
  uint64_t offset = 0;
  std::string sha256; ///< Of the first `offset` bytes, hexadecimal.
};

class TrainingLog {
public:
  /// Rows in memory only.
  TrainingLog() = default;
  /// A new, empty log; an existing file is emptied.
  explicit TrainingLog(const std::string &path);
  /// Continues a log: the file's first `position.offset` bytes must be those
  /// of the run, and what follows is cut off. Throws InputError if the file is
  /// missing, shorter or different.
  TrainingLog(const std::string &path, const LogPosition &position);

  void append(const RowView &row);
  /// Returns when all rows are on the disk.
  void sync();
  bool hasFile() const { return file.isOpen(); }
  const std::string &path() const { return file.path(); }
  LogPosition position() const { return {offset, hash.hex()}; }

  /// Rows appended by this process.
  size_t rows() const { return rowStarts.size(); }
  RowView rowAt(size_t index) const;

private:
  void remember(const RowView &row);
  void write(std::string_view line);

  struct RowStart {
    int64_t iterations, epoch;
    size_t begin, count;
  };
  FileDescriptor file;
  uint64_t offset = 0;
  Sha256 hash;
  std::string buffer; ///< The line being made; kept to avoid allocation.
  std::vector<RowStart> rowStarts;
  std::vector<NamedValue> values;
};

/// Appends `text` as a JSON string, with quotes.
void appendJsonString(std::string &to, std::string_view text);
/// Appends {"name":value,…}.
void appendJsonValues(std::string &to, std::span<const NamedValue> values);

} // namespace blocks
