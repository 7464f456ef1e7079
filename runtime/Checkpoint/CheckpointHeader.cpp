// CheckpointHeader: see CheckpointHeader.h.
#include "runtime/Checkpoint/CheckpointHeader.h"

#include "blocks/Error.h"
#include "runtime/Base/MappedFile.h"
#include "runtime/Base/Sha256.h"

#include <array>
#include <cstring>
#include <fcntl.h>

namespace blocks {

namespace {
// Like PNG's: a byte beyond ASCII and a line end, so that text-mode transfers
// and seven-bit channels are found out.
constexpr char magic[8] = {'\x89', 'B', 'L', 'O', 'C', 'K', 'S', '\n'};
constexpr uint32_t currentVersion = 1;
constexpr size_t versionAt = 8, headerSizeAt = 12, lengthAt = 16, digestAt = 24;
using Header = std::array<std::byte, checkpointHeaderBytes>;

template <typename T> void put(Header &header, size_t at, T value) {
  for (size_t i = 0; i < sizeof(T); ++i)
    header[at + i] = std::byte(value >> (8 * i));
}

template <typename T> T get(std::span<const std::byte> bytes, size_t at) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i)
    value |= T(T(bytes[at + i]) << (8 * i));
  return value;
}

Header makeHeader(std::span<const std::byte> file) {
  Header header{};
  std::memcpy(header.data(), magic, sizeof(magic));
  put(header, versionAt, currentVersion);
  put(header, headerSizeAt, uint32_t(checkpointHeaderBytes));
  put(header, lengthAt, uint64_t(file.size()));
  auto body = file.subspan(checkpointHeaderBytes);
  Sha256Digest digest = Sha256::of(body.data(), body.size());
  std::memcpy(header.data() + digestAt, digest.data(), digest.size());
  return header;
}
} // namespace

void sealCheckpoint(FileDescriptor &file) {
  Header header;
  {
    MappedFile contents(file.path());
    header = makeHeader(contents.bytes());
  }
  file.writeAt(header.data(), header.size(), 0);
}

void verifyCheckpoint(std::span<const std::byte> bytes,
                      const std::string &path) {
  auto refuse = [&](const std::string &what) {
    throw CorruptError("'" + path + "' " + what);
  };
  if (bytes.size() < checkpointHeaderBytes ||
      std::memcmp(bytes.data(), magic, sizeof(magic)))
    refuse("is not a checkpoint of Blocks: its first bytes are not those of "
           "one");
  if (uint32_t version = get<uint32_t>(bytes, versionAt);
      version != currentVersion)
    throw UnsupportedError("'" + path + "' is a checkpoint of version " +
                           std::to_string(version) + "; this program reads " +
                           std::to_string(currentVersion));
  if (uint64_t length = get<uint64_t>(bytes, lengthAt); length != bytes.size())
    refuse("has " + std::to_string(bytes.size()) + " bytes, but should have " +
           std::to_string(length) + "; was it cut off?");
  // All of the header is a function of the body, so compare all of it.
  Header expected = makeHeader(bytes);
  if (std::memcmp(expected.data(), bytes.data(), expected.size()))
    refuse("is damaged: its checksum does not hold");
}

bool looksLikeCheckpoint(const std::string &path) {
  char first[sizeof(magic)] = {};
  FileDescriptor(path, O_RDONLY).readAt(first, sizeof(first), 0);
  return !std::memcmp(first, magic, sizeof(magic));
}

} // namespace blocks
