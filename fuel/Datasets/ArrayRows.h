// ArrayRows: the right RowReader for a StoredArray, and whole arrays read by
// it. The only place that decides how elements get out of the file.
#pragma once

#include "fuel/Datasets/RowReader.h"
#include "runtime/Base/MappedFile.h"
#include "runtime/Hdf5/StoredArray.h"

namespace fuel {

/// A Fuel file mapped, with its name for errors.
struct OpenedFile {
  std::string path;
  std::shared_ptr<const blocks::MappedFile> mapping;
};

/// Shape of one row in memory: strings of fixed width are one more axis.
blocks::Shape rowShape(const blocks::hdf5::StoredArray &array);
/// Its bytes. CorruptError, naming `where`, if no machine could hold a row.
size_t rowBytesOf(const blocks::hdf5::StoredArray &array,
                  const std::string &where);

/// Throws if the file could not hold that many bytes even when compressed, or
/// this machine's memory could not.
void requirePlausible(const OpenedFile &file, uint64_t bytes,
                      const std::string &where);

/// Reads `rows` of `array`, whose elements are numbers, strings of fixed width,
/// or references to the heap (as they are). Throws if they do not lie within
/// the file or are compressed in an unknown way.
std::unique_ptr<RowReader> makeRows(const OpenedFile &file,
                                    const blocks::hdf5::StoredArray &array,
                                    RowSet rows, const std::string &where);

/// Where all rows lie, in the mapping or read into memory.
struct RowTable {
  const std::byte *base = nullptr;
  std::shared_ptr<const void> owner;
};
RowTable tableOf(const OpenedFile &file, const blocks::hdf5::StoredArray &array,
                 const std::string &where);

/// A 1-D array of integers of any width. `where` as above.
std::vector<int64_t> readIntegers(const OpenedFile &file,
                                  const blocks::hdf5::StoredArray &array,
                                  const std::string &where);

/// `count` integers of type `dtype` from `from`, widened; both may overlap if
/// `to` begins where `from` does.
void widenIntegers(blocks::DType dtype, const std::byte *from, size_t count,
                   int64_t *to);
bool isInteger(blocks::DType dtype);

/// Repeats `pattern` (zeros if empty).
void fillWith(const std::string &pattern, std::span<std::byte> out);

} // namespace fuel
