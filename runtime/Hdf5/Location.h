// Location: what groups and datasets have in common: a place in a file, and
// attributes. Knows the file's path and the object's path for messages.
#pragma once

#include "runtime/Hdf5/Type.h"

#include <functional>
#include <string>
#include <vector>

namespace blocks::hdf5 {

/// An opened attribute.
class Attribute {
public:
  Attribute(hid_t id, std::string file, std::string object);

  Type type() const;
  /// Dimensions; empty for a scalar.
  Shape shape() const;
  /// Reads all elements, converted to `memory`, into `data`, which must hold
  /// the product of `shape` times `memory.bytes()`.
  void read(const Type &memory, void *data) const;
  void write(const Type &memory, const void *data);
  /// Strings, fixed or variable-length; a NULL one reads as "".
  std::vector<std::string> readStrings() const;
  /// Lists of object references, as DIMENSION_LIST holds them.
  std::vector<std::vector<hobj_ref_t>> readReferenceLists() const;

private:
  Place place() const { return {file, object}; }
  AttributeHandle handle;
  std::string file, object;
};

class Location {
public:
  const std::string &file() const { return filePath; }
  /// Path inside the file, "/" for the root.
  const std::string &path() const { return objectPath; }
  Place place() const { return {filePath, objectPath}; }
  hid_t id() const { return handle.get(); }

  bool hasAttribute(const std::string &name) const;
  Attribute attribute(const std::string &name) const;
  /// Creates an attribute; an empty `shape` makes a scalar.
  Attribute createAttribute(const std::string &name, const Type &type,
                            const Shape &shape);

  /// Does nothing if there is none.
  void removeAttribute(const std::string &name);
  /// In the order of their bytes.
  std::vector<std::string> attributeNames() const;
  /// Copies those that `to` lacks, but for references, which mean nothing
  /// elsewhere.
  void copyMissingAttributes(Location &to) const;

  std::string readString(const std::string &name) const;
  std::vector<std::string> readStrings(const std::string &name) const;
  int64_t readInt(const std::string &name) const;
  /// Written as h5py writes them: variable length, ASCII where possible.
  void writeString(const std::string &name, const std::string &text);
  /// As a 1-D array; an empty string becomes NULL, as in DIMENSION_LABELS.
  void writeStrings(const std::string &name,
                    const std::vector<std::string> &texts);
  void writeInt(const std::string &name, int64_t value);

protected:
  Location(ObjectHandle handle, std::string file, std::string path)
      : handle(std::move(handle)), filePath(std::move(file)),
        objectPath(std::move(path)) {}

private:
  ObjectHandle handle;
  std::string filePath, objectPath;
};

/// The strings of `count` elements of the string type `stored`, of which `read`
/// fetches as many into memory.
std::vector<std::string> stringsOf(const Type &stored, size_t count,
                                   const std::function<void(void *)> &read);
/// Dimensions of a dataspace, with their product checked against overflow.
Shape shapeOf(const SpaceHandle &space, const Place &place);
/// CorruptError unless `type` is sound.
void requireSound(const Type &type, const Place &place);
/// A dataspace of this shape; a scalar one for an empty shape.
SpaceHandle makeSpace(const Shape &shape, const Place &place);

} // namespace blocks::hdf5
