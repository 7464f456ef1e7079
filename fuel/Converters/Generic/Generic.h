// Generic: the converters for formats rather than data sets, one file for each.
// They make an ExampleReader for each split and leave the rest to
// WriteExamples.
#pragma once

#include "fuel/Convert.h"

namespace fuel {

Converter appendSplitConverter();
Converter csvConverter();
Converter idxConverter();
Converter imagesConverter();
Converter npyConverter();
Converter npzConverter();
Converter parallelTextConverter();
Converter textConverter();

} // namespace fuel
