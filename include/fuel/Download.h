// Downloads: the original files of data sets, fetched over HTTP. A list says
// which files a data set consists of, where they are and what their checksums
// are. A file appears under its name when it is complete and right; what an
// interrupted transfer got waits beside it, and the next call goes on there.
// This part is only there where libcurl was when Blocks was built.
#pragma once

#include "fuel/Progress.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fuel {

//===-- Lists -------------------------------------------------------------===//

struct Checksum {
  std::string algorithm; ///< "md5", "sha1" or "sha256".
  std::string hex;       ///< In lower case.
};

struct RemoteFile {
  std::string name;                ///< A plain name, without folders.
  std::vector<std::string> urls;   ///< In the order to try.
  std::optional<uint64_t> size;    ///< Bytes, if known.
  std::vector<Checksum> checksums; ///< All that are known.
  std::string variant;             ///< Belongs to this one only, or "" to all.
  bool registered = false;         ///< Needs DownloadOptions::urlPrefix.
};

struct RemoteDataset {
  std::string name, summary;
  std::vector<std::string> variants; ///< One must be chosen, if not empty.
  std::vector<RemoteFile> files;
  std::string note;         ///< To be said when all are there.
  std::string instructions; ///< What to do where nothing can be fetched.
};

/// The data sets that Fuel knows, by name.
std::vector<RemoteDataset> knownDownloads();
/// A list in the form of fuel/Download/datasets.toml. InputError naming file
/// and line.
std::vector<RemoteDataset> readDownloadList(const std::string &path);
/// Joins lists; a name in both is a UsageError.
void addDownloads(std::vector<RemoteDataset> &list,
                  std::vector<RemoteDataset> more);
/// The files of one variant. UsageError that lists the variants if there are
/// some and `variant` is none of them.
std::vector<RemoteFile> filesOf(const RemoteDataset &dataset,
                                const std::string &variant);

//===-- Fetching ----------------------------------------------------------===//

struct DownloadOptions {
  std::string directory = "."; ///< Must exist.
  /// Beginnings of URLs that are tried first, for every file.
  std::vector<std::string> mirrors;
  std::string urlPrefix; ///< What registered users got from the publisher.
  /// A file with the certificates of other authorities than the system's, for a
  /// mirror of one's own; "" for the system's.
  std::string certificates;
  /// Attempts at one URL that bring nothing new, before the next is tried.
  int attempts = 4;
  double connectTimeout = 20;   ///< Seconds.
  double stallTimeout = 30;     ///< Seconds without a byte.
  double firstPause = 1;        ///< Seconds before trying again; doubles.
  Progress *progress = nullptr; ///< May be null.
  /// Told a line about what happens; may be empty.
  std::function<void(const std::string &)> log;
  /// Asked often; true ends the transfer. May be empty.
  std::function<bool()> stopped;
};

enum class DownloadEnd { Done, WasThere, Stopped, Failed };
struct DownloadResult {
  DownloadEnd end;
  std::string message; ///< Why it failed: each URL with its reason.
};

/// Fetches one file. What is wrong with URLs and servers is in the result;
/// throws IoError for the local disk, and CorruptError for a file that is there
/// under this name with other contents.
DownloadResult download(const RemoteFile &file, const DownloadOptions &options);
/// Removes the file and what belongs to it. Returns the paths removed.
std::vector<std::string> clearDownload(const RemoteFile &file,
                                       const std::string &directory);

} // namespace fuel
