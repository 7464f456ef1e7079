// Axis labels: the names of a source's axes ("batch", "channel" …), which HDF5
// keeps as dimension labels.
#pragma once

#include "runtime/Hdf5/Dataset.h"

namespace fuel {

/// One label per axis, "" where there is none.
std::vector<std::string> readAxisLabelsOf(const blocks::hdf5::Dataset &source);
void writeAxisLabels(blocks::hdf5::Dataset &source,
                     const std::vector<std::string> &labels);

} // namespace fuel
