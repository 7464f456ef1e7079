// Data sets that are no HDF5 file: arrays in memory, sequences that the caller
// makes, text files with a dictionary, and Fuel's toy sets.
#pragma once

#include "fuel/DataStream.h"
#include "fuel/Dataset.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fuel {

//===-- In memory ---------------------------------------------------------===//

/// One source in memory. Fixed: an array with its axis of rows. Ragged: values
/// one after the other, and where each item lies.
struct HeldSource {
  std::string name;
  blocks::Array values;
  std::optional<RaggedItems> items;
  std::vector<std::string> axisLabels = {}; ///< May be empty.
};

/// Random access to arrays, which must have equally many rows. Only rows
/// [start, stop) exist; an absent stop means the end.
std::unique_ptr<Dataset>
makeIndexableDataset(std::vector<HeldSource> sources, int64_t start = 0,
                     std::optional<int64_t> stop = std::nullopt);

//===-- Sequences ---------------------------------------------------------===//

/// Gives the next value of one source, or false at the end.
using ExampleSource = std::function<bool(blocks::Array &)>;

/// A source of a sequence that can be walked again for every epoch.
struct IterableSource {
  /// Name, element type, shape of an example (-1 where it varies) and labels.
  SourceInfo info;
  /// Starts from the beginning. May return null if it can be walked only once:
  /// then the second epoch is an error.
  std::function<ExampleSource()> start;
  /// How many values there are, if known.
  std::optional<int64_t> length = std::nullopt;
};

/// The examples of sources walked side by side. Known lengths must agree; a
/// source that ends before the others is an error, and so is one that is
/// exhausted when an epoch starts though it delivered values before.
std::unique_ptr<DataStream>
makeIterableStream(std::vector<IterableSource> sources);

//===-- Text --------------------------------------------------------------===//

using Dictionary = std::map<std::string, int64_t>;
enum class TextLevel { Word, Character };

struct TextFileOptions {
  /// One after the other; ".gz" by contents.
  std::vector<std::string> files;
  Dictionary dictionary;
  /// Added around each line; nothing to add none.
  std::optional<std::string> bosToken = "<S>", eosToken = "</S>";
  /// Stands for what the dictionary lacks; without, that is an error.
  std::optional<std::string> unkToken = "<UNK>";
  TextLevel level = TextLevel::Word;
  /// Applied to each line, for example `lowerCase`.
  std::function<std::string(const std::string &)> preprocess = nullptr;
};

/// A line of text is an example: the numbers of its words (separated by white
/// space) or of its characters (of the line without surrounding white space, in
/// UTF-8). The one source is "features", i64, of one axis.
std::unique_ptr<DataStream> openTextFile(const TextFileOptions &options);

/// ASCII letters in lower case.
std::string lowerCase(const std::string &line);

struct VocabularyOptions {
  std::vector<std::string> files;
  TextLevel level = TextLevel::Word;
  /// At most so many words beside the special ones, the most frequent; among
  /// equally frequent ones, those first in the order of their bytes.
  std::optional<int64_t> size;
  int64_t leastCount = 1;
  /// Get the first numbers.
  std::vector<std::string> special = {"<S>", "</S>", "<UNK>"};
  std::function<std::string(const std::string &)> preprocess = nullptr;
};

/// The words of some files with the numbers that they get.
Dictionary buildVocabulary(const VocabularyOptions &options);
/// One word a line, in the order of the numbers.
void writeVocabulary(const std::string &path, const Dictionary &dictionary);
Dictionary readVocabulary(const std::string &path);

//===-- Toy sets ----------------------------------------------------------===//

struct SpiralOptions {
  int64_t examples = 1000, classes = 1;
  double cycles = 1, noise = 0;
  uint64_t seed = 1;
};
/// Points on spiral arms: features f32 (n, 2), position f64 (n), label i64 (n).
std::unique_ptr<Dataset> makeSpiral(const SpiralOptions &options);

struct SwissRollOptions {
  int64_t examples = 1000;
  double noise = 0;
  uint64_t seed = 1;
};
/// Points on a rolled sheet: features f32 (n, 3), position f32 (n, 2).
std::unique_ptr<Dataset> makeSwissRoll(const SwissRollOptions &options);

} // namespace fuel
