// Tokens: how the text converters make numbers of lines: by words or
// characters with a vocabulary, or the bytes themselves.
#pragma once

#include "fuel/Convert.h"
#include "fuel/Datasets/TextLines.h"
#include "fuel/Datasets/TokenCounts.h"

#include <unordered_map>

namespace fuel {

/// What a converter's options say about text.
struct TokenRules {
  enum class Level { Word, Character, Byte } level = Level::Word;
  bool lowerCase = false;
  std::string bos, eos, unk; ///< "": none.
  std::optional<int64_t> vocabularySize;
  int64_t leastCount = 1;
  enum class EmptyLines { Keep, Drop, Error } emptyLines = EmptyLines::Keep;
  std::optional<int64_t> maxLength; ///< Longer lines are left out.
  blocks::DType dtype = blocks::DType::Int64;

  /// The options, for a converter's table.
  static std::vector<ConverterOption> options(const std::string &emptyLines);
  explicit TokenRules(const ConvertOptions &options);
  TextLevel textLevel() const;
  std::string prepared(const std::string &line) const;
};

class Tokens {
public:
  /// UsageError if the dictionary lacks a special token that the rules name, or
  /// is too large for the element type.
  Tokens(const TokenRules &rules, Dictionary dictionary);

  /// Appends the line's numbers, and returns how many there were without those
  /// of begin and end. InputError naming `where` for an unknown token if none
  /// stands for it.
  int64_t encode(const std::string &line, std::vector<int64_t> &numbers,
                 const std::string &where) const;
  /// "" for bytes.
  const std::vector<std::string> &words() const { return list; }

private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::optional<int64_t> special(const std::string &token,
                                 const char *option) const;
  const TokenRules &rules;
  std::unordered_map<std::string, int64_t, Hash, std::equal_to<>> numbers;
  std::vector<std::string> list;
  std::optional<int64_t> bos, eos, unk;
};

/// The special tokens of the rules, which get the first numbers.
std::vector<std::string> specialTokens(const TokenRules &rules);

} // namespace fuel
