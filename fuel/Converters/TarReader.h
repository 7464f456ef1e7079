// TarReader: the regular files and links of a tar archive, plain or compressed
// by gzip, bzip2 or xz, in their order, through libarchive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

struct archive;
struct archive_entry;

namespace fuel {

class TarReader {
public:
  /// `where` names the archive in errors. The bytes must outlive this.
  TarReader(std::span<const std::byte> bytes, const std::string &where);
  ~TarReader();

  /// The next file or link; false at the end. CorruptError if the archive is
  /// damaged.
  bool next();
  const std::string &name() const { return current; }
  /// The name of an entry before, whose bytes this one shares; else empty.
  std::string hardLink() const;
  uint64_t size() const;
  /// Calls `use` with the file's bytes, piece after piece. The bytes of a plain
  /// archive are handed out in place, in one piece. InputError for a link.
  void read(const std::function<void(std::span<const std::byte>)> &use);

private:
  [[noreturn]] void fail() const;
  void refuseLink() const;
  struct Close {
    void operator()(archive *handle) const;
  };
  std::string where;
  std::unique_ptr<archive, Close> handle;
  archive_entry *entry = nullptr;
  std::string current;
};

} // namespace fuel
