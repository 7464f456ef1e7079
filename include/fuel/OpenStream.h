// openStream: from a file and a few words to the stream that a training loop
// iterates over: dataset, iteration scheme, transformers, prefetching. The
// tools and the C++ API build their streams here.
#pragma once

#include "fuel/DataStream.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fuel {

struct StreamOptions {
  /// A file, or the address of a fuel-server, "tcp://host:port" (see Server.h);
  /// of the rest that uses `transforms` and the prefetching.
  std::string file;
  /// A split, or several joined by "+": "train", "train+valid".
  std::string split = "train";
  /// In this order; empty: all that the splits provide, alphabetically.
  std::vector<std::string> sources;
  int64_t batchSize = 128;
  /// "shuffled" or "sequential".
  std::string scheme = "shuffled";
  /// Seed of the shuffle.
  uint64_t seed = 1;
  /// Prepare batches in a thread of their own.
  bool prefetch = true;
  /// Batches prepared ahead, at least 1.
  int64_t prefetchDepth = 4;
  /// Read the rows into memory once, instead of mapping the file.
  bool loadInMemory = false;
  /// Applied in this order: "scale_and_shift(scale=0.0039,shift=0)",
  /// "cast(dtype=f32,which=features)", "flatten".
  std::vector<std::string> transforms;
};

/// Throws blocks::Error: UsageError for wrong options, the others for wrong
/// files, always naming what there is to choose from.
std::unique_ptr<DataStream> openStream(const StreamOptions &options);

} // namespace fuel
