// Location: see Location.h.
#include "runtime/Hdf5/Location.h"

#include <algorithm>
#include <cstring>

namespace blocks::hdf5 {

Shape shapeOf(const SpaceHandle &space, const Place &place) {
  int rank = checked(H5Sget_simple_extent_ndims(space.get()),
                     "read the rank of", place);
  std::vector<hsize_t> dims(static_cast<size_t>(rank));
  checked(H5Sget_simple_extent_dims(space.get(), dims.data(), nullptr),
          "read the shape of", place);
  int64_t elements = 1;
  for (hsize_t d : dims)
    if (d > hsize_t(INT64_MAX / 16) ||
        __builtin_mul_overflow(elements, std::max<int64_t>(int64_t(d), 1),
                               &elements))
      throw CorruptError("the shape of " + describe(place) +
                         " is impossibly large: the file is damaged");
  return Shape(dims.begin(), dims.end());
}

void requireSound(const Type &type, const Place &place) {
  if (!type.isSound())
    throw CorruptError("the element type of " + describe(place) +
                       " contradicts itself: the file is damaged");
}

SpaceHandle makeSpace(const Shape &shape, const Place &place) {
  std::vector<hsize_t> dims(shape.begin(), shape.end());
  hid_t id = shape.empty()
                 ? H5Screate(H5S_SCALAR)
                 : H5Screate_simple(int(dims.size()), dims.data(), nullptr);
  return SpaceHandle(checked(id, "make a dataspace for", place));
}

//===-- Attribute ---------------------------------------------------------===//

Attribute::Attribute(hid_t id, std::string file, std::string object)
    : handle(id), file(std::move(file)), object(std::move(object)) {}

Type Attribute::type() const {
  QuietErrors quiet;
  Type type(checked(H5Aget_type(handle.get()), "read the type of", place()));
  requireSound(type, place());
  return type;
}

Shape Attribute::shape() const {
  QuietErrors quiet;
  SpaceHandle space(
      checked(H5Aget_space(handle.get()), "read the shape of", place()));
  return shapeOf(space, place());
}

void Attribute::read(const Type &memory, void *data) const {
  QuietErrors quiet;
  checked(H5Aread(handle.get(), memory.id(), data), "read", place());
}

void Attribute::write(const Type &memory, const void *data) {
  QuietErrors quiet;
  checked(H5Awrite(handle.get(), memory.id(), data), "write", place(),
          ErrorKind::Io);
}

namespace {
/// The strings that HDF5 allocated for a read of variable-length elements.
class VariableStrings {
public:
  explicit VariableStrings(size_t count) : pointers(count, nullptr) {}
  ~VariableStrings() {
    QuietErrors quiet;
    for (char *p : pointers)
      if (p)
        H5free_memory(p);
  }
  char **data() { return pointers.data(); }
  std::vector<std::string> texts() const {
    std::vector<std::string> result;
    for (const char *p : pointers)
      result.emplace_back(p ? p : "");
    return result;
  }

private:
  std::vector<char *> pointers;
};

std::vector<std::string> splitFixed(const std::string &bytes, size_t width) {
  std::vector<std::string> result;
  for (size_t at = 0; at + width <= bytes.size(); at += width)
    result.emplace_back(bytes, at, strnlen(bytes.data() + at, width));
  return result;
}
} // namespace

std::vector<std::string> stringsOf(const Type &stored, size_t count,
                                   const std::function<void(void *)> &read) {
  if (stored.isVariableString()) {
    VariableStrings strings(count);
    read(strings.data());
    return strings.texts();
  }
  size_t width = stored.bytes();
  std::string bytes(count * width, '\0');
  read(bytes.data());
  return splitFixed(bytes, width);
}

std::vector<std::string> Attribute::readStrings() const {
  Type stored = type();
  if (stored.kind() != H5T_STRING)
    throw InputError("attribute " + describe(place()) + " holds " +
                     stored.describe() + "; expected a string");
  return stringsOf(stored, size_t(numElements(shape())),
                   [&](void *data) { read(stored, data); });
}

std::vector<std::vector<hobj_ref_t>> Attribute::readReferenceLists() const {
  QuietErrors quiet;
  Type stored = type();
  Type base(stored.kind() == H5T_VLEN ? H5Tget_super(stored.id())
                                      : H5I_INVALID_HID);
  if (base.id() < 0 || !base.isObjectReference())
    throw InputError("attribute " + describe(place()) + " holds " +
                     stored.describe() + "; expected lists of references");
  std::vector<hvl_t> lists(size_t(numElements(shape())));
  read(stored, lists.data());
  std::vector<std::vector<hobj_ref_t>> result;
  for (hvl_t &list : lists) {
    auto *first = static_cast<hobj_ref_t *>(list.p);
    result.emplace_back(first, first + (first ? list.len : 0));
    H5free_memory(list.p);
  }
  return result;
}

//===-- Location ----------------------------------------------------------===//

void Location::removeAttribute(const std::string &name) {
  if (!hasAttribute(name))
    return;
  QuietErrors quiet;
  checked(H5Adelete(id(), name.c_str()), "remove an attribute of", place(),
          ErrorKind::Io);
}

std::vector<std::string> Location::attributeNames() const {
  QuietErrors quiet;
  std::vector<std::string> names;
  auto add = [](hid_t, const char *name, const H5A_info_t *, void *list) {
    static_cast<std::vector<std::string> *>(list)->push_back(name);
    return herr_t(0);
  };
  checked(
      H5Aiterate2(id(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add, &names),
      "list the attributes of", place());
  std::sort(names.begin(), names.end());
  return names;
}

void Location::copyMissingAttributes(Location &to) const {
  for (const std::string &name : attributeNames()) {
    if (to.hasAttribute(name))
      continue;
    Attribute from = attribute(name);
    Type type = from.type();
    H5T_class_t kind = type.kind();
    if (kind != H5T_INTEGER && kind != H5T_FLOAT && kind != H5T_STRING &&
        kind != H5T_ENUM)
      continue;
    Attribute copy = to.createAttribute(name, type, from.shape());
    if (type.isVariableString()) {
      std::vector<std::string> texts = from.readStrings();
      std::vector<const char *> pointers;
      for (const std::string &text : texts)
        pointers.push_back(text.c_str());
      copy.write(type, pointers.data());
      continue;
    }
    std::string bytes(size_t(numElements(from.shape())) * type.bytes(), '\0');
    from.read(type, bytes.data());
    copy.write(type, bytes.data());
  }
}

bool Location::hasAttribute(const std::string &name) const {
  QuietErrors quiet;
  return checked(H5Aexists(id(), name.c_str()), "look up an attribute of",
                 place()) > 0;
}

Attribute Location::attribute(const std::string &name) const {
  if (!hasAttribute(name))
    throw InputError("attribute '" + name + "' is missing in " +
                     describe(place()));
  QuietErrors quiet;
  std::string label = path() + (path() == "/" ? "@" : "/@") + name;
  hid_t opened = H5Aopen(id(), name.c_str(), H5P_DEFAULT);
  return Attribute(checked(opened, "open the attribute", {file(), label}),
                   file(), label);
}

Attribute Location::createAttribute(const std::string &name, const Type &type,
                                    const Shape &shape) {
  QuietErrors quiet;
  std::string label = path() + (path() == "/" ? "@" : "/@") + name;
  SpaceHandle space = makeSpace(shape, place());
  hid_t created = H5Acreate2(id(), name.c_str(), type.id(), space.get(),
                             H5P_DEFAULT, H5P_DEFAULT);
  return Attribute(
      checked(created, "create the attribute", {file(), label}, ErrorKind::Io),
      file(), label);
}

std::vector<std::string> Location::readStrings(const std::string &name) const {
  return attribute(name).readStrings();
}

std::string Location::readString(const std::string &name) const {
  std::vector<std::string> texts = readStrings(name);
  if (texts.size() != 1)
    throw InputError("attribute '" + name + "' of " + describe(place()) +
                     " holds " + std::to_string(texts.size()) +
                     " strings; expected one");
  return texts.front();
}

int64_t Location::readInt(const std::string &name) const {
  Attribute found = attribute(name);
  if (found.type().kind() != H5T_INTEGER || numElements(found.shape()) != 1)
    throw InputError("attribute '" + name + "' of " + describe(place()) +
                     " is not one integer");
  int64_t value = 0;
  found.read(Type::of(DType::Int64), &value);
  return value;
}

static bool isAscii(const std::string &text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<signed char>(c) >= 0; });
}

void Location::writeString(const std::string &name, const std::string &text) {
  Type type = Type::variableString(!isAscii(text));
  const char *pointer = text.c_str();
  createAttribute(name, type, {}).write(type, &pointer);
}

void Location::writeStrings(const std::string &name,
                            const std::vector<std::string> &texts) {
  Type type =
      Type::variableString(!std::all_of(texts.begin(), texts.end(), isAscii));
  std::vector<const char *> pointers;
  for (const std::string &text : texts)
    pointers.push_back(text.empty() ? nullptr : text.c_str());
  createAttribute(name, type, {int64_t(texts.size())})
      .write(type, pointers.data());
}

void Location::writeInt(const std::string &name, int64_t value) {
  Type type = Type::of(DType::Int64);
  createAttribute(name, type, {}).write(type, &value);
}

} // namespace blocks::hdf5
