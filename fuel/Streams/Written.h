// Written: from what stands in a command line to the options of a kind.
#pragma once

#include "fuel/Registry.h"
#include "runtime/Base/NamedCalls.h"

namespace fuel {

TransformerOptions::Values valuesOf(const blocks::NamedCall &call);
/// For errors: "a, b", or "none".
std::string optionNames(const std::vector<TransformerKind::Option> &options);

} // namespace fuel
