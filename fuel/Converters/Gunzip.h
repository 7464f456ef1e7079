// Gunzip: gzipped bytes in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fuel {

bool isGzip(std::span<const std::byte> bytes);

/// Unpacks into `out`. CorruptError naming `where` if the bytes are damaged, or
/// make more than `most`.
void gunzip(std::span<const std::byte> bytes, std::vector<std::byte> &out,
            uint64_t most, const std::string &where);

} // namespace fuel
