// SplitEdit: changes in place what the headers of a file say: its split table,
// its indices, its origin. Works on a copy that nobody else reads.
#pragma once

#include "fuel/Hdf5/SplitTable.h"

#include <optional>

namespace fuel {

/// One pair of the new split.
struct NewPart {
  std::string source;
  int64_t start = 0, stop = 0;
  /// Counts where there is one.
  std::optional<std::vector<int64_t>> rows;
};

/// Adds the split to the table of `path`; the file's other sources lack it.
/// Runs the HDF5 library in a process of its own.
void addToTable(const std::string &path, const std::string &split,
                const std::string &comment, const std::vector<NewPart> &parts,
                const std::string &origin);

/// Whether the table still fits headers of old files when the split is added.
bool fitsWithSplit(const std::vector<SplitRow> &rows, const std::string &split,
                   const std::string &comment, size_t sources);

/// Copies what is in the root group of `from`, but not `except` and not what
/// `to` has, and the attributes that `to` lacks. Runs in a process of its own.
void copyOtherObjects(const std::string &from, const std::string &to,
                      const std::vector<std::string> &except);

/// InputError unless lists of strings that both files have beside their sources
/// (names of classes, vocabularies) are the same.
void requireSameLists(const std::string &a, const std::string &b,
                      const std::vector<std::string> &sources);

} // namespace fuel
