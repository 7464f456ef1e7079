// Svhn: the two forms of the house numbers. See Svhn.cpp.
#pragma once

#include "fuel/Convert.h"

namespace fuel {

std::string convertSvhnNumbers(const ConvertOptions &options);
std::string convertSvhnDigits(const ConvertOptions &options);

} // namespace fuel
