// Mutations: altered texts, as a hand, a broken disk or an enemy would leave
// them.
#pragma once

#include "fuel/Mt19937.h"

#include <string>

namespace hostile {

/// One to three changes: a character, a piece left out, doubled or moved, a
/// number replaced by an extreme one, something that has a meaning put in.
std::string mutate(std::string text, fuel::Mt19937 &random);

/// A pipeline's state with other numbers and texts in its fields, and the right
/// checksum.
std::string forgeState(const std::string &state, fuel::Mt19937 &random);

} // namespace hostile
