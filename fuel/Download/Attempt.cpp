// Attempt: see Attempt.h.
#include "fuel/Download/Attempt.h"

#include "blocks/Error.h"

#include <filesystem>

namespace fuel {

using Next = AttemptResult::Next;

namespace {
/// Too many bytes: leaves libcurl through the receiver.
struct TooLong {};

std::string bytesText(uint64_t bytes) {
  return std::to_string(bytes) + " bytes";
}

/// A weak ETag stands for files that only mean the same.
std::string validatorOf(const HttpReply &reply) {
  if (!reply.etag.empty() && reply.etag.rfind("W/", 0) != 0)
    return reply.etag;
  return reply.lastModified;
}

bool isPage(const std::string &name) {
  return name.ends_with(".html") || name.ends_with(".htm");
}
} // namespace

std::optional<uint64_t> Attempt::expectedSize() const {
  if (file.size)
    return file.size;
  if (part.origin() && part.origin()->total)
    return part.origin()->total;
  return promised;
}

/// Bytes of another place, or of a file that may have changed, are only used
/// where a checksum will tell.
bool Attempt::mayResume(const std::string &url) const {
  if (ignorePart || part.size() == 0)
    return false;
  std::optional<uint64_t> size = expectedSize();
  if (size && part.size() > *size)
    return false;
  bool same = part.origin() && part.origin()->url == withoutCredentials(url) &&
              !part.origin()->validator.empty();
  return same || !file.checksums.empty();
}

AttemptResult Attempt::run(const std::string &url) {
  verdict.reset();
  resumed = mayResume(url);
  from = resumed ? part.size() : 0;
  ignorePart = false;
  if (resumed && expectedSize() == from)
    return {Next::Verify, "", {}};
  HttpRequest request{url,
                      from,
                      "",
                      options.connectTimeout,
                      options.stallTimeout,
                      options.certificates};
  if (resumed && part.origin() && part.origin()->url == withoutCredentials(url))
    request.ifRange = part.origin()->validator;
  HttpReceiver receiver{
      [&](const HttpReply &reply) { return begin(url, reply); },
      [&](const char *data, size_t count) { take(data, count); },
      options.stopped};
  AttemptResult result;
  try {
    HttpResult reply = client.get(request, receiver);
    // An empty body has no first byte.
    if (reply.end == HttpEnd::Complete && !bar && !verdict)
      begin(url, reply.reply);
    result = judge(reply);
  } catch (const TooLong &) {
    forget();
    result = {Next::Another,
              "it sends more than the " + bytesText(*expectedSize()) +
                  " expected",
              {}};
  }
  bar.reset();
  return result;
}

AttemptResult Attempt::judge(const HttpResult &result) {
  if (verdict)
    return *verdict;
  switch (result.end) {
  case HttpEnd::Stopped:
    return {Next::Stop, "", {}};
  case HttpEnd::Refused:
    return {Next::Another, result.problem, {}};
  case HttpEnd::Broken:
    return {Next::Again, result.problem, {}};
  default:
    break;
  }
  std::optional<uint64_t> size = expectedSize();
  if (size && part.size() < *size)
    return {Next::Again,
            "it ended after " + std::to_string(part.size()) + " of " +
                bytesText(*size),
            {}};
  return {Next::Verify, "", {}};
}

bool Attempt::refuse(Next next, const std::string &reason) {
  verdict = AttemptResult{next, reason, {}};
  return false;
}

bool Attempt::begin(const std::string &url, const HttpReply &reply) {
  long status = reply.status;
  if (status == 200)
    return beginWhole(url, reply);
  if (status == 206 && resumed)
    return beginRest(reply);
  if (status == 416 && resumed) {
    if (reply.rangeTotal == from) // There is no more than we have.
      return refuse(Next::Verify, "");
    forget();
    return refuse(Next::Again, "the file there is another one now");
  }
  bool passing = status >= 500 || status == 429 || status == 408;
  refuse(passing ? Next::Again : Next::Another,
         "the server answers with status " + std::to_string(status));
  verdict->pause = reply.retryAfter;
  return false;
}

bool Attempt::beginWhole(const std::string &url, const HttpReply &reply) {
  if (file.size && reply.length && *reply.length != *file.size)
    return refuse(Next::Another, "it has " + bytesText(*reply.length) +
                                     " there, expected " +
                                     std::to_string(*file.size));
  if (file.checksums.empty() && !isPage(file.name) &&
      reply.contentType.rfind("text/html", 0) == 0)
    return refuse(Next::Another, "the server sends a web page, not the file");
  if (file.checksums.empty() && !file.size && !reply.endIsMarked())
    return refuse(Next::Another,
                  "the server does not say how long the file is, and neither "
                  "its size nor a checksum is known");
  std::string validator = validatorOf(reply);
  if (resumed && options.log)
    options.log(part.origin() && part.origin()->validator != validator
                    ? file.name + ": the file there has changed; starting anew"
                    : file.name + ": the server cannot go on in the middle; "
                                  "starting anew");
  resumed = false;
  from = 0;
  std::optional<uint64_t> total = reply.length ? reply.length : file.size;
  if (total > part.size() && !hasSpace(*total - part.size()))
    return false;
  part.restart({withoutCredentials(url), validator, total});
  promised.reset();
  bar = std::make_unique<ProgressTask>(options.progress, file.name,
                                       total ? int64_t(*total) : -1);
  return true;
}

/// Servers may disregard If-Range. One that says less than before is believed.
bool Attempt::isSameFile(const HttpReply &reply) const {
  if (!file.checksums.empty()) // They will tell.
    return true;
  const std::string &before = part.origin()->validator;
  const std::string &now =
      before.front() == '"' ? reply.etag : reply.lastModified;
  return now.empty() || now == before;
}

bool Attempt::beginRest(const HttpReply &reply) {
  std::optional<uint64_t> size = expectedSize();
  if (reply.rangeStart != from || (size && reply.rangeTotal != size)) {
    forget();
    return refuse(Next::Again, "the server sends another part than asked for");
  }
  std::optional<uint64_t> total = size ? size : reply.rangeTotal;
  bool endIsKnown = total || !file.checksums.empty();
  if (!isSameFile(reply) || !endIsKnown || (total && *total <= from)) {
    forget();
    return refuse(Next::Again, "the file there is another one now");
  }
  if (total && !hasSpace(*total - from))
    return false;
  promised = total;
  if (options.log)
    options.log(file.name + ": going on after " + bytesText(from));
  bar = std::make_unique<ProgressTask>(options.progress, file.name,
                                       total ? int64_t(*total) : -1);
  bar->advance(int64_t(from));
  return true;
}

/// A size that only this server claims need not be true: another may do.
bool Attempt::hasSpace(uint64_t bytes) {
  std::error_code error;
  auto space = std::filesystem::space(options.directory, error);
  if (error || space.available >= bytes)
    return true;
  std::string problem = "'" + file.name + "' needs " + bytesText(bytes) +
                        " more, but only " + bytesText(space.available) +
                        " are free in '" + options.directory +
                        "'; free some space or choose another folder";
  if (file.size)
    throw blocks::IoError(problem);
  return refuse(Next::Another, problem);
}

void Attempt::take(const char *data, size_t count) {
  std::optional<uint64_t> size = expectedSize();
  if (size && part.size() + count > *size)
    throw TooLong();
  part.append(data, count);
  bar->advance(int64_t(count));
}

} // namespace fuel
