// DataKinds: data sets that are written as a call, "spiral(classes=3)", where
// else a file stands.
#pragma once

#include "fuel/Registry.h"

namespace fuel {

/// Adds those that are built in.
void addDataKinds(Registry &registry);
/// Written as such a call, rather than a file's name.
bool isDataCall(const std::string &file);
/// UsageError if there is none of this name, or not with these options.
OpenedData openDataCall(const std::string &text, const Registry &registry);

} // namespace fuel
