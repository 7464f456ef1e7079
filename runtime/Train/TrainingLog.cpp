// TrainingLog: see TrainingLog.h.
#include "runtime/Train/TrainingLog.h"

#include "runtime/Base/MappedFile.h"

#include <charconv>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace blocks {

TrainingLog::TrainingLog(const std::string &path)
    : file(path, O_RDWR | O_CREAT | O_TRUNC) {}

TrainingLog::TrainingLog(const std::string &path, const LogPosition &position) {
  auto refuse = [&](const std::string &what) {
    throw InputError("the log '" + path + "' " + what +
                     "; restore it, or name another file with --log to start a "
                     "new one");
  };
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    refuse("that the checkpoint continues is missing");
  MappedFile contents(path);
  if (contents.size() < position.offset)
    refuse("has " + std::to_string(contents.size()) +
           " bytes, but the checkpoint continues it after " +
           std::to_string(position.offset));
  hash.update(contents.data(), position.offset);
  if (hash.hex() != position.sha256)
    refuse("is not the one of the run that wrote the checkpoint");
  file = FileDescriptor(path, O_RDWR);
  file.truncate(position.offset);
  file.seekEnd();
  offset = position.offset;
}

void TrainingLog::append(const RowView &row) {
  remember(row);
  if (!file.isOpen())
    return;
  char number[24];
  auto appendInt = [&](int64_t value) {
    buffer.append(number, std::to_chars(number, number + 24, value).ptr);
  };
  buffer.clear();
  buffer += "{\"iterations\":";
  appendInt(row.iterations);
  buffer += ",\"epoch\":";
  appendInt(row.epoch);
  buffer += ",\"values\":";
  appendJsonValues(buffer, row.values);
  buffer += "}\n";
  write(buffer);
}

void TrainingLog::write(std::string_view line) {
  try {
    file.writeAll(line.data(), line.size());
  } catch (...) {
    // Leave no half row behind; a reader may be following.
    (void)!::ftruncate(file.get(), off_t(offset));
    throw;
  }
  hash.update(line);
  offset += line.size();
}

void TrainingLog::sync() {
  if (file.isOpen())
    file.sync();
}

void TrainingLog::remember(const RowView &row) {
  rowStarts.push_back(
      {row.iterations, row.epoch, values.size(), row.values.size()});
  values.insert(values.end(), row.values.begin(), row.values.end());
}

RowView TrainingLog::rowAt(size_t index) const {
  const RowStart &start = rowStarts.at(index);
  return {start.iterations, start.epoch,
          std::span(values).subspan(start.begin, start.count)};
}

void appendJsonString(std::string &to, std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  to += '"';
  for (unsigned char c : text) {
    if (c == '"' || c == '\\')
      (to += '\\') += char(c);
    else if (c < 0x20)
      ((to += "\\u00") += digits[c >> 4]) += digits[c & 15];
    else
      to += char(c);
  }
  to += '"';
}

void appendJsonValues(std::string &to, std::span<const NamedValue> values) {
  char number[40];
  to += '{';
  bool first = true;
  for (const NamedValue &value : values) {
    if (!std::exchange(first, false))
      to += ',';
    appendJsonString(to, value.name);
    to += ':';
    to.append(number, formatJsonNumber(value, number));
  }
  to += '}';
}

} // namespace blocks
