// The converters `idx`, `npy` and `npz`: arrays of files as sources.
// `train:features=images.gz` says split, source and file; a source's name is
// otherwise the file's, or that of the array in its archive.
#include "fuel/Converters/Generic/ArrayExamples.h"
#include "fuel/Converters/Generic/CastExamples.h"
#include "fuel/Converters/Generic/Generic.h"
#include "fuel/Converters/Generic/InputArguments.h"
#include "fuel/Converters/Generic/WriteExamples.h"
#include "fuel/Converters/Idx.h"
#include "fuel/Converters/Npy.h"

#include "blocks/Error.h"

#include <algorithm>
#include <filesystem>

namespace fuel {

namespace fs = std::filesystem;

namespace {
using Open = std::function<std::unique_ptr<ArrayFile>(const InputArgument &)>;

/// "images.npy", "images-idx3-ubyte.gz": without what comes after the point.
std::string stemOf(const std::string &path) {
  fs::path name = fs::path(path).filename();
  if (name.extension() == ".gz")
    name = name.stem();
  return name.stem().string();
}

/// An archive of which no array is named stands for all of them.
std::vector<InputArgument> expandArchives(std::vector<InputArgument> given) {
  std::vector<InputArgument> all;
  for (InputArgument &argument : given) {
    if (!argument.member.empty() || !isNpz(argument.path)) {
      all.push_back(std::move(argument));
      continue;
    }
    std::vector<std::string> names = npzNames(argument.path);
    if (names.empty())
      throw blocks::InputError("'" + argument.path + "' holds no array");
    if (!argument.source.empty() && names.size() > 1)
      throw blocks::UsageError(
          "source '" + argument.source + "' cannot be all of '" +
          argument.path + "', which holds " + std::to_string(names.size()) +
          " arrays; name one: " + argument.source + "=" + argument.path + ":" +
          names.front());
    for (const std::string &name : names) {
      all.push_back(argument);
      all.back().member = name;
    }
  }
  return all;
}

std::string sourceName(const InputArgument &argument) {
  if (!argument.source.empty())
    return argument.source;
  std::string name =
      argument.member.empty() ? stemOf(argument.path) : argument.member;
  // A path inside an archive would be one in the file.
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

std::unique_ptr<ExampleReader>
readSplit(const std::vector<InputArgument> &arguments, const std::string &split,
          const Open &open, const AxisNames &axes) {
  std::vector<ArraySource> sources;
  for (const InputArgument &argument : arguments) {
    if (argument.split != split)
      continue;
    std::string name = sourceName(argument);
    auto known =
        std::find_if(sources.begin(), sources.end(),
                     [&](auto &source) { return source.name == name; });
    if (known == sources.end())
      known = sources.insert(sources.end(), {name, {}});
    known->files.push_back(open(argument));
  }
  return readArrays(std::move(sources), axes);
}

std::string convertArrays(const ConvertOptions &options,
                          const std::vector<InputArgument> &arguments,
                          const Open &open) {
  OutputPlan plan = OutputPlan::of(options, "data");
  AxisNames axes(options.list("axes"));
  ElementTypes types(options.list("dtype"));
  std::vector<SplitReader> readers;
  std::vector<SourceInfo> all;
  for (const std::string &split : splitsOf(arguments)) {
    auto reader = readSplit(arguments, split, open, axes);
    all.insert(all.end(), reader->sources().begin(), reader->sources().end());
    readers.push_back(
        {split,
         castExamples(std::move(reader), types,
                      split.empty() ? "the input" : "split '" + split + "'")});
  }
  axes.check(all);
  types.check(all);
  return writeExamples(options, plan, std::move(readers));
}

std::string convertIdx(const ConvertOptions &options) {
  return convertArrays(options, inputArguments(options, InputForm::SplitSource),
                       [](const InputArgument &argument) {
                         if (!argument.member.empty())
                           throw blocks::UsageError(
                               "'" + argument.path + ":" + argument.member +
                               "' names a part of a file; an IDX file is one "
                               "array");
                         return openIdx(argument.path);
                       });
}

std::string convertNpy(const ConvertOptions &options) {
  fs::path folder = options.outputDirectory;
  return convertArrays(
      options, expandArchives(inputArguments(options, InputForm::SplitSource)),
      [&](const InputArgument &argument) {
        return openNpy(argument.path, argument.member, folder.string());
      });
}

Converter arrayConverter(const std::string &name, const std::string &summary,
                         const std::string &help,
                         std::string (*convert)(const ConvertOptions &)) {
  Converter converter;
  converter.name = name;
  converter.summary = summary;
  converter.outputName = "data";
  converter.options = inputOptions(help);
  for (ConverterOption &option : outputOptions())
    converter.options.push_back(std::move(option));
  converter.options.push_back(ElementTypes::option());
  converter.options.push_back(AxisNames::option());
  converter.convert = convert;
  return converter;
}

constexpr const char *npyHelp =
    "arrays, as [SPLIT:][SOURCE=]FILE.npy or "
    "[SPLIT:][SOURCE=]FILE.npz[:ARRAY]; without ARRAY all of the archive";
} // namespace

Converter idxConverter() {
  return arrayConverter(
      "idx",
      "IDX files (as of MNIST) of any element type and rank, gzipped or "
      "not",
      "files, as [SPLIT:][SOURCE=]FILE", convertIdx);
}

Converter npyConverter() {
  return arrayConverter("npy",
                        "NumPy's arrays, in .npy files and .npz archives",
                        npyHelp, convertNpy);
}

Converter npzConverter() {
  return arrayConverter("npz", "the same as npy", npyHelp, convertNpy);
}

} // namespace fuel
