// ZipDirectory: the directory of a ZIP archive in memory, with every offset and
// length checked against the archive. Only what NPZ needs: stored and deflated
// members, sizes of ZIP64, no encryption, one disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace blocks {

struct ZipMember {
  std::string name;
  uint16_t method = 0; ///< 0 stored, 8 deflated.
  uint32_t crc = 0;
  uint64_t size = 0;               ///< Uncompressed.
  std::span<const std::byte> data; ///< As stored in the archive.
};

/// `where` names the file in errors.
std::vector<ZipMember> readZipDirectory(std::span<const std::byte> archive,
                                        const std::string &where);

/// The member's checked bytes. A stored member is returned in place; a deflated
/// one is inflated into `buffer`.
std::span<const std::byte> readZipMember(const ZipMember &member,
                                         std::vector<std::byte> &buffer,
                                         const std::string &where);

/// The same piece by piece, for members larger than memory. Size and checksum
/// are checked after the last piece.
void streamZipMember(
    const ZipMember &member, const std::string &where,
    const std::function<void(std::span<const std::byte>)> &use);

} // namespace blocks
