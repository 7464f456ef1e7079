// The streams that openStream composes, for those who compose them otherwise:
// a dataset under a scheme, and a thread that works ahead of any stream.
#pragma once

#include "fuel/DataStream.h"
#include "fuel/Dataset.h"
#include "fuel/IterationScheme.h"

namespace fuel {

/// The batches (or examples) of `dataset` that `scheme` asks for.
std::unique_ptr<DataStream>
makeDatasetStream(std::shared_ptr<const Dataset> dataset,
                  std::unique_ptr<IterationScheme> scheme);

/// Prepares up to `depth` items of `stream`, which is one of this header's,
/// ahead in a thread. Delivers the
/// same items, states and fingerprint; states are those of delivered items. An
/// error of `stream` is thrown by the `next` that would have delivered.
std::unique_ptr<DataStream> prefetch(std::unique_ptr<DataStream> stream,
                                     int64_t depth = 4);

/// Wraps `stream` into the transformer that `text` describes, for example
/// "cast(dtype=f32,which=features)". Throws UsageError.
std::unique_ptr<DataStream> transform(std::unique_ptr<DataStream> stream,
                                      const std::string &text);

} // namespace fuel
