// Scales: datasets attached to an axis of another one. Fuel keeps the shapes of
// ragged items and the labels of their axes so, under the names `shapes` and
// `shape_labels`. Written as HDF5's high-level library does.
#pragma once

#include "runtime/Hdf5/Group.h"

namespace fuel {

/// Makes `dataset` a scale called `name`.
void makeScale(blocks::hdf5::Dataset &dataset, const std::string &name);
/// Attaches scales to one axis of the dataset `source`; both ends say so.
void attachScales(blocks::hdf5::Group &root, const std::string &source,
                  int axis, const std::vector<std::string> &scales);

} // namespace fuel
