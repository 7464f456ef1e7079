// The order in which the fragments of a divergent warp run their blocks, and
// the registers that can be read before they are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ptxemu {

using Graph = std::vector<std::vector<size_t>>;

/// Ranks the blocks of a flow graph (block 0 is the entry): a weak topological
/// order after Bourdoncle (1993). Each block comes before those that can follow
/// it, but for the edges back to a loop's head; the blocks of a loop are
/// contiguous, and what follows the loop comes after it.
std::vector<uint32_t> rankBlocks(const Graph &successors);

/// Values that some path from the entry reads before it writes them.
/// `uses` of a block are those before any write in it.
std::vector<uint32_t>
liveAtEntry(const Graph &successors,
            const std::vector<std::vector<uint32_t>> &uses,
            const std::vector<std::vector<uint32_t>> &defs, size_t values);

} // namespace ptxemu
