// AppendSplit: adds a split to a file in Fuel's format: a name for rows that it
// has already, or rows of another file. The file is replaced when the new one
// is complete and on the disk; until then, and if anything fails, it stays as
// it is.
#pragma once

#include "fuel/Dataset.h"
#include "fuel/Progress.h"

#include <optional>
#include <string>
#include <vector>

namespace fuel {

struct NewSplit {
  std::string name;
  std::string comment;
  /// Those that the split has; all if empty.
  std::vector<std::string> sources;

  /// Rows that are there: all, a range, or a list (kept as it is given, though
  /// Fuel reads it sorted and each row once).
  std::optional<Subset> rows;
  /// They count within this split, rather than within all rows.
  std::string of;

  /// New rows: those of a split of another file, which are appended to the
  /// sources. Its sources must have the same element types and shapes.
  std::string dataFile, dataSplit;
};

/// `command` is added to what the file says of its origin. Throws blocks::Error
/// that names file, split and source.
void appendSplit(const std::string &path, const NewSplit &split,
                 const std::string &command, Progress *progress = nullptr);

} // namespace fuel
