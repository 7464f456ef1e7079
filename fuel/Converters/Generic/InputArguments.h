// InputArguments: which files a generic converter reads, and what each is for.
// A file is given by its place or after --train, --valid or --test; before its
// name may stand the split and, for arrays, the source that it becomes.
#pragma once

#include "fuel/Convert.h"

namespace fuel {

struct InputArgument {
  std::string split;  ///< "": to be divided by --split.
  std::string source; ///< "": not said.
  std::string path;
  std::string member; ///< Of an archive; "": not said.
};

/// What stands before a file's name.
enum class InputForm {
  Split,       ///< [SPLIT=]PATH
  SplitSource, ///< [SPLIT:][SOURCE=]PATH[:MEMBER]
  SplitPair,   ///< [SPLIT=]PATH[,PATH]; the second one becomes `member`.
};

/// `files` and --train, --valid, --test, for a converter's table.
std::vector<ConverterOption> inputOptions(const std::string &help);

/// In the order given, those without a split first. Relative paths start at
/// --directory. One InputError lists all that do not exist; UsageError if there
/// are none.
std::vector<InputArgument> inputArguments(const ConvertOptions &options,
                                          InputForm form);

/// The splits named, in the order in which they came; "" first.
std::vector<std::string> splitsOf(const std::vector<InputArgument> &arguments);

} // namespace fuel
