// Vocabulary: counts the words of text files and numbers them. See
// include/fuel/Datasets.h.
#include "blocks/Error.h"
#include "fuel/Datasets/TextLines.h"
#include "fuel/Datasets/TokenCounts.h"
#include "runtime/Base/AtomicFile.h"

#include <algorithm>

namespace fuel {

using Counted = std::pair<std::string, int64_t>;

void TokenCounts::add(std::string_view line) {
  forEachToken(line, level, [this](std::string_view token) {
    ++counts[std::string(token)];
  });
}

static bool comesFirst(const Counted &a, const Counted &b) {
  return a.second != b.second ? a.second > b.second : a.first < b.first;
}

Dictionary TokenCounts::dictionary(std::optional<int64_t> size,
                                   int64_t leastCount,
                                   const std::vector<std::string> &special) {
  std::vector<Counted> tokens(counts.begin(), counts.end());
  std::sort(tokens.begin(), tokens.end(), comesFirst);
  Dictionary dictionary;
  for (const std::string &token : special)
    dictionary.emplace(token, int64_t(dictionary.size()));
  int64_t room = size.value_or(int64_t(tokens.size()));
  for (const auto &[token, count] : tokens) {
    if (room == 0 || count < leastCount)
      break;
    if (dictionary.emplace(token, int64_t(dictionary.size())).second)
      --room;
  }
  return dictionary;
}

Dictionary buildVocabulary(const VocabularyOptions &options) {
  if (options.files.empty())
    throw blocks::UsageError("no text file was named");
  TokenCounts counts(options.level);
  TextLines lines(options.files);
  for (std::string line; lines.next(line);)
    counts.add(options.preprocess ? options.preprocess(line) : line);
  return counts.dictionary(options.size, options.leastCount, options.special);
}

std::vector<std::string> wordsOf(const Dictionary &dictionary) {
  std::vector<std::pair<int64_t, std::string>> numbered;
  for (const auto &[word, number] : dictionary)
    numbered.emplace_back(number, word);
  std::sort(numbered.begin(), numbered.end());
  std::vector<std::string> words;
  for (auto &[number, word] : numbered) {
    if (number != int64_t(words.size()) || word.find('\n') != std::string::npos)
      throw blocks::UsageError(
          "a dictionary can be written only if its numbers "
          "are 0, 1, 2 … and no word has an end of line; '" +
          word + "' has number " + std::to_string(number));
    words.push_back(std::move(word));
  }
  return words;
}

void writeVocabulary(const std::string &path, const Dictionary &dictionary) {
  std::string text;
  for (const std::string &word : wordsOf(dictionary))
    text += word + "\n";
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
