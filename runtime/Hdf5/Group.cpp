// Group: see Group.h.
#include "runtime/Hdf5/Group.h"

#include <algorithm>

namespace blocks::hdf5 {

std::string Group::childPath(const std::string &name) const {
  if (!name.empty() && name.front() == '/')
    return name;
  return path() == "/" ? "/" + name : path() + "/" + name;
}

std::vector<std::string> Group::children() const {
  QuietErrors quiet;
  H5G_info_t info = {};
  checked(H5Gget_info(id(), &info), "list", place());
  std::vector<std::string> names;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    ssize_t length =
        checked(H5Lget_name_by_idx(id(), ".", H5_INDEX_NAME, H5_ITER_NATIVE, i,
                                   nullptr, 0, H5P_DEFAULT),
                "list", place());
    std::string name(size_t(length) + 1, '\0');
    checked(H5Lget_name_by_idx(id(), ".", H5_INDEX_NAME, H5_ITER_NATIVE, i,
                               name.data(), name.size(), H5P_DEFAULT),
            "list", place());
    name.pop_back();
    names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

// H5Lexists fails, rather than answering no, when an inner part is absent; so
// the path is tested part by part.
bool Group::has(const std::string &name) const {
  QuietErrors quiet;
  for (size_t end = name.find('/', 1);; end = name.find('/', end + 1)) {
    std::string part = name.substr(0, end);
    if (part.empty() || H5Lexists(id(), part.c_str(), H5P_DEFAULT) <= 0 ||
        H5Oexists_by_name(id(), part.c_str(), H5P_DEFAULT) <= 0)
      return false;
    if (end == std::string::npos)
      return true;
  }
}

H5I_type_t Group::kindOf(const std::string &name) const {
  if (!has(name))
    return H5I_BADID;
  QuietErrors quiet;
  ObjectHandle opened(H5Oopen(id(), name.c_str(), H5P_DEFAULT));
  return opened ? H5Iget_type(opened.get()) : H5I_BADID;
}

bool Group::isDataset(const std::string &name) const {
  return kindOf(name) == H5I_DATASET;
}

bool Group::isGroup(const std::string &name) const {
  return kindOf(name) == H5I_GROUP;
}

bool Group::isExternalLink(const std::string &name) const {
  QuietErrors quiet;
  H5L_info_t info = {};
  return H5Lexists(id(), name.c_str(), H5P_DEFAULT) > 0 &&
         H5Lget_info(id(), name.c_str(), &info, H5P_DEFAULT) >= 0 &&
         info.type == H5L_TYPE_EXTERNAL;
}

ObjectHandle Group::open(const std::string &name, H5I_type_t kind,
                         const char *kindName) const {
  std::string full = childPath(name);
  if (!has(name))
    throw InputError(std::string("the ") + kindName + " '" + full +
                     "' is missing in '" + file() + "'");
  QuietErrors quiet;
  ObjectHandle opened(checked(H5Oopen(id(), name.c_str(), H5P_DEFAULT), "open",
                              {file(), full}));
  if (H5Iget_type(opened.get()) != kind)
    throw InputError("'" + full + "' in '" + file() + "' is not a " + kindName);
  return opened;
}

Group Group::group(const std::string &name) const {
  return Group(open(name, H5I_GROUP, "group"), file(), childPath(name));
}

Dataset Group::dataset(const std::string &name) const {
  return Dataset(open(name, H5I_DATASET, "dataset"), file(), childPath(name));
}

static PropertyHandle makeMissingGroups(const Place &place) {
  PropertyHandle properties(
      checked(H5Pcreate(H5P_LINK_CREATE), "prepare", place, ErrorKind::Io));
  checked(H5Pset_create_intermediate_group(properties.get(), 1), "prepare",
          place, ErrorKind::Io);
  return properties;
}

Group Group::createGroup(const std::string &name) {
  if (has(name))
    return group(name);
  QuietErrors quiet;
  std::string full = childPath(name);
  PropertyHandle links = makeMissingGroups(place());
  hid_t created =
      H5Gcreate2(id(), name.c_str(), links.get(), H5P_DEFAULT, H5P_DEFAULT);
  return Group(ObjectHandle(checked(created, "create the group", {file(), full},
                                    ErrorKind::Io)),
               file(), full);
}

Dataset Group::createDataset(const std::string &name, DType dtype,
                             const Shape &shape) {
  return createDataset(name, Type::of(dtype), shape);
}

// No times and no fill, so that equal contents make equal files and no byte is
// written twice. The library insists on filling what refers to its heap.
static PropertyHandle makeLayout(const Type &type, const Place &place) {
  PropertyHandle layout(
      checked(H5Pcreate(H5P_DATASET_CREATE), "create", place, ErrorKind::Io));
  checked(H5Pset_obj_track_times(layout.get(), false), "create", place);
  if (type.kind() != H5T_VLEN && !type.isVariableString())
    checked(H5Pset_fill_time(layout.get(), H5D_FILL_TIME_NEVER), "create",
            place);
  return layout;
}

Dataset Group::createDataset(const std::string &name, const Type &type,
                             const Shape &shape) {
  QuietErrors quiet;
  std::string full = childPath(name);
  Place place{file(), full};
  PropertyHandle layout = makeLayout(type, place);
  checked(H5Pset_alloc_time(layout.get(), H5D_ALLOC_TIME_EARLY), "create",
          place);
  return create(name, type, shape, layout);
}

Dataset Group::createCompressedDataset(const std::string &name,
                                       const Type &type, const Shape &shape,
                                       const Shape &chunk, int level) {
  QuietErrors quiet;
  std::string full = childPath(name);
  Place place{file(), full};
  PropertyHandle layout = makeLayout(type, place);
  std::vector<hsize_t> extents(chunk.begin(), chunk.end());
  checked(H5Pset_chunk(layout.get(), int(extents.size()), extents.data()),
          "create", place);
  if (type.bytes() > 1)
    checked(H5Pset_shuffle(layout.get()), "create", place);
  checked(H5Pset_deflate(layout.get(), unsigned(level)), "create", place);
  return create(name, type, shape, layout);
}

Dataset Group::create(const std::string &name, const Type &type,
                      const Shape &shape, const PropertyHandle &layout) {
  std::string full = childPath(name);
  Place place{file(), full};
  PropertyHandle links = makeMissingGroups(place);
  SpaceHandle space = makeSpace(shape, place);
  hid_t created = H5Dcreate2(id(), name.c_str(), type.id(), space.get(),
                             links.get(), layout.get(), H5P_DEFAULT);
  return Dataset(ObjectHandle(checked(created, "create the dataset", place,
                                      ErrorKind::Io)),
                 file(), full);
}

Dataset Group::writeFixedTexts(const std::string &name,
                               const std::vector<std::string> &texts) {
  size_t width = 1;
  for (const std::string &text : texts)
    width = std::max(width, text.size());
  std::string bytes(width * texts.size(), '\0');
  for (size_t i = 0; i < texts.size(); ++i)
    texts[i].copy(bytes.data() + i * width, width);
  Type type = Type::fixedString(width);
  Dataset dataset = createDataset(name, type, {int64_t(texts.size())});
  dataset.writeRows(0, int64_t(texts.size()), bytes.data(), type);
  return dataset;
}

Dataset Group::writeTexts(const std::string &name,
                          const std::vector<std::string> &texts) {
  std::vector<const char *> pointers;
  for (const std::string &text : texts)
    pointers.push_back(text.c_str());
  Type type = Type::variableString(true);
  Dataset dataset = createDataset(name, type, {int64_t(texts.size())});
  dataset.writeRows(0, int64_t(texts.size()), pointers.data(), type);
  return dataset;
}

hobj_ref_t Group::reference(const std::string &name) const {
  QuietErrors quiet;
  hobj_ref_t result = 0;
  checked(H5Rcreate(&result, id(), name.c_str(), H5R_OBJECT, H5I_INVALID_HID),
          "refer to", {file(), childPath(name)});
  return result;
}

Dataset Group::write(const std::string &name, const ArrayView &array) {
  Dataset dataset = createDataset(name, array.dtype, array.shape);
  if (array.size() > 0)
    dataset.writeRows(0, array.shape.empty() ? 1 : array.shape[0], array.data);
  return dataset;
}

ObjectHandle Group::follow(const hobj_ref_t &reference, H5I_type_t kind,
                           const std::string &what,
                           const char *kindName) const {
  QuietErrors quiet;
  ObjectHandle opened(
      H5Rdereference2(id(), H5P_DEFAULT, H5R_OBJECT, &reference));
  if (!opened || H5Iget_type(opened.get()) != kind)
    throw CorruptError(what + " in '" + file() +
                       "' is a reference that leads to no " + kindName);
  return opened;
}

static std::string nameOf(const ObjectHandle &object) {
  QuietErrors quiet;
  char name[1024] = "?";
  H5Iget_name(object.get(), name, sizeof name);
  return name;
}

Dataset Group::dereference(const hobj_ref_t &reference,
                           const std::string &what) const {
  ObjectHandle opened = follow(reference, H5I_DATASET, what, "dataset");
  std::string name = nameOf(opened);
  return Dataset(std::move(opened), file(), name);
}

Group Group::dereferenceGroup(const hobj_ref_t &reference,
                              const std::string &what) const {
  ObjectHandle opened = follow(reference, H5I_GROUP, what, "group");
  std::string name = nameOf(opened);
  return Group(std::move(opened), file(), name);
}

void Group::copyTo(const std::string &name, Group &target) const {
  QuietErrors quiet;
  std::string full = childPath(name);
  checked(H5Ocopy(id(), name.c_str(), target.id(), name.c_str(), H5P_DEFAULT,
                  H5P_DEFAULT),
          "copy", {file(), full});
}

} // namespace blocks::hdf5
