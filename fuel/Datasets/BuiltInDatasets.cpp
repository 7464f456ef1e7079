// Built-in data sets: see include/fuel/BuiltInDatasets.h. The table, and the
// way from a name to a file.
#include "fuel/BuiltInDatasets.h"

#include "blocks/Error.h"

#include <algorithm>
#include <filesystem>

namespace fuel {

namespace fs = std::filesystem;
using blocks::InputError;

namespace {
using Strings = std::vector<std::string>;

/// Bytes to [0, 1].
Strings pixels(const std::string &source) {
  return {"scale_and_shift(scale=1/255,which=" + source + ")",
          "cast(dtype=floatX,which=" + source + ")"};
}

const Strings trainTest{"train", "test"};
const Strings trainValidTest{"train", "valid", "test"};
const Strings trainTestExtra{"train", "test", "extra"};
const Strings photographs{"images_from_bytes(which=encoded_images)"};

std::vector<BuiltInDataset> makeTable() {
  return {
      {"adult",
       "incomes of a census",
       "adult.hdf5",
       trainTest,
       {},
       "adult",
       "adult"},
      {"binarized_mnist",
       "black and white digits",
       "binarized_mnist.hdf5",
       trainValidTest,
       {},
       "binarized_mnist",
       "binarized_mnist"},
      {"caltech101_silhouettes16",
       "silhouettes, 16x16",
       "caltech101_silhouettes16.hdf5",
       trainValidTest,
       {},
       "caltech101_silhouettes 16",
       "caltech101_silhouettes 16"},
      {"caltech101_silhouettes28",
       "silhouettes, 28x28",
       "caltech101_silhouettes28.hdf5",
       trainValidTest,
       {},
       "caltech101_silhouettes 28",
       "caltech101_silhouettes 28"},
      {"celeba_64", "faces, 64x64", "celeba_64.hdf5", trainValidTest,
       pixels("features"), "celeba", "celeba 64"},
      {"celeba_aligned_cropped", "faces, 218x178",
       "celeba_aligned_cropped.hdf5", trainValidTest, pixels("features"),
       "celeba", "celeba aligned_cropped"},
      {"cifar10", "photographs of 10 classes", "cifar10.hdf5", trainTest,
       pixels("features"), "cifar10", "cifar10"},
      {"cifar100", "photographs of 100 classes", "cifar100.hdf5", trainTest,
       pixels("features"), "cifar100", "cifar100"},
      {"dogs_vs_cats",
       "photographs of any size",
       "dogs_vs_cats.hdf5",
       trainTest,
       {"scale_and_shift(scale=1/255,which=image_features)"},
       "dogs_vs_cats",
       "dogs_vs_cats"},
      {"fashion_mnist", "articles of clothing", "fashion_mnist.hdf5", trainTest,
       pixels("features"), "fashion_mnist", "mnist -r fashion_mnist"},
      {"ilsvrc2010", "ImageNet's challenge, encoded images", "ilsvrc2010.hdf5",
       trainValidTest, photographs, "ilsvrc2010 -P PREFIX", "ilsvrc2010"},
      {"ilsvrc2012", "ImageNet's challenge, encoded images", "ilsvrc2012.hdf5",
       trainValidTest, photographs, "ilsvrc2012 -P PREFIX", "ilsvrc2012"},
      {"iris", "flowers", "iris.hdf5", {"all"}, {}, "iris", "iris"},
      {"mnist", "digits", "mnist.hdf5", trainTest, pixels("features"), "mnist",
       "mnist"},
      {"svhn_format_1", "house numbers", "svhn_format_1.hdf5", trainTestExtra,
       pixels("features"), "svhn 1", "svhn 1"},
      {"svhn_format_2", "digits of house numbers", "svhn_format_2.hdf5",
       trainTestExtra, pixels("features"), "svhn 2", "svhn 2"},
  };
}

/// Letters and digits in lower case: "BinarizedMNIST" is "binarized_mnist".
std::string plain(const std::string &name) {
  std::string text;
  for (unsigned char c : name)
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'))
      text += char(c);
    else if (c >= 'A' && c <= 'Z')
      text += char(c + 32);
  return text;
}

std::string listed(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

/// Names that begin alike: 'svhn' may mean either format.
Strings alike(const std::string &name) {
  Strings names;
  for (const BuiltInDataset &set : builtInDatasets())
    if (!plain(name).empty() && plain(set.name).rfind(plain(name), 0) == 0)
      names.push_back(set.name);
  return names;
}

[[noreturn]] void failMissing(const Config &config, const BuiltInDataset &set) {
  throw InputError(
      "the data set '" + set.name + "' is not there: no '" + set.file +
      "' in " + describeDataPath(config) + "; make it with 'fuel-download " +
      set.download + "' and 'fuel-convert " + set.convert +
      (config.dataPath.empty() ? "" : " -o " + config.dataPath.front()) +
      "', or name a file");
}

[[noreturn]] void failUnknown(const Config &config, const std::string &name) {
  Strings names = alike(name);
  std::string advice;
  if (!names.empty())
    advice = "did you mean " + listed(names) + "?";
  else if (fs::path(name).has_extension())
    advice = "name its folder, or set the data path";
  else
    advice = "it is no built-in data set either (fuel-info --datasets lists "
             "them)";
  throw InputError("there is no file '" + name + "' here or in " +
                   describeDataPath(config) + "; " + advice);
}

const BuiltInDataset *ofFile(const std::string &path) {
  std::string file = fs::path(path).filename();
  for (const BuiltInDataset &set : builtInDatasets())
    if (set.file == file)
      return &set;
  return nullptr;
}
} // namespace

const std::vector<BuiltInDataset> &builtInDatasets() {
  static const std::vector<BuiltInDataset> table = makeTable();
  return table;
}

const BuiltInDataset *findBuiltIn(const std::string &name) {
  std::string wanted = plain(name);
  if (wanted == "caltech101silhouettes") // Fuel's class has them of 28x28.
    wanted += "28";
  for (const BuiltInDataset &set : builtInDatasets())
    if (plain(set.name) == wanted)
      return &set;
  return nullptr;
}

FoundDataset findDataset(const Config &config, const std::string &name) {
  if (name.find('/') != std::string::npos ||
      (fs::exists(name) && !fs::is_directory(name)))
    return {name, ofFile(name)};
  const BuiltInDataset *set = findBuiltIn(name);
  std::string path = findInDataPath(config, set ? set->file : name);
  if (path.empty() && set)
    failMissing(config, *set);
  if (path.empty())
    failUnknown(config, name);
  return {path, set ? set : ofFile(name)};
}

std::vector<std::string> defaultTransforms(const BuiltInDataset &set,
                                           const Config &config) {
  std::vector<std::string> transforms = set.transforms;
  for (std::string &text : transforms) {
    size_t at = text.find("floatX");
    if (at != std::string::npos)
      text.replace(at, 6, config.floatX.empty() ? "float32" : config.floatX);
  }
  return transforms;
}

} // namespace fuel
