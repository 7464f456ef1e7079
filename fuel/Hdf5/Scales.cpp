// Scales: see Scales.h.
#include "fuel/Hdf5/Scales.h"

namespace fuel {

using blocks::hdf5::Dataset;
using blocks::hdf5::Group;
using blocks::hdf5::Type;

static void writeTerminated(Dataset &dataset, const char *attribute,
                            const std::string &text) {
  Type type = Type::terminatedString(text.size() + 1);
  dataset.createAttribute(attribute, type, {}).write(type, text.c_str());
}

void makeScale(Dataset &dataset, const std::string &name) {
  writeTerminated(dataset, "CLASS", "DIMENSION_SCALE");
  writeTerminated(dataset, "NAME", name);
}

namespace {
/// An entry of REFERENCE_LIST: who uses the scale, on which axis.
struct User {
  hobj_ref_t dataset;
  int32_t dimension;
};
} // namespace

void attachScales(Group &root, const std::string &source, int axis,
                  const std::vector<std::string> &scales) {
  Type userType = Type::compound(sizeof(User));
  userType.insert("dataset", offsetof(User, dataset), Type::objectReference())
      .insert("dimension", offsetof(User, dimension),
              Type::of(blocks::DType::Int32));
  User user{root.reference(source), axis};
  std::vector<hobj_ref_t> references;
  for (const std::string &name : scales) {
    Dataset scale = root.dataset(name);
    scale.createAttribute("REFERENCE_LIST", userType, {1})
        .write(userType, &user);
    references.push_back(root.reference(name));
  }
  Dataset dataset = root.dataset(source);
  std::vector<hvl_t> lists(dataset.shape().size(), hvl_t{0, nullptr});
  lists.at(size_t(axis)) = {references.size(), references.data()};
  Type listType = Type::list(Type::objectReference());
  dataset.createAttribute("DIMENSION_LIST", listType, {int64_t(lists.size())})
      .write(listType, lists.data());
}

} // namespace fuel
