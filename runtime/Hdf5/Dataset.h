// Dataset: a dense array stored in a file. Reads convert to native
// little-endian. `mappableOffset` tells whether the bytes lie in the file just
// as they would in memory, so that a reader can map them and never enter HDF5,
// whose calls share one lock, again.
#pragma once

#include "runtime/Hdf5/Location.h"

namespace blocks::hdf5 {

class Dataset : public Location {
public:
  Dataset(ObjectHandle handle, std::string file, std::string path);

  const Type &type() const { return storedType; }
  const Shape &shape() const { return dims; }
  /// The element type, or an UnsupportedError that says what is stored.
  DType dtype() const;

  /// The whole array. CorruptError if the file cannot hold that much.
  Array read() const;
  /// Rows [start, start + count) of axis 0 into `destination`, which must hold
  /// them as native `dtype` elements.
  void readRows(int64_t start, int64_t count, void *destination) const;
  /// The same, converted to `memory`.
  void readRows(int64_t start, int64_t count, void *destination,
                const Type &memory) const;
  /// All strings, fixed or variable-length; a NULL one reads as "".
  std::vector<std::string> readTexts() const;
  /// Overwrites rows [start, start + count).
  void writeRows(int64_t start, int64_t count, const void *source);
  /// The same, converted from `memory`.
  void writeRows(int64_t start, int64_t count, const void *source,
                 const Type &memory);

  /// Where the elements begin in the file, if they are contiguous, allocated,
  /// unfiltered, native, and wholly inside the file.
  std::optional<uint64_t> mappableOffset() const;

  /// Rows that one chunk spans; 1 if the data are not chunked.
  int64_t rowsPerChunk() const;

private:
  SpaceHandle selectRows(int64_t start, int64_t count) const;
  void checkPlausible() const;

  Type storedType;
  Shape dims;
};

} // namespace blocks::hdf5
