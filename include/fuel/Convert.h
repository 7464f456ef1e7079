// Converters: make a Fuel HDF5 file of a data set's original files. Output is
// atomic: the file is complete, or it is not there.
#pragma once

#include <string>

namespace fuel {

struct ConvertOptions {
  std::string directory = ".";       ///< Where the original files are.
  std::string outputDirectory = "."; ///< Must exist.
  std::string outputName;            ///< "" : the converter's own name.
  /// "" keeps bytes; "float32" and "float64" divide by 255, "bool" thresholds
  /// at 128.
  std::string dtype;
  /// The command line, kept in the file as its origin.
  std::string command;
};

/// MNIST and data sets in its format (Fashion-MNIST …): four IDX files. Returns
/// the path of the file written.
std::string convertMnist(const ConvertOptions &options);

} // namespace fuel
