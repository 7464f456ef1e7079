// DataOptions: where batches come from: --data and what belongs to it, as one
// description of a stream that training, evaluation and bench complete with
// their splits.
#pragma once

#include "blocks/Program.h"
#include "fuel/OpenStream.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace blocks::cli {

struct DataOptions {
  /// A Fuel file, the address of a fuel-server, or a TOML file (by its ending)
  /// that describes a pipeline.
  std::string file;
  std::optional<int64_t> batchSize, workers, prefetchDepth;
  bool defaultTransformers = false, noPrefetch = false;
  std::vector<std::string> sources, transforms;

  void addTo(CLI::App &command, bool required);
  /// What the options say, over what the pipeline's file says. `seed` is that
  /// of the order, unless the file has one of its own.
  fuel::StreamOptions describe(uint64_t seed) const;
};

/// Opens the stream for an entry, whose sources are read if the description
/// names none, and checks that types and shapes are those that it expects.
std::unique_ptr<fuel::DataStream> openFor(const EntrySpec &entry,
                                          fuel::StreamOptions options);
/// The same split by split, in order, for evaluation.
fuel::StreamOptions forEvaluation(fuel::StreamOptions options,
                                  const std::string &split);

/// The check of an option that names a scheme.
CLI::Validator schemeText();

} // namespace blocks::cli
