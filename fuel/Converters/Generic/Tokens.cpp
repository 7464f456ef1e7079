// Tokens: see Tokens.h.
#include "fuel/Converters/Generic/Tokens.h"

#include "blocks/Error.h"
#include "fuel/Converters/Generic/CastExamples.h"

#include <algorithm>

namespace fuel {

using blocks::DType;
using blocks::UsageError;

//===-- Options -----------------------------------------------------------===//

std::vector<ConverterOption>
TokenRules::options(const std::string &emptyLines) {
  ConverterOption level("level", "what becomes a number", "word");
  level.choices = {"word", "character", "byte"};
  ConverterOption lower("lower-case", "ASCII letters in lower case");
  lower.flag = true;
  ConverterOption empty("empty-lines",
                        "what happens to lines without any token",
                        emptyLines.c_str());
  empty.choices = {"keep", "drop", "error"};
  return {
      level,
      lower,
      ConverterOption("vocabulary-size",
                      "at most so many words beside the special ones, the most "
                      "frequent"),
      ConverterOption("min-count", "only words that occur so often", "1"),
      ConverterOption("bos", "token at the beginning of each line; '' for none",
                      "<S>"),
      ConverterOption("eos", "token at the end of each line; '' for none",
                      "</S>"),
      ConverterOption(
          "unk",
          "token for words that the vocabulary lacks; '' makes them "
          "an error",
          "<UNK>"),
      empty,
      ConverterOption("max-length", "leave out lines of more tokens"),
      ConverterOption("dtype", "element type of the numbers [int64; bytes "
                               "uint8]")};
}

static std::optional<int64_t> positive(const ConvertOptions &options,
                                       const std::string &name) {
  if (!options.has(name))
    return std::nullopt;
  int64_t value = options.integer(name);
  if (value < 1)
    throw UsageError("--" + name + " is " + std::to_string(value) +
                     "; expected at least 1");
  return value;
}

TokenRules::TokenRules(const ConvertOptions &options)
    : lowerCase(options.flag("lower-case")), bos(options.text("bos")),
      eos(options.text("eos")), unk(options.text("unk")),
      vocabularySize(positive(options, "vocabulary-size")),
      leastCount(positive(options, "min-count").value_or(1)),
      maxLength(positive(options, "max-length")) {
  std::string text = options.text("level");
  level = text == "byte"        ? Level::Byte
          : text == "character" ? Level::Character
                                : Level::Word;
  std::string empty = options.text("empty-lines");
  emptyLines = empty == "drop"    ? EmptyLines::Drop
               : empty == "error" ? EmptyLines::Error
                                  : EmptyLines::Keep;
  if (level == Level::Byte) {
    bos = eos = unk = "";
    dtype = DType::UInt8;
  }
  if (options.has("dtype"))
    dtype = elementTypeNamed(options.text("dtype"), "dtype");
  if (dtype == DType::Bool || dtype >= DType::Float16)
    throw UsageError("--dtype is '" + options.text("dtype") +
                     "'; expected a type of integers");
}

TextLevel TokenRules::textLevel() const {
  return level == Level::Word ? TextLevel::Word : TextLevel::Character;
}

std::string TokenRules::prepared(const std::string &line) const {
  return lowerCase ? fuel::lowerCase(line) : line;
}

std::vector<std::string> specialTokens(const TokenRules &rules) {
  std::vector<std::string> tokens;
  for (const std::string &token : {rules.bos, rules.eos, rules.unk})
    if (!token.empty() &&
        std::find(tokens.begin(), tokens.end(), token) == tokens.end())
      tokens.push_back(token);
  return tokens;
}

//===-- Numbers -----------------------------------------------------------===//

static int64_t largest(DType dtype) {
  size_t bits = 8 * blocks::dtypeSize(dtype);
  bool isSigned = dtype >= DType::Int8 && dtype <= DType::Int64;
  return bits == 64 ? INT64_MAX
                    : (int64_t(1) << (bits - (isSigned ? 1 : 0))) - 1;
}

Tokens::Tokens(const TokenRules &rules, Dictionary dictionary)
    : rules(rules), numbers(dictionary.begin(), dictionary.end()) {
  int64_t last = 255;
  if (rules.level != TokenRules::Level::Byte) {
    list = wordsOf(dictionary);
    last = int64_t(list.size()) - 1;
    bos = special(rules.bos, "bos");
    eos = special(rules.eos, "eos");
    unk = special(rules.unk, "unk");
  }
  if (last > largest(rules.dtype))
    throw UsageError("numbers up to " + std::to_string(last) +
                     " do not fit the element type " +
                     std::string(blocks::dtypeName(rules.dtype)) +
                     "; choose another with --dtype");
}

std::optional<int64_t> Tokens::special(const std::string &token,
                                       const char *option) const {
  if (token.empty())
    return std::nullopt;
  auto found = numbers.find(token);
  if (found == numbers.end())
    throw UsageError("the vocabulary lacks '" + token +
                     "'; name the token of "
                     "this vocabulary with --" +
                     option + ", or none: --" + option + " ''");
  return found->second;
}

int64_t Tokens::encode(const std::string &line, std::vector<int64_t> &out,
                       const std::string &where) const {
  size_t before = out.size();
  if (rules.level == TokenRules::Level::Byte) {
    for (unsigned char c : rules.prepared(line))
      out.push_back(c);
    return int64_t(out.size() - before);
  }
  if (bos)
    out.push_back(*bos);
  size_t first = out.size();
  forEachToken(rules.prepared(line), rules.textLevel(),
               [&](std::string_view token) {
                 auto found = numbers.find(token);
                 if (found == numbers.end() && !unk)
                   throw blocks::InputError(
                       where + ": '" + std::string(token) +
                       "' is not in the vocabulary, and --unk names no token "
                       "for such words");
                 out.push_back(found == numbers.end() ? *unk : found->second);
               });
  size_t last = out.size();
  if (eos)
    out.push_back(*eos);
  return int64_t(last - first);
}

} // namespace fuel
