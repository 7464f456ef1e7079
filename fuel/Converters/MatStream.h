// MatStream: the bytes of one element of a MATLAB file, inflated on the way if
// they are compressed. See MatFile.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace fuel {

class MatStream {
public:
  virtual ~MatStream() = default;
  /// Fills `out`; CorruptError if there are fewer bytes.
  virtual void read(void *out, size_t count) = 0;

  void skip(uint64_t count);
  uint32_t number(bool swapped);

  /// A tag: the type of an element and its bytes. Small ones have four bytes
  /// within the tag.
  struct Tag {
    uint32_t type = 0, bytes = 0;
    bool small = false;
    /// Bytes that follow, with what fills up to a multiple of eight.
    uint64_t padded() const;
  };
  Tag tag(bool swapped);
};

/// `where` names the file in errors.
std::unique_ptr<MatStream> storedMatStream(std::span<const std::byte> bytes,
                                           const std::string &where);
std::unique_ptr<MatStream> inflatedMatStream(std::span<const std::byte> bytes,
                                             const std::string &where);

} // namespace fuel
