// Statistics of a source over a data set, for the transformer `standardize`:
// computed once in a pass over the training set, and kept as a small JSON file.
#pragma once

#include "fuel/DataStream.h"

#include <cstdint>
#include <map>
#include <string>

namespace fuel {

struct Statistics {
  int64_t count = 0; ///< Elements.
  double mean = 0;
  double deviation = 1; ///< Of the elements, about their mean.
};

/// Of all numeric sources over one epoch of `stream`, by Chan's pairwise
/// update, batch by batch.
std::map<std::string, Statistics> computeStatistics(DataStream &stream);

/// Replaces `path` atomically.
void writeStatistics(const std::string &path,
                     const std::map<std::string, Statistics> &statistics);
/// InputError or IoError naming the file.
Statistics readStatistics(const std::string &path, const std::string &source);

} // namespace fuel
