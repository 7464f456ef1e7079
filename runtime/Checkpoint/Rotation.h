// Rotation: which files of a checkpoint are kept. The newest is always PATH,
// the one before PATH.1, and so on.
#pragma once

#include <cstdint>
#include <string>

namespace blocks {

/// Makes room for a new PATH: the present one also becomes PATH.1 (by a hard
/// link, so that PATH never disappears), and `keep` files remain in all.
void rotateCheckpoints(const std::string &path, int64_t keep);

/// The whole and synchronized file `from` also becomes PATH.best, durably.
void keepAsBest(const std::string &from, const std::string &path);

} // namespace blocks
