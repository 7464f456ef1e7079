// TextFile: lines of text as lists of numbers. See include/fuel/Datasets.h.
#include "blocks/Error.h"
#include "fuel/Datasets/SequenceStream.h"
#include "fuel/Datasets/TextLines.h"
#include "runtime/Base/Sha256.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <unordered_map>

namespace fuel {

namespace {
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

class TextFile : public SequenceStream {
public:
  explicit TextFile(const TextFileOptions &options);
  std::string fingerprint() const override;

protected:
  void rewind() override { lines.rewind(); }
  bool produce(Batch &batch) override;

private:
  std::optional<int64_t> special(const std::optional<std::string> &token,
                                 const char *option) const;
  int64_t numberOf(std::string_view token) const;

  TextFileOptions options;
  std::unordered_map<std::string, int64_t, TextHash, std::equal_to<>> numbers;
  std::optional<int64_t> bos, eos, unk;
  TextLines lines;
  std::string line;
  std::vector<int64_t> tokens;
};

TextFile::TextFile(const TextFileOptions &given)
    : options(given), numbers(given.dictionary.begin(), given.dictionary.end()),
      lines(given.files) {
  if (options.files.empty())
    throw blocks::UsageError("no text file was named");
  bos = special(options.bosToken, "begin of a sentence (bosToken)");
  eos = special(options.eosToken, "end of a sentence (eosToken)");
  unk = special(options.unkToken, "unknown words (unkToken)");
  infos.push_back({"features", blocks::DType::Int64, {-1}, {""}});
}

std::optional<int64_t>
TextFile::special(const std::optional<std::string> &token,
                  const char *option) const {
  if (!token)
    return std::nullopt;
  auto found = numbers.find(*token);
  if (found == numbers.end())
    throw blocks::UsageError("the dictionary lacks '" + *token +
                             "', which stands for the " + option +
                             "; add it, or choose none");
  return found->second;
}

int64_t TextFile::numberOf(std::string_view token) const {
  auto found = numbers.find(token);
  if (found != numbers.end())
    return found->second;
  if (unk)
    return *unk;
  throw blocks::InputError(lines.where() + ": '" + std::string(token) +
                           "' is not in the dictionary, and no token stands "
                           "for unknown ones");
}

bool TextFile::produce(Batch &batch) {
  if (!lines.next(line))
    return false;
  if (options.preprocess)
    line = options.preprocess(line);
  tokens.clear();
  if (bos)
    tokens.push_back(*bos);
  forEachToken(line, options.level, [this](std::string_view token) {
    tokens.push_back(numberOf(token));
  });
  if (eos)
    tokens.push_back(*eos);
  blocks::Array &out = batch.sources[0];
  out.resizeRows(blocks::DType::Int64, int64_t(tokens.size()), {});
  if (!tokens.empty())
    std::memcpy(out.data(), tokens.data(), out.bytes());
  return true;
}

std::string TextFile::fingerprint() const {
  blocks::Sha256 words;
  for (const auto &[word, number] : options.dictionary)
    words.update(word).update(" " + std::to_string(number) + "\n");
  std::string text = "text";
  for (const std::string &file : options.files) {
    std::error_code missing;
    text +=
        " bytes=" + std::to_string(std::filesystem::file_size(file, missing));
  }
  return text + " dictionary=" + words.hex().substr(0, 16) +
         (options.level == TextLevel::Word ? " words" : " characters");
}
} // namespace

std::unique_ptr<DataStream> openTextFile(const TextFileOptions &options) {
  return std::make_unique<TextFile>(options);
}

std::string lowerCase(const std::string &line) {
  std::string lower = line;
  for (char &c : lower)
    if (c >= 'A' && c <= 'Z')
      c = char(c - 'A' + 'a');
  return lower;
}

} // namespace fuel
