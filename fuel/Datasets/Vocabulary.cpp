// Vocabulary: counts the words of text files and numbers them. See
// include/fuel/Datasets.h.
#include "blocks/Error.h"
#include "fuel/Datasets/TextLines.h"
#include "runtime/Base/AtomicFile.h"

#include <algorithm>
#include <unordered_map>

namespace fuel {

using Counted = std::pair<std::string, int64_t>;

static std::vector<Counted> countTokens(const VocabularyOptions &options) {
  std::unordered_map<std::string, int64_t> counts;
  TextLines lines(options.files);
  for (std::string line; lines.next(line);) {
    if (options.preprocess)
      line = options.preprocess(line);
    forEachToken(line, options.level,
                 [&](std::string_view token) { ++counts[std::string(token)]; });
  }
  return {counts.begin(), counts.end()};
}

static bool comesFirst(const Counted &a, const Counted &b) {
  return a.second != b.second ? a.second > b.second : a.first < b.first;
}

Dictionary buildVocabulary(const VocabularyOptions &options) {
  if (options.files.empty())
    throw blocks::UsageError("no text file was named");
  std::vector<Counted> tokens = countTokens(options);
  std::sort(tokens.begin(), tokens.end(), comesFirst);
  Dictionary dictionary;
  for (const std::string &token : options.special)
    dictionary.emplace(token, int64_t(dictionary.size()));
  int64_t room = options.size.value_or(int64_t(tokens.size()));
  for (const auto &[token, count] : tokens) {
    if (room == 0 || count < options.leastCount)
      break;
    if (dictionary.emplace(token, int64_t(dictionary.size())).second)
      --room;
  }
  return dictionary;
}

void writeVocabulary(const std::string &path, const Dictionary &dictionary) {
  std::vector<std::pair<int64_t, std::string>> words;
  for (const auto &[word, number] : dictionary)
    words.emplace_back(number, word);
  std::sort(words.begin(), words.end());
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].first != int64_t(i) ||
        words[i].second.find('\n') != std::string::npos)
      throw blocks::UsageError("a dictionary can be written to '" + path +
                               "' only if its numbers are 0, 1, 2 … and no "
                               "word has an end of line; '" +
                               words[i].second + "' has number " +
                               std::to_string(words[i].first));
    text += words[i].second + "\n";
  }
  blocks::AtomicFile file(path);
  file.write(text);
  file.commit();
}

Dictionary readVocabulary(const std::string &path) {
  Dictionary dictionary;
  TextLines lines({path});
  for (std::string word; lines.next(word);)
    if (!dictionary.emplace(word, int64_t(dictionary.size())).second)
      throw blocks::InputError(lines.where() + ": '" + word +
                               "' stands there twice; expected each word once");
  return dictionary;
}

} // namespace fuel
