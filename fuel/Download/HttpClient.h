// HttpClient: one request at a time over libcurl, which verifies certificates,
// follows redirects within http and https (and never from https back to http),
// and keeps the connection for the next request. Nothing is retried here.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace fuel {

struct HttpRequest {
  std::string url;
  uint64_t from = 0;   ///< Asks for the bytes from here on.
  std::string ifRange; ///< … if the file is still this one; "" not to ask.
  double connectTimeout = 20, stallTimeout = 30;
  std::string certificates; ///< Of authorities, in PEM; "": the system's.
};

/// What stands in the headers.
struct HttpReply {
  long status = 0;
  std::string etag, lastModified, contentType;
  std::optional<uint64_t> length; ///< Of this body.
  /// Of a Content-Range "bytes START-END/TOTAL", or "bytes */TOTAL".
  std::optional<uint64_t> rangeStart, rangeTotal;
  std::optional<double> retryAfter; ///< Seconds.
  /// Whether a body that is cut short can be told from a whole one.
  bool endIsMarked() const { return length || marked; }

  /// Takes one line; a status line begins anew, as after a redirect.
  void takeHeader(const std::string &line);

private:
  bool marked = false; ///< Sent in chunks, or by HTTP/2.
};

/// Takes the body. An exception from these ends the transfer and comes out of
/// `get`.
struct HttpReceiver {
  /// Once, before the first byte; not for an empty body. False ends it.
  std::function<bool(const HttpReply &)> begin;
  std::function<void(const char *, size_t)> data;
  std::function<bool()> stopped;
};

enum class HttpEnd {
  Complete, ///< The whole body came, whatever the status.
  Ended,    ///< `begin` refused it.
  Broken,   ///< No connection, cut off, or silent; worth another attempt.
  Refused,  ///< A certificate, a redirect or the URL; not worth another.
  Stopped
};

struct HttpResult {
  HttpEnd end;
  HttpReply reply;
  std::string problem; ///< In words, for Broken and Refused.
};

class HttpClient {
public:
  HttpClient();
  ~HttpClient();
  HttpResult get(const HttpRequest &request, const HttpReceiver &receiver);

private:
  struct Handle;
  std::unique_ptr<Handle> handle;
};

/// The URL without name and password, for messages and files.
std::string withoutCredentials(const std::string &url);

} // namespace fuel
