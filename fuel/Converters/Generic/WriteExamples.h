// WriteExamples: the common end of all generic converters: takes a reader for
// each split, divides what --split divides, shuffles, compresses, and writes
// one file, which appears when it is complete. Rows are never all in memory.
#pragma once

#include "fuel/Convert.h"
#include "fuel/Converters/Generic/ExampleReader.h"
#include "fuel/Converters/Generic/SplitPlan.h"

#include <set>

namespace fuel {

/// --split, --shuffle-seed and --compression, for a converter's table.
std::vector<ConverterOption> outputOptions();

struct OutputPlan {
  std::string path;
  SplitPlan division{"train"};
  bool divisionGiven = false;
  std::optional<uint64_t> shuffleSeed;
  std::optional<int> deflate; ///< Level of gzip.

  /// `name` is the result's if the options do not say otherwise.
  static OutputPlan of(const ConvertOptions &options, const std::string &name);
};

/// The examples of one split; "" is the part that --split divides.
struct SplitReader {
  std::string split;
  std::unique_ptr<ExampleReader> reader;
};

/// What goes with the examples.
struct Companions {
  /// Lists of strings in the file that are no sources: names of classes, words.
  std::map<std::string, std::vector<std::string>> texts;
  /// Files beside the data, by their ending ("vocabulary.txt").
  std::map<std::string, std::string> sideFiles;
  /// Ragged sources whose items are plain lists.
  std::set<std::string> withoutShapes;
};

/// Returns the path written. Sources of one name must be alike in all splits.
std::string writeExamples(const ConvertOptions &options, const OutputPlan &plan,
                          std::vector<SplitReader> readers,
                          const Companions &companions = {});

/// Path of a side file: "data/words.hdf5" and "vocabulary.txt" give
/// "data/words.vocabulary.txt".
std::string sideFilePath(const std::string &path, const std::string &ending);

} // namespace fuel
