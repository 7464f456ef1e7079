// CsvRecords: see CsvRecords.h.
#include "fuel/Converters/Generic/CsvRecords.h"

#include "blocks/Error.h"

namespace fuel {

namespace {
/// A quote that nobody closed would make the rest of the file one record.
constexpr size_t longestRecord = size_t(64) << 20;
constexpr size_t bufferBytes = size_t(1) << 18;
constexpr int endOfFile = -1;
} // namespace

CsvRecords::CsvRecords(const std::string &path, char separator)
    : file(path), separator(separator) {
  peek();
  if (buffer.starts_with("\xef\xbb\xbf")) // A mark of the byte order.
    at = 3;
}

void CsvRecords::fail(int64_t atLine, int64_t atColumn,
                      const std::string &what) const {
  throw blocks::InputError(file.path() + ":" + std::to_string(atLine) + ":" +
                           std::to_string(atColumn) + ": " + what);
}

std::string CsvRecords::where(size_t field) const {
  int64_t atLine = field < fields.size() ? fields[field].line : line;
  int64_t atColumn = field < fields.size() ? fields[field].column : column;
  return file.path() + ":" + std::to_string(atLine) + ":" +
         std::to_string(atColumn);
}

//===-- Characters --------------------------------------------------------===//

int CsvRecords::peek() {
  if (at == buffer.size() && !ended) {
    buffer.resize(bufferBytes);
    buffer.resize(file.read(buffer.data(), bufferBytes));
    at = 0;
    ended = buffer.empty() && file.atEnd();
  }
  return at < buffer.size() ? static_cast<unsigned char>(buffer[at])
                            : endOfFile;
}

int CsvRecords::take() {
  int c = peek();
  if (c == endOfFile)
    return c;
  if (c == 0)
    fail(line, column,
         "a NUL character, which no text holds; is it UTF-16? Expected UTF-8: "
         "convert the file, for example with 'iconv -f UTF-16 -t UTF-8'");
  ++at;
  ++column;
  if (c == '\n') {
    ++line;
    column = 1;
  }
  return c;
}

/// LF, CR LF, or the end of the file.
bool CsvRecords::takeEndOfLine() {
  int c = peek();
  if (c == '\r') {
    take();
    if (peek() != '\n' && peek() != endOfFile)
      fail(line, column - 1,
           "a carriage return stands alone; expected lines that end with LF or "
           "CR LF, and fields with ends of lines in quotes");
    c = peek();
  }
  if (c != '\n' && c != endOfFile)
    return false;
  take();
  return true;
}

//===-- Fields ------------------------------------------------------------===//

void CsvRecords::keep(char c) {
  if (text.size() == longestRecord)
    fail(fields.back().line, fields.back().column,
         "a record has more than 64 MiB; does a field lack its closing quote?");
  text += c;
}

void CsvRecords::beginField() {
  fields.push_back({text.size(), 0, line, column});
}

void CsvRecords::readPlain() {
  for (int c = peek(); c != endOfFile && c != '\n' && c != '\r' &&
                       c != static_cast<unsigned char>(separator);
       c = peek()) {
    if (c == '"')
      fail(line, column,
           "a quote stands within a field that does not begin with one; put "
           "the field in quotes, and double those within");
    keep(char(take()));
  }
}

void CsvRecords::readQuoted() {
  take();
  for (;;) {
    int c = take();
    if (c == endOfFile)
      fail(fields.back().line, fields.back().column,
           "the quote that opens here is never closed");
    if (c == '"') {
      if (peek() != '"')
        break;
      take();
    }
    keep(char(c));
  }
  int c = peek();
  if (c != endOfFile && c != '\n' && c != '\r' &&
      c != static_cast<unsigned char>(separator))
    fail(line, column,
         "something follows a closing quote; expected the separator or the "
         "end of the line, and quotes within a field doubled");
}

bool CsvRecords::next() {
  text.clear();
  fields.clear();
  while (!oneColumn.value_or(false) && peek() != endOfFile && takeEndOfLine()) {
  }
  if (peek() == endOfFile)
    return false;
  do {
    beginField();
    peek() == '"' ? readQuoted() : readPlain();
    fields.back().length = text.size() - fields.back().begin;
    if (takeEndOfLine()) {
      oneColumn = oneColumn.value_or(fields.size() == 1);
      return true;
    }
    take(); // The separator.
  } while (true);
}

} // namespace fuel
