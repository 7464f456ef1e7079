// The streams that openStream composes, for those who compose them otherwise:
// a dataset under a scheme, layers above any stream, and threads that work
// ahead of it. Compose before the first epoch: a stream given to one of these
// is consumed.
#pragma once

#include "fuel/DataStream.h"
#include "fuel/Dataset.h"
#include "fuel/IterationScheme.h"
#include "fuel/Layer.h"

#include <functional>

namespace fuel {

/// The batches (or examples) of `dataset` that `scheme` asks for.
std::unique_ptr<DataStream>
makeDatasetStream(std::shared_ptr<const Dataset> dataset,
                  std::unique_ptr<IterationScheme> scheme);

/// Prepares items of `stream` ahead in `count` threads, at most `depth` (or
/// `count`, if that is more). Delivers the same items, states and fingerprint
/// for any `count`; with 0, `next` makes them itself. States are those of
/// delivered items. An error is thrown by the `next` that would have
/// delivered.
std::unique_ptr<DataStream> withWorkers(std::unique_ptr<DataStream> stream,
                                        int64_t count, int64_t depth = 4);

/// `withWorkers` of one thread.
std::unique_ptr<DataStream> prefetch(std::unique_ptr<DataStream> stream,
                                     int64_t depth = 4);

/// Wraps `stream` into the transformer that `text` describes, for example
/// "cast(dtype=f32,which=features)". Throws UsageError.
std::unique_ptr<DataStream> transform(std::unique_ptr<DataStream> stream,
                                      const std::string &text);

/// Puts a layer above `stream`.
using MakeLayer = std::function<std::unique_ptr<Layer>(std::unique_ptr<Layer>)>;
std::unique_ptr<DataStream> addLayer(std::unique_ptr<DataStream> stream,
                                     const MakeLayer &make);

} // namespace fuel
