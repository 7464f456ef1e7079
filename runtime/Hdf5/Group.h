// Group: a folder in an HDF5 file: subgroups, datasets, object references.
#pragma once

#include "runtime/Hdf5/Dataset.h"

namespace blocks::hdf5 {

class Group : public Location {
public:
  Group(ObjectHandle handle, std::string file, std::string path)
      : Location(std::move(handle), std::move(file), std::move(path)) {}

  /// Names of what the group holds, in the order of their bytes.
  std::vector<std::string> children() const;
  /// `name` may be a path ("layer/W"); false if any part is absent.
  bool has(const std::string &name) const;
  bool isDataset(const std::string &name) const;
  bool isGroup(const std::string &name) const;
  /// Whether `name` leads to another file.
  bool isExternalLink(const std::string &name) const;

  /// InputError if absent or of another kind.
  Group group(const std::string &name) const;
  Dataset dataset(const std::string &name) const;
  Array read(const std::string &name) const { return dataset(name).read(); }

  /// Makes missing groups on the way; opens the group if it exists.
  Group createGroup(const std::string &name);
  /// A contiguous dataset without filters, space reserved, values not written.
  Dataset createDataset(const std::string &name, DType dtype,
                        const Shape &shape);
  /// The same of any element type.
  Dataset createDataset(const std::string &name, const Type &type,
                        const Shape &shape);
  /// In chunks of `chunk`, compressed by gzip of this level after sorting the
  /// elements' bytes by their significance.
  Dataset createCompressedDataset(const std::string &name, const Type &type,
                                  const Shape &shape, const Shape &chunk,
                                  int level);
  /// A 1-D dataset of strings: of the longest one's width, or of any length.
  Dataset writeFixedTexts(const std::string &name,
                          const std::vector<std::string> &texts);
  Dataset writeTexts(const std::string &name,
                     const std::vector<std::string> &texts);
  /// Creates and fills a dataset; missing groups on the way are made.
  Dataset write(const std::string &name, const ArrayView &array);

  /// Copies the object `name`, with everything in it, to the same name there.
  void copyTo(const std::string &name, Group &target) const;

  /// A reference to what is called `name`.
  hobj_ref_t reference(const std::string &name) const;
  /// What an object reference found in this file points to, which must be a
  /// dataset. `what` names the reference in messages.
  Dataset dereference(const hobj_ref_t &reference,
                      const std::string &what) const;
  /// The same for a group.
  Group dereferenceGroup(const hobj_ref_t &reference,
                         const std::string &what) const;

private:
  std::string childPath(const std::string &name) const;
  Dataset create(const std::string &name, const Type &type, const Shape &shape,
                 const PropertyHandle &layout);
  H5I_type_t kindOf(const std::string &name) const;
  ObjectHandle open(const std::string &name, H5I_type_t kind,
                    const char *kindName) const;
  ObjectHandle follow(const hobj_ref_t &reference, H5I_type_t kind,
                      const std::string &what, const char *kindName) const;
};

} // namespace blocks::hdf5
