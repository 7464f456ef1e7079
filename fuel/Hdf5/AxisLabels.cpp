// Axis labels: see AxisLabels.h.
#include "fuel/Hdf5/AxisLabels.h"

namespace fuel {

static const char attributeName[] = "DIMENSION_LABELS";

std::vector<std::string> readAxisLabelsOf(const blocks::hdf5::Dataset &source) {
  std::vector<std::string> labels;
  if (source.hasAttribute(attributeName))
    labels = source.readStrings(attributeName);
  labels.resize(source.shape().size());
  return labels;
}

void writeAxisLabels(blocks::hdf5::Dataset &source,
                     const std::vector<std::string> &labels) {
  source.writeStrings(attributeName, labels);
}

} // namespace fuel
