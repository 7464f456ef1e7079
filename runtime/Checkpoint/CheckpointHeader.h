// CheckpointHeader: the 512-byte block in front of a checkpoint's HDF5 part:
// magic, version, the file's length, and the SHA-256 of all that follows. It is
// checked before HDF5 sees the file, so that damage is found by us and not by
// a parser. Numbers are little-endian; the rest of the block is zero.
#pragma once

#include "runtime/Base/FileDescriptor.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace blocks {

constexpr size_t checkpointHeaderBytes = 512;

/// Hashes what follows the header of an otherwise complete file, and writes the
/// header into it.
void sealCheckpoint(FileDescriptor &file);

/// Throws CorruptError, naming `path`, if the bytes are not a whole, undamaged
/// checkpoint, or UnsupportedError if a newer version wrote it.
void verifyCheckpoint(std::span<const std::byte> bytes,
                      const std::string &path);

/// True if the file begins with a checkpoint's magic.
bool looksLikeCheckpoint(const std::string &path);

} // namespace blocks
