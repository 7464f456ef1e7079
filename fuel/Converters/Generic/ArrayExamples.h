// ArrayExamples: arrays of files side by side, each a source; files of one
// source follow each other.
#pragma once

#include "fuel/Converters/ArrayFile.h"
#include "fuel/Converters/Generic/AxisNames.h"
#include "fuel/Converters/Generic/ExampleReader.h"

namespace fuel {

struct ArraySource {
  std::string name;
  std::vector<std::unique_ptr<ArrayFile>> files;
};

/// InputError naming the files if rows of one source differ in type or shape,
/// or sources in their number of rows.
std::unique_ptr<ExampleReader> readArrays(std::vector<ArraySource> sources,
                                          const AxisNames &axes);

} // namespace fuel
