// Type: an HDF5 element type and its translation to and from DType. Booleans
// are h5py's enumeration (FALSE=0, TRUE=1 over 8 bits), half floats the IEEE
// layout that HDF5 has no name for. Memory is always little-endian and native;
// HDF5 converts what is stored otherwise.
#pragma once

#include "blocks/Array.h"
#include "runtime/Hdf5/Handle.h"

#include <optional>

namespace blocks::hdf5 {

class Type {
public:
  Type() = default;
  explicit Type(hid_t id) : handle(id) {}

  /// The type of `dtype` in memory, which is also what we write.
  static Type of(DType dtype);
  /// Fixed strings of `bytes` bytes, padded with NUL.
  static Type fixedString(size_t bytes);
  /// Strings of `bytes` bytes that end with NUL.
  static Type terminatedString(size_t bytes);
  /// Lists of any length.
  static Type list(const Type &element);
  /// Strings of any length, terminated by NUL; ASCII unless `utf8`.
  static Type variableString(bool utf8);
  /// An empty compound of `bytes` bytes; add members with `insert`.
  static Type compound(size_t bytes);
  static Type objectReference();
  Type &insert(const char *member, size_t offset, const Type &type);

  hid_t id() const { return handle.get(); }
  H5T_class_t kind() const;
  size_t bytes() const;
  bool isVariableString() const;
  bool isObjectReference() const;
  bool equals(const Type &other) const;

  /// Compounds: the member called `name`, or nothing.
  std::optional<Type> member(const char *name) const;

  /// The DType with the same values, whatever the byte order; nothing for
  /// strings, compounds, references, variable-length and odd-sized types.
  std::optional<DType> dtype() const;
  /// Whether the parts of compounds and arrays lie within them. A damaged file
  /// may say otherwise, and converting such a type overruns the library.
  bool isSound() const;
  /// For messages: "32-bit big-endian integer", "variable-length list" …
  std::string describe() const;

private:
  TypeHandle handle;
};

} // namespace blocks::hdf5
