// The converters `text` and `parallel-text`: lines of text files as sequences
// of numbers, and pairs of such lines in two languages. Vocabularies are given,
// or made of the files to be divided, else of those of 'train'.
#include "fuel/Converters/Generic/AxisNames.h"
#include "fuel/Converters/Generic/Generic.h"
#include "fuel/Converters/Generic/InputArguments.h"
#include "fuel/Converters/Generic/TextExamples.h"
#include "fuel/Converters/Generic/WriteExamples.h"

#include "blocks/Error.h"

#include <algorithm>

namespace fuel {

using blocks::UsageError;

namespace {
using OpenLines =
    std::function<std::unique_ptr<LineReader>(const std::string &split)>;

/// What is common to both: sources with their vocabularies.
struct TextPlan {
  TokenRules rules;
  std::vector<std::string> names;        ///< Of the sources.
  std::vector<std::string> vocabularies; ///< Paths; "" to build one.
  std::vector<std::string> splits;
  OpenLines open;
};

/// Words are counted where the model will learn.
const std::string &countedSplit(const std::vector<std::string> &splits) {
  auto train = std::find(splits.begin(), splits.end(), "train");
  if (splits.front().empty() || train == splits.end())
    return splits.front();
  return *train;
}

std::vector<TextSource> makeTokens(const TextPlan &plan, Progress *progress) {
  bool bytes = plan.rules.level == TokenRules::Level::Byte;
  bool build =
      !bytes && std::any_of(plan.vocabularies.begin(), plan.vocabularies.end(),
                            [](auto &path) { return path.empty(); });
  std::vector<Dictionary> built(plan.names.size());
  if (build) {
    ProgressTask task(progress, "counting words", -1);
    built = buildVocabularies(*plan.open(countedSplit(plan.splits)),
                              plan.names.size(), plan.rules);
  }
  std::vector<TextSource> sources;
  for (size_t i = 0; i < plan.names.size(); ++i) {
    if (bytes && !plan.vocabularies[i].empty())
      throw UsageError("bytes need no vocabulary; choose --level word or "
                       "character, or give none");
    Dictionary words = plan.vocabularies[i].empty()
                           ? std::move(built[i])
                           : readVocabulary(plan.vocabularies[i]);
    sources.push_back({plan.names[i], std::make_shared<const Tokens>(
                                          plan.rules, std::move(words))});
  }
  return sources;
}

std::string writeTexts(const ConvertOptions &options, const TextPlan &plan,
                       const std::string &output) {
  OutputPlan written = OutputPlan::of(options, output);
  std::vector<TextSource> sources = makeTokens(plan, options.progress);
  std::vector<SplitReader> readers;
  for (const std::string &split : plan.splits)
    readers.push_back(
        {split, readTexts(plan.open(split), sources, plan.rules)});
  Companions companions;
  for (const TextSource &source : sources) {
    if (source.tokens->words().empty())
      continue;
    std::string name = (sources.size() > 1 ? source.name + "_" : "") +
                       std::string("vocabulary");
    companions.texts[name] = source.tokens->words();
    std::string lines;
    for (const std::string &word : source.tokens->words())
      lines += word + "\n";
    companions.sideFiles[name + ".txt"] = std::move(lines);
  }
  return writeExamples(options, written, std::move(readers), companions);
}

//===-- text --------------------------------------------------------------===//

std::string convertText(const ConvertOptions &options) {
  auto arguments = inputArguments(options, InputForm::Split);
  TextPlan plan{TokenRules(options),
                {options.text("source")},
                {options.text("vocabulary")},
                splitsOf(arguments),
                [&](const std::string &split) {
                  std::vector<std::string> files;
                  for (const InputArgument &argument : arguments)
                    if (argument.split == split)
                      files.push_back(argument.path);
                  return readLines(std::move(files));
                }};
  return writeTexts(options, plan, "text");
}

//===-- parallel-text -----------------------------------------------------===//

/// Fields of a line, from 0.
std::pair<size_t, size_t> fieldsOf(const std::string &text) {
  std::vector<std::string> parts = splitText(text, ',');
  auto number = [&](const std::string &part) -> size_t {
    if (part.empty() || part.size() > 4 ||
        part.find_first_not_of("0123456789") != std::string::npos ||
        std::stoul(part) == 0)
      throw UsageError("--columns is '" + text +
                       "'; expected two numbers from 1, as in 1,2");
    return std::stoul(part) - 1;
  };
  if (parts.size() != 2)
    number("");
  return {number(parts[0]), number(parts[1])};
}

std::vector<std::string> sourceNames(const std::string &text) {
  std::vector<std::string> names = splitText(text, ',');
  if (names.size() != 2 || names[0].empty() || names[1].empty() ||
      names[0] == names[1])
    throw UsageError("--names is '" + text +
                     "'; expected two different names, as in source,target");
  return names;
}

/// Two plain files given by their places are one pair.
std::vector<InputArgument> pairsOf(const ConvertOptions &options) {
  auto arguments = inputArguments(options, InputForm::SplitPair);
  if (arguments.size() >= 2 && arguments[0].split.empty() &&
      arguments[1].split.empty() && arguments[0].member.empty() &&
      arguments[1].member.empty() &&
      (arguments.size() == 2 || !arguments[2].split.empty())) {
    arguments[0].member = arguments[1].path;
    arguments.erase(arguments.begin() + 1);
  }
  return arguments;
}

std::string convertParallelText(const ConvertOptions &options) {
  auto arguments = pairsOf(options);
  auto fields = fieldsOf(options.text("columns"));
  TextPlan plan{
      TokenRules(options),
      sourceNames(options.text("names")),
      {options.text("source-vocabulary"), options.text("target-vocabulary")},
      splitsOf(arguments),
      [&](const std::string &split) {
        std::vector<std::function<std::unique_ptr<LineReader>()>> readers;
        for (const InputArgument &argument : arguments)
          if (argument.split == split)
            readers.push_back([argument, fields] {
              return argument.member.empty()
                         ? readTwoFields(argument.path, fields.first,
                                         fields.second)
                         : readTwoFiles(argument.path, argument.member);
            });
        return readAll(std::move(readers));
      }};
  return writeTexts(options, plan, "parallel_text");
}

void complete(Converter &converter, const std::string &emptyLines) {
  for (ConverterOption &option : TokenRules::options(emptyLines))
    converter.options.push_back(std::move(option));
  for (ConverterOption &option : outputOptions())
    if (option.name != "compression") // Of no use for ragged sources.
      converter.options.push_back(std::move(option));
}
} // namespace

Converter textConverter() {
  Converter converter;
  converter.name = converter.outputName = "text";
  converter.summary =
      "text files as sequences of word, character or byte numbers, line by "
      "line, with a vocabulary";
  converter.options = inputOptions("files, as [SPLIT=]FILE; plain or gzip");
  converter.options.push_back(
      ConverterOption("source", "name of the source", "features"));
  converter.options.push_back(ConverterOption(
      "vocabulary", "file of words, one a line; otherwise one is made of the "
                    "files to be divided, or of those of 'train'"));
  complete(converter, "keep");
  converter.convert = convertText;
  return converter;
}

Converter parallelTextConverter() {
  Converter converter;
  converter.name = "parallel-text";
  converter.outputName = "parallel_text";
  converter.summary = "lines in two languages, from two files or from two "
                      "columns of a file, with two vocabularies";
  converter.options = inputOptions(
      "two files, line by line; or any number of [SPLIT=]FILE,FILE and of "
      "[SPLIT=]FILE with tabs; plain or gzip");
  for (const ConverterOption &option :
       {ConverterOption("names", "names of the two sources", "source,target"),
        ConverterOption("columns", "of files with tabs: the two fields", "1,2"),
        ConverterOption("source-vocabulary",
                        "file of words, one a line; otherwise one is made"),
        ConverterOption("target-vocabulary",
                        "the same for the other language")})
    converter.options.push_back(option);
  complete(converter, "error");
  converter.convert = convertParallelText;
  return converter;
}

} // namespace fuel
