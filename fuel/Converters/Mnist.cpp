// The mnist converter: four IDX files to sources `features` (n, 1, height,
// width) and `targets` (n, 1), splits `train` and `test`. See
// include/fuel/Convert.h.
#include "fuel/Converters/BuiltIn.h"

#include "blocks/Error.h"
#include "fuel/Converters/DatasetFile.h"
#include "fuel/Converters/Idx.h"
#include "fuel/Converters/Paths.h"

namespace fuel {

using blocks::Array;
using blocks::DType;

namespace {
struct Part {
  const char *split, *images, *labels;
};
constexpr Part parts[] = {
    {"train", "train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"},
    {"test", "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"},
};

/// The names are those of the option's choices.
DType elementType(const std::string &name) {
  return name == "float32"   ? DType::Float32
         : name == "float64" ? DType::Float64
         : name == "bool"    ? DType::Bool
                             : DType::UInt8;
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
  std::string imagePath = findPlainOrGzip(directory, part.images);
  std::string labelPath = findPlainOrGzip(directory, part.labels);
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
std::vector<std::string> files() {
  std::vector<std::string> names;
  for (const Part &part : parts)
    names.insert(names.end(), {part.images, part.labels});
  return names;
}

std::string convert(const ConvertOptions &options) {
  DType dtype = elementType(options.text("dtype"));
  std::string path = outputPath(options, "mnist");
  findPlainOrGzipInputs(options, "mnist", files());
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
} // namespace

Converter mnistConverter() {
  Converter converter;
  converter.name = converter.outputName = "mnist";
  converter.summary = "MNIST, Fashion-MNIST and others in their format: four "
                      "IDX files, gzipped or not";
  converter.files = files();
  ConverterOption dtype{"dtype",
                        "store the pixels as float32 or float64 (divided by "
                        "255) or bool (128 and more is true); otherwise bytes"};
  dtype.choices = {"float32", "float64", "bool"};
  converter.options = {dtype};
  converter.convert = convert;
  return converter;
}

} // namespace fuel
