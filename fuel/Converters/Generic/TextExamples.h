// TextExamples: lines of text as examples, one or several lines (of as many
// languages) each: every line becomes a ragged source of numbers.
#pragma once

#include "fuel/Converters/Generic/ExampleReader.h"
#include "fuel/Converters/Generic/Tokens.h"

#include <functional>

namespace fuel {

/// One text of each example.
struct TextSource {
  std::string name;
  std::shared_ptr<const Tokens> tokens;
};

/// Where the lines come from, in step.
class LineReader {
public:
  virtual ~LineReader() = default;
  /// As many lines as there are sources; false at the end.
  virtual bool next(std::vector<std::string> &lines) = 0;
  /// "'file', line 3", of one of the lines.
  virtual std::string where(size_t source) const = 0;
};

/// Files one after the other.
std::unique_ptr<LineReader> readLines(std::vector<std::string> files);
/// Two files line by line. InputError naming both if one has more lines.
std::unique_ptr<LineReader> readTwoFiles(const std::string &first,
                                         const std::string &second);
/// Two fields (from 0) of lines that tabs divide.
std::unique_ptr<LineReader> readTwoFields(const std::string &file, size_t first,
                                          size_t second);
/// Several one after the other.
std::unique_ptr<LineReader>
readAll(std::vector<std::function<std::unique_ptr<LineReader>()>> readers);

std::unique_ptr<ExampleReader> readTexts(std::unique_ptr<LineReader> lines,
                                         std::vector<TextSource> sources,
                                         const TokenRules &rules);

/// Builds a vocabulary for each source.
std::vector<Dictionary> buildVocabularies(LineReader &lines, size_t sources,
                                          const TokenRules &rules);

} // namespace fuel
