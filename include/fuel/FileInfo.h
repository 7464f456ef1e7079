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
    std::string type;           ///< "ui8", "variable-length list of i64" …
    std::vector<int64_t> shape; ///< Axis 0 counts all rows.
    std::vector<std::string> axisLabels; ///< "" where there is none.
    /// Of the elements, or of the references to them where they vary in length.
    uint64_t bytes = 0;
    std::string storage; ///< "contiguous", "chunks of 10x28x28, deflate" …
    std::string problem; ///< Why it cannot be read, or "".
  };
  struct SplitPart {
    std::string source;
    bool byIndex = false;        ///< An index data set, not a range.
    int64_t start = 0, stop = 0; ///< The range; with an index 0, its length.
    std::string comment;         ///< "" where there is none.
  };
  struct Split {
    std::string name;
    std::vector<SplitPart> parts;
  };
  std::vector<Source> sources; ///< Alphabetically.
  std::vector<Split> splits;   ///< In the file's order.
  uint64_t bytes = 0;          ///< Of the file.
  /// "" where the file does not say.
  std::string convertCommand, convertVersion, interfaceVersion;
};

/// Throws blocks::Error naming the file.
FileInfo readFileInfo(const std::string &path);

/// Reads everything: the split table, every index, every row of every source,
/// with its checksums, heaps and shapes. What is wrong, one sentence each; none
/// if the file is sound. Throws if it cannot be opened at all.
std::vector<std::string> checkFile(const std::string &path);

} // namespace fuel
