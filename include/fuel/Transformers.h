// Transformers that take code: filters, mappings, sorting, and several streams
// at once. Those that options describe are made from text (Streams.h).
#pragma once

#include "fuel/Dataset.h"
#include "fuel/Layer.h"

#include <functional>
#include <string>
#include <vector>

namespace fuel {

/// Keeps the items (examples or whole batches) for which `keep` is true. It is
/// called for one item at a time, in order. `text` names it in errors and the
/// fingerprint.
std::unique_ptr<Layer> filterLayer(std::unique_ptr<Layer> inner,
                                   std::function<bool(const Batch &)> keep,
                                   std::string text = "filter");

/// Makes each item anew: `map` fills `out`, which has `sources`. With
/// `addSources` they are added to those there are. `map` may run for several
/// items at once.
using Mapping = std::function<void(const Batch &in, Batch &out)>;
std::unique_ptr<Layer> mappingLayer(std::unique_ptr<Layer> inner, Mapping map,
                                    std::vector<SourceInfo> sources,
                                    bool addSources = false,
                                    std::string text = "mapping");

/// The examples of each batch in increasing order of `key`, equal ones in the
/// order they came in; `reverse`: decreasing.
using SortKey = std::function<double(const Batch &batch, int64_t example)>;
std::unique_ptr<Layer> sortLayer(std::unique_ptr<Layer> inner, SortKey key,
                                 bool reverse = false,
                                 std::string text = "sort");

/// The sources of several streams side by side, renamed to `names` (none: as
/// they are). Ends with the first stream that ends.
std::unique_ptr<DataStream>
mergeStreams(std::vector<std::unique_ptr<DataStream>> streams,
             std::vector<std::string> names = {});

/// The rows of several data sets with the same sources, end to end.
std::unique_ptr<Dataset>
joinDatasets(std::vector<std::shared_ptr<const Dataset>> datasets);

} // namespace fuel
