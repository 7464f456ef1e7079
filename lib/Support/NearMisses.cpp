//===- NearMisses.cpp - "did you mean …?" ---------------------------------===//
//
// Closeness is the edit distance without regard to case, at most two or a third
// of the word's length; a name that contains the word is close as well.
//
//===----------------------------------------------------------------------===//
#include "lib/Support/NearMisses.h"

#include <llvm/ADT/STLExtras.h>
#include <vector>

namespace blocks {

/// The names that are close to `word`, closest first, at most three.
static std::vector<std::string> closeTo(llvm::StringRef word,
                                        llvm::ArrayRef<std::string> names) {
  std::vector<std::pair<unsigned, std::string>> close;
  for (const std::string &name : names) {
    unsigned distance = word.edit_distance_insensitive(name);
    bool contained =
        word.size() >= 3 && llvm::StringRef(name).contains_insensitive(word);
    if (contained ||
        distance <= std::max<size_t>(word.size() < 4 ? 1 : 2, word.size() / 3))
      close.push_back({distance, name});
  }
  llvm::sort(close);
  std::vector<std::string> result;
  for (auto &[distance, name] : close)
    if (result.size() < 3 && !llvm::is_contained(result, name))
      result.push_back(name);
  return result;
}

/// "'a', 'b' or 'c'".
static std::string quotedList(llvm::ArrayRef<std::string> names,
                              llvm::StringRef last) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0                  ? ""
             : i + 1 == names.size() ? last.str()
                                     : std::string(", ")) +
            "'" + names[i] + "'";
  return text;
}

std::string suggest(llvm::StringRef word, llvm::ArrayRef<std::string> names) {
  std::vector<std::string> close = closeTo(word, names);
  if (!close.empty())
    return "; did you mean " + quotedList(close, " or ") + "?";
  if (names.empty())
    return "; there are none";
  constexpr size_t shown = 16;
  std::string text = "; there are " + quotedList(names.take_front(shown), ", ");
  return names.size() > shown ? text + ", …" : text;
}

} // namespace blocks
