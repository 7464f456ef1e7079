// openStream: from a file and a few words to the stream that a training loop
// iterates over: dataset, iteration scheme, transformers, prefetching. The
// tools and the C++ API build their streams here.
#pragma once

#include "fuel/DataStream.h"
#include "fuel/Registry.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fuel {

struct StreamOptions {
  /// A file, or the name of a built-in data set or of a file in the data path
  /// (see BuiltInDatasets.h); a data set that is described, "spiral(classes=3)"
  /// (see Registry.h); or the address of a fuel-server, "tcp://host:port" (see
  /// Server.h), which uses of the rest only `transforms` and the prefetching.
  std::string file;
  /// A split, or several joined by "+": "train", "train+valid".
  std::string split = "train";
  /// In this order; empty: all that the splits provide, alphabetically.
  std::vector<std::string> sources;
  int64_t batchSize = 128;
  /// "shuffled", "sequential", or another of `schemeHelp`, with its options:
  /// "block_shuffled(block_size=1000)".
  std::string scheme = "shuffled";
  /// Seed of the shuffle; without, the configuration's default_seed (Config.h).
  std::optional<uint64_t> seed;
  /// Share `shard` of `shards` of the order, for several readers.
  int64_t shard = 0, shards = 1;
  /// If the shares are uneven: "keep", "drop" or "pad".
  std::string shardEnds = "keep";
  /// Prepare batches in threads of their own.
  bool prefetch = true;
  /// How many threads; batches do not depend on it.
  int64_t workers = 1;
  /// Batches prepared ahead, at least 1.
  int64_t prefetchDepth = 4;
  /// Files with the same sources that are joined to `file`, for the scheme
  /// "mixed".
  std::vector<std::string> moreFiles;
  /// Keep the order of splits by index (see Dataset.h).
  bool preserveOrder = false;
  /// Read the rows into memory once, instead of mapping the file.
  bool loadInMemory = false;
  /// Applied in this order: "scale_and_shift(scale=0.0039,shift=0)",
  /// "cast(dtype=f32,which=features)", "flatten".
  std::vector<std::string> transforms;
  /// Before those, the data set's own default transformers.
  bool defaultTransformers = false;
  /// Told about local copies (see Config.h); standard error if empty.
  std::function<void(const std::string &)> notice;
  /// For errors: where an option that came from a configuration stands, by its
  /// text ("flatten": "train.toml, line 7"); the configuration itself by "".
  std::map<std::string, std::string> places;
};

/// The schemes with their options, for a tool's help.
std::string schemeHelp();

/// Reads options from a TOML file: file, split, sources, batch_size, scheme,
/// seed, shard, shards, shard_ends, workers, prefetch_depth, preserve_order,
/// load_in_memory, default_transformers, more_files, and tables [[transform]]
/// with a name and its options. What the file does not say stays as it is.
/// Throws naming the file and the line.
void readStreamConfig(const std::string &path, StreamOptions &options);

/// Throws blocks::Error: UsageError for wrong options, the others for wrong
/// files, always naming what there is to choose from.
std::unique_ptr<DataStream> openStream(const StreamOptions &options);
/// The same with transformers of the caller's own.
std::unique_ptr<DataStream> openStream(const StreamOptions &options,
                                       const Registry &registry);

} // namespace fuel
