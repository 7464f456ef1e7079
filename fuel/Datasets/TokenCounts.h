// TokenCounts: how often each word or character occurs, and the vocabulary that
// follows from it. Lines come from where the caller has them.
#pragma once

#include "fuel/Datasets.h"

#include <string_view>
#include <unordered_map>

namespace fuel {

class TokenCounts {
public:
  explicit TokenCounts(TextLevel level) : level(level) {}
  void add(std::string_view line);
  /// As VocabularyOptions describes it.
  Dictionary dictionary(std::optional<int64_t> size, int64_t leastCount,
                        const std::vector<std::string> &special);

private:
  TextLevel level;
  std::unordered_map<std::string, int64_t> counts;
};

/// In the order of their numbers; UsageError unless those are 0, 1, 2 …
std::vector<std::string> wordsOf(const Dictionary &dictionary);

} // namespace fuel
