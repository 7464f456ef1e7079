// SchemeOptions: schemes in their written form, for openStream.
#pragma once

#include "fuel/Dataset.h"
#include "fuel/IterationScheme.h"
#include "fuel/OpenStream.h"

namespace fuel {

/// UsageError if `options` name no scheme, or not its options.
void checkScheme(const StreamOptions &options);
/// `parts`: examples of each of the files that `dataset` joins.
std::unique_ptr<IterationScheme> makeScheme(const StreamOptions &options,
                                            const Dataset &dataset,
                                            const std::vector<int64_t> &parts);

} // namespace fuel
