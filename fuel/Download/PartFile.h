// PartFile: what a download has got so far, in NAME.part; and in NAME.part.from
// where that came from, so that a later call can ask for the rest of the same
// thing. A killed process leaves both. The file under its own name appears by
// `publish` only.
#pragma once

#include "runtime/Base/FileDescriptor.h"

#include <optional>
#include <string>

namespace fuel {

/// Of the bytes in a part.
struct PartOrigin {
  std::string url;
  /// What a server can tell a changed file by: its ETag (a strong one), else
  /// its date of change; "" if it gave neither.
  std::string validator;
  std::optional<uint64_t> total; ///< Bytes of the whole file, if it said so.
};

class PartFile {
public:
  /// Opens or creates `target`.part. IoError if another process is at it.
  explicit PartFile(const std::string &target);

  uint64_t size() const { return bytes; }
  /// Nothing if there are no bytes, or nobody knows whose they are.
  const std::optional<PartOrigin> &origin() const { return from; }
  /// Forgets the bytes; those that follow are of `origin`.
  void restart(const PartOrigin &origin);
  void append(const void *data, size_t count);
  /// Makes the bytes durable under the target's name.
  void publish();
  /// Forgets the bytes, which turned out to be wrong.
  void clear();
  /// Removes both files.
  void discard();
  const std::string &path() const { return part; }

private:
  void open();
  void readOrigin();
  std::string target, part;
  blocks::FileDescriptor file;
  uint64_t bytes = 0;
  std::optional<PartOrigin> from;
};

} // namespace fuel
