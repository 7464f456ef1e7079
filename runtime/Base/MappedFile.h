// MappedFile: a whole file mapped read-only, for hashing and for reading arrays
// without copying them. The file must not be truncated while it is mapped.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace blocks {

class MappedFile {
public:
  MappedFile() = default;
  /// Throws IoError naming the path and the reason.
  explicit MappedFile(const std::string &path);
  ~MappedFile();
  MappedFile(MappedFile &&other) noexcept;
  MappedFile &operator=(MappedFile &&other) noexcept;
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  const std::byte *data() const { return begin; }
  size_t size() const { return length; }
  std::span<const std::byte> bytes() const { return {begin, length}; }

private:
  const std::byte *begin = nullptr;
  size_t length = 0;
};

} // namespace blocks
