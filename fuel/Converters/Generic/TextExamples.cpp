// TextExamples: see TextExamples.h.
#include "fuel/Converters/Generic/TextExamples.h"

#include "blocks/Error.h"
#include "fuel/Converters/Generic/AxisNames.h"
#include "fuel/Transformers/Elements.h"

#include <cstring>

namespace fuel {

using blocks::DType;
using blocks::InputError;

//===-- Lines -------------------------------------------------------------===//

namespace {
/// A line is an example, which must be held in memory.
constexpr size_t longestLine = size_t(1) << 28;

class OneText : public LineReader {
public:
  explicit OneText(std::vector<std::string> files)
      : text(std::move(files), longestLine) {}
  bool next(std::vector<std::string> &lines) override {
    lines.resize(1);
    return text.next(lines[0]);
  }
  std::string where(size_t) const override { return text.where(); }

private:
  TextLines text;
};

class TwoFiles : public LineReader {
public:
  TwoFiles(const std::string &first, const std::string &second)
      : names{first, second}, texts{TextLines({first}, longestLine),
                                    TextLines({second}, longestLine)} {}
  bool next(std::vector<std::string> &lines) override {
    lines.resize(2);
    bool first = texts[0].next(lines[0]), second = texts[1].next(lines[1]);
    if (first != second)
      throw InputError("'" + names[first ? 1 : 0] + "' ends after " +
                       std::to_string(count) + " lines, but '" +
                       names[first ? 0 : 1] +
                       "' goes on; expected a line for each line of the other");
    ++count;
    return first;
  }
  std::string where(size_t source) const override {
    return texts[source].where();
  }

private:
  std::string names[2];
  TextLines texts[2];
  int64_t count = 0;
};

class TwoFields : public LineReader {
public:
  TwoFields(const std::string &file, size_t first, size_t second)
      : text({file}, longestLine), chosen{first, second} {}
  bool next(std::vector<std::string> &lines) override {
    std::string line;
    if (!text.next(line))
      return false;
    std::vector<std::string> fields = splitText(line, '\t');
    lines.resize(2);
    for (size_t i = 0; i < 2; ++i) {
      if (chosen[i] >= fields.size())
        throw InputError(
            text.where() + ": the line has " + std::to_string(fields.size()) +
            " fields; expected at least " + std::to_string(chosen[i] + 1) +
            ", divided by tabs (see --columns)");
      lines[i] = std::move(fields[chosen[i]]);
    }
    return true;
  }
  std::string where(size_t source) const override {
    return text.where() + ", field " + std::to_string(chosen[source] + 1);
  }

private:
  TextLines text;
  size_t chosen[2];
};

class InTurn : public LineReader {
public:
  using Open = std::function<std::unique_ptr<LineReader>()>;
  explicit InTurn(std::vector<Open> readers) : readers(std::move(readers)) {}
  bool next(std::vector<std::string> &lines) override {
    for (;; current.reset()) {
      if (!current && at == readers.size())
        return false;
      if (!current)
        current = readers[at++]();
      if (current->next(lines))
        return true;
    }
  }
  std::string where(size_t source) const override {
    return current->where(source);
  }

private:
  std::vector<Open> readers;
  size_t at = 0;
  std::unique_ptr<LineReader> current;
};
} // namespace

std::unique_ptr<LineReader> readLines(std::vector<std::string> files) {
  return std::make_unique<OneText>(std::move(files));
}

std::unique_ptr<LineReader> readTwoFiles(const std::string &first,
                                         const std::string &second) {
  return std::make_unique<TwoFiles>(first, second);
}

std::unique_ptr<LineReader> readTwoFields(const std::string &file, size_t first,
                                          size_t second) {
  return std::make_unique<TwoFields>(file, first, second);
}

std::unique_ptr<LineReader> readAll(std::vector<InTurn::Open> readers) {
  return std::make_unique<InTurn>(std::move(readers));
}

std::vector<Dictionary> buildVocabularies(LineReader &lines, size_t sources,
                                          const TokenRules &rules) {
  std::vector<TokenCounts> counts(sources, TokenCounts(rules.textLevel()));
  for (std::vector<std::string> texts; lines.next(texts);)
    for (size_t i = 0; i < sources; ++i)
      counts[i].add(rules.prepared(texts[i]));
  std::vector<Dictionary> dictionaries;
  for (TokenCounts &count : counts)
    dictionaries.push_back(count.dictionary(
        rules.vocabularySize, rules.leastCount, specialTokens(rules)));
  return dictionaries;
}

//===-- Examples ----------------------------------------------------------===//

namespace {
class TextExamples : public ExampleReader {
public:
  TextExamples(std::unique_ptr<LineReader> lines,
               std::vector<TextSource> sources, const TokenRules &rules)
      : lines(std::move(lines)), texts(std::move(sources)), rules(rules),
        numbers(texts.size()), lengths(texts.size()) {
    for (const TextSource &text : texts) {
      infos.push_back({text.name, rules.dtype, {-1, -1}, {"batch", "time"}});
      infos.back().ragged = true;
    }
  }
  const std::vector<SourceInfo> &sources() const override { return infos; }

  std::string remark() const override {
    std::string text;
    if (empty)
      text = std::to_string(empty) + " empty lines left out";
    if (tooLong)
      text += (text.empty() ? "" : ", ") + std::to_string(tooLong) +
              " lines of more than " + std::to_string(*rules.maxLength) +
              " tokens left out";
    return text;
  }

  bool next(Batch &batch) override {
    for (size_t i = 0; i < texts.size(); ++i) {
      numbers[i].clear();
      lengths[i].clear();
    }
    size_t total = 0;
    int64_t count = 0;
    while (count < mostLines && total < mostNumbers && lines->next(line))
      if (keep(total))
        ++count;
    batch.resize(texts.size());
    batch.examples = count;
    for (size_t i = 0; i < texts.size(); ++i)
      give(i, batch.sources[i], batch.items[i]);
    return count > 0;
  }

private:
  static constexpr int64_t mostLines = 4096;
  static constexpr size_t mostNumbers = size_t(1) << 19;

  /// Encodes the lines of an example, unless one of them leaves it out.
  bool keep(size_t &total) {
    std::vector<size_t> before;
    bool good = true;
    for (size_t i = 0; i < texts.size(); ++i) {
      before.push_back(numbers[i].size());
      int64_t length =
          texts[i].tokens->encode(line[i], numbers[i], lines->where(i));
      good = good && accept(i, length);
    }
    for (size_t i = 0; i < texts.size(); ++i) {
      if (!good)
        numbers[i].resize(before[i]);
      else
        lengths[i].push_back(int64_t(numbers[i].size() - before[i]));
      total += numbers[i].size() - before[i];
    }
    return good;
  }

  bool accept(size_t source, int64_t length) {
    if (length == 0 && rules.emptyLines == TokenRules::EmptyLines::Error)
      throw InputError(lines->where(source) +
                       ": the line is empty; --empty-lines drop leaves such "
                       "lines out, keep keeps them");
    if (length == 0 && rules.emptyLines == TokenRules::EmptyLines::Drop) {
      ++empty;
      return false;
    }
    bool fits = !rules.maxLength || length <= *rules.maxLength;
    tooLong += !fits;
    return fits;
  }

  void give(size_t source, blocks::Array &out, RaggedItems &items) {
    items.clear(1);
    for (int64_t length : lengths[source])
      items.append(std::span(&length, 1));
    wide.resizeRows(DType::Int64, int64_t(numbers[source].size()), {});
    if (wide.bytes())
      std::memcpy(wide.data(), numbers[source].data(), wide.bytes());
    castElements(wide, rules.dtype, out); // Their largest was checked.
  }

  std::unique_ptr<LineReader> lines;
  std::vector<TextSource> texts;
  const TokenRules &rules;
  std::vector<SourceInfo> infos;
  std::vector<std::string> line;
  std::vector<std::vector<int64_t>> numbers, lengths;
  blocks::Array wide;
  int64_t empty = 0, tooLong = 0;
};
} // namespace

std::unique_ptr<ExampleReader> readTexts(std::unique_ptr<LineReader> lines,
                                         std::vector<TextSource> sources,
                                         const TokenRules &rules) {
  return std::make_unique<TextExamples>(std::move(lines), std::move(sources),
                                        rules);
}

} // namespace fuel
