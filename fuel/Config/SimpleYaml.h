// SimpleYaml: the part of YAML in which people write a ~/.fuelrc: lines
// "key: value", texts with or without quotes, lists as [a, b] or as lines
// "- a", comments by #. Anything else is an error that says how to write it,
// rather than something that means another thing than in YAML.
#pragma once

#include "fuel/Config/ConfigFile.h"

namespace fuel {

/// Null and nothing after the colon are entries without values. Throws
/// InputError naming the line of `path`.
std::vector<ConfigEntry> readSimpleYaml(const std::string &path,
                                        const std::string &text);

} // namespace fuel
