// ArrayFile: an array in a file (IDX, NPY, a member of an NPZ archive), whose
// axis 0 counts examples, read from its first row to its last. Elements come
// out in native byte order and C order.
#pragma once

#include "fuel/DataStream.h"

#include <memory>

namespace fuel {

class ArrayFile {
public:
  virtual ~ArrayFile() = default;
  /// Element type, shape with -1 for the rows, and whether it holds strings.
  /// No name and no labels.
  const SourceInfo &info() const { return source; }
  int64_t rows() const { return count; }
  size_t rowBytes() const { return bytesOfRow; }
  /// The file, for errors.
  const std::string &where() const { return name; }
  /// The next `rows` rows, of which there must be as many left.
  virtual void read(int64_t rows, std::byte *out) = 0;

protected:
  /// `shape` is that of the array. InputError unless it has rows of at least
  /// one element.
  void describe(std::string name, blocks::DType dtype,
                const blocks::Shape &shape, bool text = false);

private:
  std::string name;
  SourceInfo source;
  int64_t count = 0;
  size_t bytesOfRow = 0;
};

} // namespace fuel
