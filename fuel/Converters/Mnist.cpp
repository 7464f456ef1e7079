// The mnist converter: four IDX files to sources `features` (n, 1, height,
// width) and `targets` (n, 1), splits `train` and `test`. See
// include/fuel/Convert.h.
#include "fuel/Convert.h"

#include "blocks/Error.h"
#include "fuel/Converters/DatasetFile.h"
#include "fuel/Converters/Idx.h"

#include <cstring>
#include <filesystem>

namespace fuel {

namespace fs = std::filesystem;
using blocks::Array;
using blocks::DType;

namespace {
struct Part {
  const char *split, *images, *labels;
};
constexpr Part parts[] = {
    {"train", "train-images-idx3-ubyte", "train-labels-idx1-ubyte"},
    {"test", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"},
};

void checkInputs(const std::string &directory) {
  std::string missing;
  for (const Part &part : parts)
    for (const char *name : {part.images, part.labels})
      if (findIdx(directory, name).empty())
        missing += (missing.empty() ? "" : ", ") + std::string(name) + ".gz";
  if (!missing.empty())
    throw blocks::InputError(
        "'" + directory + "' lacks " + missing +
        "; name the folder that holds them with --directory");
}

std::string outputPath(const ConvertOptions &options) {
  std::string name = options.outputName.empty() ? "mnist" : options.outputName;
  std::string extension = fs::path(name).extension();
  if (extension != ".hdf5" && extension != ".hdf" && extension != ".h5")
    name += ".hdf5";
  if (!fs::is_directory(options.outputDirectory))
    throw blocks::InputError("the output folder '" + options.outputDirectory +
                             "' does not exist; create it first");
  return fs::path(options.outputDirectory) / name;
}

DType elementType(const std::string &name) {
  if (name.empty())
    return DType::UInt8;
  if (name == "float32")
    return DType::Float32;
  if (name == "float64")
    return DType::Float64;
  if (name == "bool")
    return DType::Bool;
  throw blocks::UsageError("unknown element type '" + name +
                           "'; expected float32, float64 or bool");
}

template <typename T> void divideBy255(const Array &bytes, Array &out) {
  for (int64_t i = 0; i < bytes.size(); ++i)
    out.as<T>()[i] = T(bytes.as<uint8_t>()[i]) / T(255);
}

/// The pixels as elements of `dtype`, with a channel axis.
Array convertImages(Array images, DType dtype) {
  blocks::Shape shape = images.shape();
  shape.insert(shape.begin() + 1, 1);
  images.reshape(shape);
  if (dtype == DType::UInt8)
    return images;
  Array result(dtype, shape);
  if (dtype == DType::Float32)
    divideBy255<float>(images, result);
  else if (dtype == DType::Float64)
    divideBy255<double>(images, result);
  else
    for (int64_t i = 0; i < images.size(); ++i)
      result.as<uint8_t>()[i] = images.as<uint8_t>()[i] >= 128;
  return result;
}

struct Loaded {
  std::string split;
  Array images, labels;
};

Loaded load(const std::string &directory, const Part &part) {
  std::string imagePath = findIdx(directory, part.images);
  std::string labelPath = findIdx(directory, part.labels);
  Loaded loaded{part.split, readIdx(imagePath, 3), readIdx(labelPath, 1)};
  int64_t images = loaded.images.shape()[0], labels = loaded.labels.size();
  if (images != labels)
    throw blocks::InputError("'" + imagePath + "' holds " +
                             std::to_string(images) + " images, but '" +
                             labelPath + "' holds " + std::to_string(labels) +
                             " labels; do they belong together?");
  loaded.labels.reshape({labels, 1});
  return loaded;
}

void checkSameSize(const Array &a, const Array &b) {
  if (a.shape()[1] != b.shape()[1] || a.shape()[2] != b.shape()[2])
    throw blocks::InputError(
        "the training images have the shape " + blocks::formatShape(a.shape()) +
        ", those for the test " + blocks::formatShape(b.shape()) +
        "; expected images of one size: do they belong together?");
}
} // namespace

std::string convertMnist(const ConvertOptions &options) {
  DType dtype = elementType(options.dtype);
  std::string path = outputPath(options);
  checkInputs(options.directory);
  Loaded train = load(options.directory, parts[0]);
  Loaded test = load(options.directory, parts[1]);
  checkSameSize(train.images, test.images);

  blocks::Shape size = train.images.shape();
  int64_t rows = size[0] + test.images.shape()[0];
  DatasetFile file(path);
  file.addSource("features", dtype, {rows, 1, size[1], size[2]},
                 {"batch", "channel", "height", "width"});
  file.addSource("targets", DType::UInt8, {rows, 1}, {"batch", "index"});
  for (Loaded *part : {&train, &test}) {
    Array images = convertImages(std::move(part->images), dtype);
    file.append(part->split, "features", images.view());
    file.append(part->split, "targets", part->labels.view());
  }
  file.commit(options.command);
  return path;
}

} // namespace fuel
