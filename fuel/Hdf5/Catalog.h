// Catalog: all that a Fuel file's headers say, as plain data: its splits, its
// sources with their types, shapes, labels and places in the file, and its
// origin. The HDF5 library reads it in a process of its own (ChildProcess);
// afterwards nobody needs the library, and the elements are read from a mapping
// of the file.
#pragma once

#include "fuel/Hdf5/SplitTable.h"
#include "runtime/Hdf5/StoredArray.h"

#include <optional>

namespace fuel {

struct Catalog {
  struct Source {
    std::string name;
    /// Why it cannot be read, or "". Such a source matters only if wanted.
    std::string problem;
    blocks::hdf5::StoredArray data;
    /// As many as the dataset has axes; "" where there is none.
    std::vector<std::string> axisLabels;
    /// Scales of axis 0 of a source of varying length.
    std::optional<blocks::hdf5::StoredArray> shapes;
    std::vector<std::string> shapeLabels;

    /// Labels of the axes of a batch, as Fuel gives them.
    std::vector<std::string> batchLabels() const;
  };
  struct SplitPart {
    std::string split, source, comment;
    int64_t start = 0, stop = 0;
    int64_t index = -1; ///< In `indices`; -1: the range counts.
    bool available = true;
  };

  std::vector<SplitPart> parts; ///< In the file's order.
  std::vector<Source> sources;  ///< Alphabetically.
  std::vector<blocks::hdf5::StoredArray> indices;
  uint64_t userBlock = 0;
  /// "" where the file does not say.
  std::string convertCommand, convertVersion, interfaceVersion;

  /// Names in the order of their first part.
  std::vector<std::string> splits() const;
  /// Sources available in one split, alphabetically.
  std::vector<std::string> sourcesOf(const std::string &split) const;
  /// The available pair, or null.
  const SplitPart *find(const std::string &split,
                        const std::string &source) const;
  const Source *find(const std::string &source) const;
};

/// Throws blocks::Error naming the file, whatever the file holds.
Catalog readCatalog(const std::string &path);

/// What readCatalog's child does. Crashes where the HDF5 library crashes.
Catalog scanFile(const std::string &path);

} // namespace fuel
