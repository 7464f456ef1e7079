// Files of the object cache: see ObjectCache.h. A file is a header (magic,
// key, sizes), the SHA-256 of header and content, then manifest, object and
// device text.
#include "runtime/Program/ObjectCache.h"

#include "blocks/Error.h"
#include "runtime/Base/FileDescriptor.h"
#include "runtime/Base/Sha256.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace blocks {

namespace {

constexpr char magic[8] = {'B', 'L', 'K', 'O', 'B', 'J', '0', '2'};
constexpr std::string_view suffix = ".blocksobj", temporaryMark = ".tmp-";

struct Header {
  char magic[8];
  char key[64];
  uint64_t manifestBytes, objectBytes, deviceBytes;
};

bool isKey(std::string_view key) {
  return key.size() == 64 &&
         key.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Sha256Digest digestOf(const Header &header, const void *content, size_t bytes) {
  return Sha256()
      .update(&header, sizeof header)
      .update(content, bytes)
      .digest();
}

/// Makes the directory and those above it; an existing one is fine.
void makeDirectories(const std::string &path) {
  for (size_t at = 1; at <= path.size(); ++at)
    if (at == path.size() || path[at] == '/')
      if (mkdir(path.substr(0, at).c_str(), 0700) != 0 && errno != EEXIST)
        throw ioError("create directory", path.substr(0, at), errno);
}

/// The reason not to trust a directory with code, or "".
std::string refusal(const std::string &path) {
  struct stat info;
  if (lstat(path.c_str(), &info) != 0)
    return "cannot look at '" + path + "': " + std::strerror(errno);
  if (S_ISLNK(info.st_mode) && stat(path.c_str(), &info) != 0)
    return "cannot look at '" + path + "': " + std::strerror(errno);
  if (!S_ISDIR(info.st_mode))
    return "'" + path + "' is no directory";
  if (info.st_uid != geteuid())
    return "'" + path + "' belongs to another user";
  if (info.st_mode & (S_IWGRP | S_IWOTH))
    return "'" + path + "' may be written by others; run chmod 700 on it";
  return "";
}

/// The name of a file being written; removed if it was not renamed.
struct Temporary {
  std::string path;
  bool renamed = false;
  ~Temporary() {
    if (!renamed)
      unlink(path.c_str());
  }
};

std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

} // namespace

std::string ObjectCache::defaultDirectory() {
  if (std::string own = environment("BLOCKS_CACHE_DIR"); !own.empty())
    return own;
  // The standard says that a relative path there is to be ignored.
  if (std::string xdg = environment("XDG_CACHE_HOME");
      !xdg.empty() && xdg[0] == '/')
    return xdg + "/blocks";
  if (std::string home = environment("HOME"); !home.empty() && home[0] == '/')
    return home + "/.cache/blocks";
  return "";
}

ObjectCache::ObjectCache(std::string directory, int64_t maxBytes)
    : path(std::move(directory)), maxBytes(maxBytes) {
  while (path.size() > 1 && path.back() == '/')
    path.pop_back();
  try {
    if (path.empty()) {
      trouble = "there is no directory for it; set BLOCKS_CACHE_DIR";
    } else {
      makeDirectories(path);
      trouble = refusal(path);
    }
  } catch (const Error &error) {
    trouble = error.what();
  }
  if (!trouble.empty())
    path.clear();
}

std::string ObjectCache::fileOf(const std::string &key) const {
  return path + "/" + key + std::string(suffix);
}

std::optional<CachedObject> ObjectCache::find(const std::string &key) const {
  if (path.empty() || !isKey(key))
    return std::nullopt;
  std::string name = fileOf(key);
  struct stat info;
  if (lstat(name.c_str(), &info) != 0 || !S_ISREG(info.st_mode) ||
      info.st_uid != geteuid())
    return std::nullopt;
  CachedObject found;
  try {
    found.file = MappedFile(name);
  } catch (const Error &) {
    return std::nullopt; // Removed meanwhile, or unreadable.
  }
  constexpr size_t start = sizeof(Header) + sizeof(Sha256Digest);
  std::span<const std::byte> bytes = found.file.bytes();
  if (bytes.size() < start)
    return std::nullopt;
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  std::span<const std::byte> content = bytes.subspan(start);
  if (std::memcmp(header.magic, magic, sizeof magic) != 0 ||
      std::string_view(header.key, sizeof header.key) != key ||
      header.manifestBytes > content.size() ||
      header.objectBytes > content.size() - header.manifestBytes ||
      header.deviceBytes !=
          content.size() - header.manifestBytes - header.objectBytes)
    return std::nullopt;
  Sha256Digest digest = digestOf(header, content.data(), content.size());
  if (std::memcmp(digest.data(), bytes.data() + sizeof header, digest.size()))
    return std::nullopt;
  found.manifest = {reinterpret_cast<const char *>(content.data()),
                    header.manifestBytes};
  found.object = content.subspan(header.manifestBytes, header.objectBytes);
  std::span<const std::byte> text = content.last(header.deviceBytes);
  found.deviceText = {reinterpret_cast<const char *>(text.data()), text.size()};
  utimensat(AT_FDCWD, name.c_str(), nullptr, 0); // Used now.
  return found;
}

bool ObjectCache::store(const std::string &key, std::string_view manifest,
                        std::span<const std::byte> object,
                        std::string_view deviceText) {
  if (path.empty() || !isKey(key))
    return false;
  try {
    write(key, manifest, object, deviceText);
    trouble.clear();
  } catch (const Error &error) {
    trouble = error.what();
    return false;
  }
  evict(key + std::string(suffix));
  return true;
}

/// Writes beside the target and renames. Without waiting for the disk: after a
/// crash the checksum tells what is missing.
void ObjectCache::write(const std::string &key, std::string_view manifest,
                        std::span<const std::byte> object,
                        std::string_view deviceText) {
  Header header;
  std::memcpy(header.magic, magic, sizeof magic);
  std::memcpy(header.key, key.data(), sizeof header.key);
  header.manifestBytes = manifest.size();
  header.objectBytes = object.size();
  header.deviceBytes = deviceText.size();
  Sha256Digest digest = Sha256()
                            .update(&header, sizeof header)
                            .update(manifest)
                            .update(object.data(), object.size())
                            .update(deviceText)
                            .digest();

  std::string target = fileOf(key);
  Temporary temporary{path + "/" + key + std::string(temporaryMark) +
                      std::to_string(getpid())};
  unlink(temporary.path.c_str()); // Of a process that had this number before.
  FileDescriptor file(temporary.path, O_WRONLY | O_CREAT | O_EXCL, 0600);
  file.writeAll(&header, sizeof header);
  file.writeAll(digest.data(), digest.size());
  file.writeAll(manifest.data(), manifest.size());
  file.writeAll(object.data(), object.size());
  file.writeAll(deviceText.data(), deviceText.size());
  file.close();
  if (rename(temporary.path.c_str(), target.c_str()) != 0)
    throw ioError("replace", target, errno);
  temporary.renamed = true;
}

namespace {
struct Entry {
  std::string name;
  int64_t bytes;
  timespec used;
};

bool usedBefore(const Entry &a, const Entry &b) {
  if (a.used.tv_sec != b.used.tv_sec)
    return a.used.tv_sec < b.used.tv_sec;
  if (a.used.tv_nsec != b.used.tv_nsec)
    return a.used.tv_nsec < b.used.tv_nsec;
  return a.name < b.name;
}

/// The cache's own files: entries, and what killed processes left (an hour is
/// long enough for any writer).
std::vector<Entry> listEntries(const std::string &path) {
  std::vector<Entry> entries;
  DIR *directory = opendir(path.c_str());
  if (!directory)
    return entries;
  while (const dirent *item = readdir(directory)) {
    std::string name = item->d_name;
    bool entry = name.ends_with(suffix);
    bool temporary = name.find(temporaryMark) == 64;
    struct stat info;
    if ((!entry && !temporary) ||
        fstatat(dirfd(directory), item->d_name, &info, AT_SYMLINK_NOFOLLOW) ||
        !S_ISREG(info.st_mode))
      continue;
    if (entry)
      entries.push_back({name, int64_t(info.st_size), info.st_mtim});
    else if (info.st_mtim.tv_sec + 3600 < time(nullptr))
      unlinkat(dirfd(directory), item->d_name, 0);
  }
  closedir(directory);
  return entries;
}
} // namespace

void ObjectCache::evict(const std::string &keep) const {
  std::vector<Entry> entries = listEntries(path);
  std::sort(entries.begin(), entries.end(), usedBefore);
  int64_t total = 0;
  for (const Entry &entry : entries)
    total += entry.bytes;
  for (const Entry &entry : entries) {
    if (total <= maxBytes)
      return;
    if (entry.name == keep)
      continue;
    unlink((path + "/" + entry.name).c_str());
    total -= entry.bytes;
  }
}

} // namespace blocks
