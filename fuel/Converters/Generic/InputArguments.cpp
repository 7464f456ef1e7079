// InputArguments: see InputArguments.h.
#include "fuel/Converters/Generic/InputArguments.h"

#include "blocks/Error.h"

#include <algorithm>
#include <filesystem>

namespace fuel {

namespace fs = std::filesystem;

static constexpr const char *namedSplits[] = {"train", "valid", "test"};

std::vector<ConverterOption> inputOptions(const std::string &help) {
  ConverterOption files;
  files.name = "files";
  files.help = help;
  files.positional = files.repeated = true;
  std::vector<ConverterOption> options = {files};
  for (const char *split : namedSplits) {
    ConverterOption named;
    named.name = split;
    named.help = "a file of the split '" + std::string(split) + "'";
    named.repeated = true;
    options.push_back(named);
  }
  return options;
}

namespace {
class Parser {
public:
  Parser(std::string directory, InputForm form)
      : directory(std::move(directory)), form(form) {}

  InputArgument parse(const std::string &text, const std::string &split) {
    InputArgument argument;
    argument.split = split;
    if (!place(text, argument))
      parseNames(text, argument);
    return argument;
  }
  std::vector<std::string> missing;

private:
  std::string resolve(const std::string &path) const {
    return (fs::path(directory) / path).lexically_normal().string();
  }
  bool exists(const std::string &path) const {
    std::error_code unknown;
    fs::file_status found = fs::status(resolve(path), unknown);
    return !path.empty() && fs::exists(found) &&
           !(form == InputForm::SplitSource && fs::is_directory(found));
  }

  /// Whether `text` is all of a path, perhaps with a member or a second path.
  bool place(const std::string &text, InputArgument &argument) const {
    size_t end = exists(text) ? text.size() : std::string::npos;
    char mark = form == InputForm::SplitPair ? ',' : ':';
    if (end == std::string::npos && form != InputForm::Split)
      end = text.rfind(mark);
    if (end == std::string::npos || !exists(text.substr(0, end)))
      return false;
    std::string rest = end < text.size() ? text.substr(end + 1) : "";
    if (form == InputForm::SplitPair && !rest.empty()) {
      if (!exists(rest))
        return false;
      rest = resolve(rest);
    }
    argument.path = resolve(text.substr(0, end));
    argument.member = rest;
    return true;
  }

  /// "SPLIT=…", or "SPLIT:SOURCE=…", "SOURCE=…" and "SPLIT:…".
  void parseNames(const std::string &text, InputArgument &argument) {
    size_t equals = text.find('=');
    std::string names = text.substr(0, equals), path = text;
    if (equals != std::string::npos)
      path = text.substr(equals + 1);
    if (form != InputForm::SplitSource) {
      if (equals != std::string::npos)
        setSplit(names, text, argument);
    } else {
      size_t colon = names.find(':');
      if (colon != std::string::npos)
        setSplit(names.substr(0, colon), text, argument);
      if (equals == std::string::npos)
        path = colon == std::string::npos ? text : text.substr(colon + 1);
      else
        argument.source = names.substr(colon + 1); // npos + 1 is 0.
    }
    if (!place(path, argument))
      addMissing(path);
  }

  void addMissing(const std::string &path) {
    if (form != InputForm::SplitPair || exists(path) ||
        path.find(',') == std::string::npos)
      return missing.push_back(resolve(path));
    for (size_t comma = path.find(',');
         const std::string &part :
         {path.substr(0, comma), path.substr(comma + 1)})
      if (!exists(part))
        missing.push_back(resolve(part));
  }

  void setSplit(const std::string &name, const std::string &text,
                InputArgument &argument) const {
    if (name.empty() || name.find('/') != std::string::npos)
      throw blocks::UsageError("'" + text + "' is neither a file in '" +
                               directory + "' nor a split's name and a file");
    if (!argument.split.empty() && argument.split != name)
      throw blocks::UsageError("'" + text + "' after --" + argument.split +
                               " names another split, '" + name + "'");
    argument.split = name;
  }

  std::string directory;
  InputForm form;
};
} // namespace

std::vector<InputArgument> inputArguments(const ConvertOptions &options,
                                          InputForm form) {
  Parser parser(options.directory, form);
  std::vector<InputArgument> arguments;
  for (const std::string &text : options.list("files"))
    arguments.push_back(parser.parse(text, ""));
  for (const char *split : namedSplits)
    for (const std::string &text : options.list(split))
      arguments.push_back(parser.parse(text, split));
  std::string list;
  for (const std::string &path : parser.missing)
    list += (list.empty() ? "'" : ", '") + path + "'";
  if (!list.empty())
    throw blocks::InputError("there is no " + list +
                             "; name existing files, and the folder that "
                             "relative ones start at with --directory");
  if (arguments.empty())
    throw blocks::UsageError("no file was named; name some by their place, or "
                             "after --train, --valid and --test");
  std::vector<InputArgument> sorted;
  for (bool named : {false, true})
    for (const InputArgument &argument : arguments)
      if (argument.split.empty() != named)
        sorted.push_back(argument);
  return sorted;
}

std::vector<std::string> splitsOf(const std::vector<InputArgument> &arguments) {
  std::vector<std::string> splits;
  for (const InputArgument &argument : arguments)
    if (std::find(splits.begin(), splits.end(), argument.split) == splits.end())
      splits.push_back(argument.split);
  return splits;
}

} // namespace fuel
