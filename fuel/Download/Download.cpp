// download: see include/fuel/Download.h. Which URLs are tried, how often, and
// what makes a file right.
#include "fuel/Download.h"

#include "blocks/Error.h"
#include "fuel/Download/Attempt.h"
#include "fuel/Download/Digest.h"
#include "runtime/Base/FileDescriptor.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <unistd.h>

namespace fuel {

namespace fs = std::filesystem;
using blocks::CorruptError;
using Next = AttemptResult::Next;

namespace {
class Fetch {
public:
  Fetch(const RemoteFile &file, const DownloadOptions &options)
      : file(file), options(options),
        target((fs::path(options.directory) / file.name).string()) {}

  DownloadResult run();

private:
  enum class Check { Right, Wrong, Unknown, Stopped };
  std::vector<std::string> urls() const;
  DownloadResult checkExisting();
  Check check(const std::string &path, std::string &found);
  Next tryUrl(const std::string &url);
  Next verify(bool resumed);
  bool pause(double seconds);
  void log(const std::string &text) const {
    if (options.log)
      options.log(file.name + ": " + text);
  }

  const RemoteFile &file;
  const DownloadOptions &options;
  std::string target;
  HttpClient client;
  std::unique_ptr<PartFile> part;
  std::unique_ptr<Attempt> attempt;
  std::string failures; ///< Of the URLs so far, a line each.
};

/// What links lead to; not there is no error.
fs::file_status statusOf(const std::string &path) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none)
    throw blocks::ioError("read", path, error.value());
  return status;
}

/// Even a link that leads nowhere.
bool isThere(const std::string &path) {
  std::error_code error;
  fs::file_status status = fs::symlink_status(path, error);
  if (status.type() == fs::file_type::none)
    throw blocks::ioError("read", path, error.value());
  return status.type() != fs::file_type::not_found;
}

std::string withSlash(const std::string &prefix) {
  return prefix.ends_with('/') || prefix.ends_with('=') ? prefix : prefix + "/";
}

std::vector<std::string> Fetch::urls() const {
  std::vector<std::string> result;
  for (const std::string &mirror : options.mirrors)
    result.push_back(withSlash(mirror) + file.name);
  if (!options.urlPrefix.empty() && file.registered)
    result.push_back(withSlash(options.urlPrefix) + file.name);
  result.insert(result.end(), file.urls.begin(), file.urls.end());
  return result;
}

/// Compares with every checksum that is known, of the list or recorded by the
/// first download. `found` is the one that differs, or a new one to record.
Fetch::Check Fetch::check(const std::string &path, std::string &found) {
  std::vector<Checksum> expected = file.checksums;
  if (expected.empty())
    if (auto recorded = recordedChecksum(target))
      expected.push_back(*recorded);
  bool known = !expected.empty();
  if (!known)
    expected.push_back({"sha256", ""});
  for (const Checksum &checksum : expected) {
    found =
        digestOf(path, checksum.algorithm, options.progress, options.stopped);
    if (found.empty())
      return Check::Stopped;
    if (known && found != checksum.hex) {
      found = checksum.algorithm + " " + found + ", expected " + checksum.hex +
              (file.checksums.empty()
                   ? " as first recorded in '" + target +
                         ".sha256' (remove that to trust the new one)"
                   : "");
      return Check::Wrong;
    }
  }
  return known ? Check::Right : Check::Unknown;
}

DownloadResult Fetch::checkExisting() {
  if (statusOf(target).type() != fs::file_type::regular)
    throw blocks::IoError("'" + target + "' is there but is no regular file");
  std::string found;
  std::error_code error;
  uint64_t bytes = fs::file_size(target, error);
  if (error)
    throw blocks::ioError("read", target, error.value());
  if (file.size && bytes != *file.size)
    throw CorruptError("'" + target + "' is there, but has " +
                       std::to_string(bytes) + " bytes, expected " +
                       std::to_string(*file.size) +
                       "; remove it (--clear) to fetch it again");
  switch (check(target, found)) {
  case Check::Stopped:
    return {DownloadEnd::Stopped, ""};
  case Check::Wrong:
    throw CorruptError("'" + target + "' is there, but its checksum is " +
                       found + "; remove it (--clear) to fetch it again");
  case Check::Unknown:
    recordChecksum(target, found);
    log("is there; no checksum was known, recorded sha256 " + found);
    break;
  case Check::Right:
    log("is there, and right");
  }
  return {DownloadEnd::WasThere, ""};
}

DownloadResult Fetch::run() {
  if (statusOf(options.directory).type() != fs::file_type::directory)
    throw blocks::IoError("the folder '" + options.directory +
                          "' does not exist; create it first");
  if (isThere(target))
    return checkExisting();
  std::vector<std::string> places = urls();
  if (places.empty())
    return {DownloadEnd::Failed,
            "it is served to registered users only; give the beginning of its "
            "URL that the publisher has told you (--url-prefix)"};
  part = std::make_unique<PartFile>(target);
  attempt = std::make_unique<Attempt>(file, options, client, *part);
  for (const std::string &url : places) {
    log("from " + withoutCredentials(url));
    Next next = tryUrl(url);
    if (next == Next::Verify)
      return {DownloadEnd::Done, ""};
    if (next == Next::Stop)
      return {DownloadEnd::Stopped, ""};
  }
  if (part->size() == 0)
    part->discard();
  return {DownloadEnd::Failed, failures};
}

/// Attempts that get further do not count: a large file may take many.
Next Fetch::tryUrl(const std::string &url) {
  double seconds = options.firstPause;
  uint64_t most = part->size();
  for (int fruitless = 0;;) {
    AttemptResult result = attempt->run(url);
    if (result.next == Next::Verify)
      result.next = verify(attempt->hasResumed());
    if (result.next == Next::Verify || result.next == Next::Stop)
      return result.next;
    if (result.reason.empty()) // `verify` has told it.
      result.reason = "wrong checksum";
    if (part->size() > most) {
      most = part->size();
      fruitless = 0;
      seconds = options.firstPause;
    }
    if (result.next == Next::Another || ++fruitless >= options.attempts) {
      log(result.reason);
      failures += (failures.empty() ? "" : "\n") + std::string("  ") +
                  withoutCredentials(url) + ": " + result.reason;
      return Next::Another;
    }
    double wait = std::min(60.0, std::max(seconds, result.pause.value_or(0)));
    log(result.reason + "; trying again in " + std::to_string(int(wait + 0.5)) +
        " s");
    if (!pause(wait))
      return Next::Stop;
    seconds *= 2;
  }
}

/// A whole file that is wrong may be two files joined: then it is fetched once
/// more from its start.
Next Fetch::verify(bool resumed) {
  std::string found;
  switch (check(part->path(), found)) {
  case Check::Stopped:
    return Next::Stop;
  case Check::Wrong:
    log("its checksum is " + found);
    part->clear();
    return resumed ? Next::Again : Next::Another;
  case Check::Unknown:
    part->publish();
    recordChecksum(target, found);
    log("done; no checksum was known, recorded sha256 " + found);
    return Next::Verify;
  case Check::Right:
    part->publish();
    log("done, and right");
  }
  return Next::Verify;
}

/// False if the user stops it.
bool Fetch::pause(double seconds) {
  auto end =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    if (options.stopped && options.stopped())
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}
} // namespace

DownloadResult download(const RemoteFile &file,
                        const DownloadOptions &options) {
  return Fetch(file, options).run();
}

std::vector<std::string> clearDownload(const RemoteFile &file,
                                       const std::string &directory) {
  std::vector<std::string> removed;
  std::string target = (fs::path(directory) / file.name).string();
  for (const char *ending : {"", ".part", ".part.from", ".sha256"}) {
    std::string path = target + ending;
    std::error_code error;
    if (fs::symlink_status(path, error).type() != fs::file_type::regular)
      continue;
    if (::unlink(path.c_str()) != 0)
      throw blocks::ioError("remove", path, errno);
    removed.push_back(path);
  }
  return removed;
}

} // namespace fuel
