// ObjectCache: compiled programs on the disk, one file each, so that a second
// start needs no compiler. The name of a file is the key: SHA-256 of all that
// determines the program. Files are checked when they are read; a damaged one
// counts as missing and is replaced. The cache is a convenience: nothing that
// goes wrong with it fails a run.
#pragma once

#include "runtime/Base/MappedFile.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace blocks {

/// A cached program; its parts stay valid as long as it lives.
struct CachedObject {
  MappedFile file;
  std::string_view manifest;
  std::span<const std::byte> object;
  std::string_view deviceText; ///< PTX of a program for GPUs; else empty.
};

class ObjectCache {
public:
  static constexpr int64_t defaultBytes = int64_t(512) << 20;

  /// Uses `directory`, which is made (for this user alone) when it is missing.
  /// One that others may write to, or of another user, is not used: code is run
  /// from it. An empty name means no cache.
  explicit ObjectCache(std::string directory, int64_t maxBytes = defaultBytes);

  /// $BLOCKS_CACHE_DIR, else $XDG_CACHE_HOME/blocks, else ~/.cache/blocks;
  /// empty if there is no home.
  static std::string defaultDirectory();

  const std::string &directory() const { return path; }
  /// Why the cache is not used, or why the last `store` failed; else empty.
  const std::string &problem() const { return trouble; }

  /// `key` is 64 hexadecimal digits. Marks the entry as used.
  std::optional<CachedObject> find(const std::string &key) const;
  /// Replaces the entry at once or not at all, then removes the entries that
  /// were not used for longest until all fit. False if it could not be written.
  bool store(const std::string &key, std::string_view manifest,
             std::span<const std::byte> object,
             std::string_view deviceText = {});

private:
  std::string fileOf(const std::string &key) const;
  void write(const std::string &key, std::string_view manifest,
             std::span<const std::byte> object, std::string_view deviceText);
  void evict(const std::string &keep) const;

  std::string path, trouble;
  int64_t maxBytes;
};

} // namespace blocks
