// Attempt: one request for a file, which goes on where its part ends if the
// server has still the same file, and starts anew otherwise. It decides whether
// what a server says can be trusted; what comes next is the caller's business.
#pragma once

#include "fuel/Download.h"
#include "fuel/Download/HttpClient.h"
#include "fuel/Download/PartFile.h"

namespace fuel {

struct AttemptResult {
  enum class Next {
    Verify,  ///< All bytes are in the part.
    Again,   ///< Ask the same server again, after a pause.
    Another, ///< This URL will not do.
    Stop     ///< The user said so.
  };
  Next next;
  std::string reason;          ///< For Again and Another.
  std::optional<double> pause; ///< The server's wish, in seconds.
};

class Attempt {
public:
  Attempt(const RemoteFile &file, const DownloadOptions &options,
          HttpClient &client, PartFile &part)
      : file(file), options(options), client(client), part(part) {}

  AttemptResult run(const std::string &url);
  /// Whether the last one joined bytes to what was there before.
  bool hasResumed() const { return resumed; }
  /// The next one starts anew.
  void forget() { ignorePart = true; }

private:
  bool mayResume(const std::string &url) const;
  std::optional<uint64_t> expectedSize() const;
  AttemptResult judge(const HttpResult &result);
  bool begin(const std::string &url, const HttpReply &reply);
  bool beginWhole(const std::string &url, const HttpReply &reply);
  bool beginRest(const HttpReply &reply);
  bool refuse(AttemptResult::Next next, const std::string &reason);
  bool isSameFile(const HttpReply &reply) const;
  bool hasSpace(uint64_t bytes);
  void take(const char *data, size_t count);

  const RemoteFile &file;
  const DownloadOptions &options;
  HttpClient &client;
  PartFile &part;
  std::unique_ptr<ProgressTask> bar;
  std::optional<AttemptResult> verdict; ///< Of `begin` or `take`.
  std::optional<uint64_t> promised;     ///< Bytes in all, as a 206 has it.
  uint64_t from = 0;
  bool resumed = false, ignorePart = false;
};

} // namespace fuel
