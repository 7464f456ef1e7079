// Subjects: the texts that a user or another program hands to the loader.
#pragma once

#include "test/fuel/hostile/Mutations.h"

#include <functional>
#include <string>
#include <vector>

namespace hostile {

struct Subject {
  std::string name;
  std::function<std::string(fuel::Mt19937 &)> alter;
  /// Uses an altered text; errors are to contain `place`, which it may set.
  std::function<void(const std::string &text, std::string &place)> use;
};

/// Pipelines in TOML, both forms of ~/.fuelrc, key files, texts of transformers
/// and schemes, states as they are and with forged checksums, and the state in
/// a checkpoint.
std::vector<Subject> subjects(const std::string &scratch,
                              const std::string &data);

} // namespace hostile
