// AxisNames: see AxisNames.h.
#include "fuel/Converters/Generic/AxisNames.h"

#include "blocks/Error.h"

#include <algorithm>

namespace fuel {

using blocks::UsageError;

std::vector<std::string> splitText(const std::string &text, char mark) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find(mark, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

ConverterOption AxisNames::option() {
  ConverterOption option;
  option.name = "axes";
  option.help = "labels of a source's axes: "
                "features=batch,channel,height,width; a 'channel' too many "
                "makes an axis of one channel";
  option.repeated = true;
  return option;
}

AxisNames::AxisNames(const std::vector<std::string> &given) {
  for (const std::string &text : given) {
    size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError("--axes is '" + text +
                       "'; expected SOURCE=LABEL,LABEL,… as in "
                       "features=batch,height,width");
    labels[text.substr(0, equals)] = splitText(text.substr(equals + 1), ',');
  }
}

void AxisNames::check(const std::vector<SourceInfo> &sources) const {
  for (const auto &[name, list] : labels)
    if (std::none_of(sources.begin(), sources.end(),
                     [&](auto &source) { return source.name == name; }))
      throw UsageError("--axes names the source '" + name +
                       "', which there is not");
}

void AxisNames::label(SourceInfo &source, const std::string &where) const {
  // A text's last axis is its characters'.
  size_t axes = source.shape.size() - (source.text && !source.ragged);
  auto found = labels.find(source.name);
  if (found == labels.end()) {
    source.axisLabels.assign(source.shape.size(), "");
    source.axisLabels[0] = "batch";
    return;
  }
  source.axisLabels = found->second;
  auto channel = std::find(source.axisLabels.begin() + 1,
                           source.axisLabels.end(), "channel");
  if (source.axisLabels.size() == axes + 1 &&
      channel != source.axisLabels.end()) {
    source.shape.insert(
        source.shape.begin() + (channel - source.axisLabels.begin()), 1);
    ++axes;
  }
  if (source.axisLabels.size() != axes)
    throw UsageError("--axes gives source '" + source.name + "' " +
                     std::to_string(found->second.size()) + " labels, but " +
                     where + " has the shape " +
                     blocks::formatShape(source.shape));
  source.axisLabels.resize(source.shape.size());
}

} // namespace fuel
