// BuiltIn: the converters that come with the loader, one file for each. See
// include/fuel/Convert.h.
#pragma once

#include "fuel/Convert.h"

namespace fuel {

Converter adultConverter();
Converter binarizedMnistConverter();
Converter celebAConverter();
Converter cifar10Converter();
Converter cifar100Converter();
Converter dogsVsCatsConverter();
Converter ilsvrc2010Converter();
Converter ilsvrc2012Converter();
Converter irisConverter();
Converter mnistConverter();
Converter silhouettesConverter();
Converter svhnConverter();
Converter youTubeAudioConverter();

/// Those for formats rather than data sets: see Generic/.
std::vector<Converter> genericConverters();

} // namespace fuel
