// FileInfo: what a Fuel file holds, without reading the data: its sources with
// types, shapes and axis labels, its splits with their rows, and its origin.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fuel {

struct FileInfo {
  struct Source {
    std::string name;
    std::string type;                    ///< "ui8", "variable-length list" …
    std::vector<int64_t> shape;          ///< Axis 0 counts all rows.
    std::vector<std::string> axisLabels; ///< "" where there is none.
  };
  struct SplitPart {
    std::string source;
    bool byIndex = false;        ///< An index data set, not a range.
    int64_t start = 0, stop = 0; ///< The range; with an index 0, its length.
  };
  struct Split {
    std::string name;
    std::vector<SplitPart> parts;
  };
  std::vector<Source> sources; ///< Alphabetically.
  std::vector<Split> splits;   ///< In the file's order.
  /// "" where the file does not say.
  std::string convertCommand, convertVersion, interfaceVersion;
};

/// Throws blocks::Error naming the file.
FileInfo readFileInfo(const std::string &path);

} // namespace fuel
