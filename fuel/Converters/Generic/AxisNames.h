// AxisNames: labels of axes as the user gives them, SOURCE=batch,height,width.
// The label `channel` beside one label for each axis of the array makes a new
// axis of one channel, which images of one plane lack.
#pragma once

#include "fuel/Convert.h"
#include "fuel/DataStream.h"

namespace fuel {

class AxisNames {
public:
  static ConverterOption option();
  explicit AxisNames(const std::vector<std::string> &given);

  /// Labels the source; without labels of the user, only its rows ("batch").
  /// UsageError if their number does not fit. `where` names the input.
  void label(SourceInfo &source, const std::string &where) const;
  /// UsageError if a source is named that is not among these.
  void check(const std::vector<SourceInfo> &sources) const;

private:
  std::map<std::string, std::vector<std::string>> labels;
};

/// "a,b,c" in parts.
std::vector<std::string> splitText(const std::string &text, char mark);

} // namespace fuel
