// HttpReply: reads the headers that a download depends on. What cannot be
// understood counts as not said.
#include "fuel/Download/HttpClient.h"
#include "runtime/Base/Text.h"

#include <algorithm>
#include <charconv>

namespace fuel {

namespace {
std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return char(c >= 'A' && c <= 'Z' ? c + 32 : c);
  });
  return text;
}

std::optional<uint64_t> number(const std::string &text) {
  uint64_t value = 0;
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || text.empty())
    return std::nullopt;
  return value;
}

void takeRange(const std::string &value, HttpReply &reply) {
  size_t dash = value.find('-'), slash = value.find('/');
  if (lower(value.substr(0, 6)) != "bytes " || slash == std::string::npos)
    return;
  reply.rangeTotal = number(value.substr(slash + 1));
  if (dash != std::string::npos && dash < slash)
    reply.rangeStart = number(value.substr(6, dash - 6));
}
} // namespace

void HttpReply::takeHeader(const std::string &line) {
  if (line.rfind("HTTP/", 0) == 0) {
    *this = HttpReply();
    marked = line.rfind("HTTP/1", 0) != 0;
    size_t space = line.find(' ');
    if (space != std::string::npos)
      status = long(number(line.substr(space + 1, 3)).value_or(0));
    return;
  }
  size_t colon = line.find(':');
  if (colon == std::string::npos)
    return;
  std::string name = lower(line.substr(0, colon));
  std::string value(
      blocks::trimmed(std::string_view(line).substr(colon + 1), " \t\r\n"));
  if (name == "etag")
    etag = value;
  else if (name == "last-modified")
    lastModified = value;
  else if (name == "content-type")
    contentType = lower(value);
  else if (name == "content-length")
    length = number(value);
  else if (name == "content-range")
    takeRange(value, *this);
  else if (name == "transfer-encoding")
    marked = marked || lower(value).find("chunked") != std::string::npos;
  else if (name == "retry-after")
    if (auto seconds = number(value))
      retryAfter = double(*seconds);
}

std::string withoutCredentials(const std::string &url) {
  size_t begin = url.find("://");
  if (begin == std::string::npos)
    return url;
  begin += 3;
  size_t end = url.find_first_of("/?#", begin);
  size_t at = url.substr(0, end).rfind('@');
  if (at == std::string::npos || at < begin)
    return url;
  return url.substr(0, begin) + url.substr(at + 1);
}

} // namespace fuel
