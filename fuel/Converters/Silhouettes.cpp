// The caltech101_silhouettes converter: outlines of the objects of Caltech 101,
// a MATLAB file, to sources `features` (n, 1, size, size) and `targets` (n, 1);
// splits `train`, `valid` and `test`.
#include "fuel/Converters/BuiltIn.h"

#include "blocks/Error.h"
#include "fuel/Converters/DatasetFile.h"
#include "fuel/Converters/MatFile.h"
#include "fuel/Converters/Paths.h"
#include "runtime/Base/MappedFile.h"

namespace fuel {

namespace {
using Kind = MatVariable::Kind;
constexpr int64_t mostImages = 1 << 20;
constexpr uint8_t classes = 101;

struct Part {
  const char *split, *pixels, *labels;
};
constexpr Part parts[] = {{"train", "train_data", "train_labels"},
                          {"valid", "val_data", "val_labels"},
                          {"test", "test_data", "test_labels"}};

/// A matrix of numbers from `low` to `high`, in C order.
blocks::Array readMatrix(const MatFile &file, const char *name, int64_t columns,
                         uint8_t low, uint8_t high) {
  const MatVariable &variable = file.find(name, Kind::Numbers);
  const blocks::Shape &shape = variable.shape;
  if (shape.size() != 2 || shape[1] != columns || shape[0] > mostImages)
    throw blocks::InputError(file.describe(variable) + " has the shape " +
                             blocks::formatShape(shape) + "; expected " +
                             std::to_string(columns) + " columns");
  MatFile::Numbers numbers = file.numbers(variable);
  blocks::Array result(blocks::DType::UInt8, shape);
  std::vector<uint8_t> column(static_cast<size_t>(shape[0]));
  for (int64_t j = 0; j < columns; ++j) {
    numbers.read(column.data(), column.size());
    for (size_t i = 0; i < column.size(); ++i) {
      if (column[i] < low || column[i] > high)
        throw blocks::InputError(
            file.describe(variable) + " holds " + std::to_string(column[i]) +
            "; expected numbers from " + std::to_string(low) + " to " +
            std::to_string(high));
      result.as<uint8_t>()[int64_t(i) * columns + j] = column[i];
    }
  }
  return result;
}

void appendPart(DatasetFile &out, const MatFile &file, const Part &part,
                int64_t size) {
  blocks::Array pixels = readMatrix(file, part.pixels, size * size, 0, 1);
  blocks::Array labels = readMatrix(file, part.labels, 1, 1, classes);
  int64_t images = pixels.shape()[0];
  if (labels.shape()[0] != images)
    throw blocks::InputError("'" + std::string(part.pixels) + "' holds " +
                             std::to_string(images) + " images, but '" +
                             part.labels + "' " +
                             std::to_string(labels.shape()[0]) + " labels");
  pixels.reshape({images, 1, size, size});
  out.append(part.split, "features", pixels.view());
  out.append(part.split, "targets", labels.view());
}

std::string convert(const ConvertOptions &options) {
  std::string size = options.text("size");
  std::string path = outputPath(options, "caltech101_silhouettes" + size);
  std::string input =
      findInputs(options, "caltech101_silhouettes",
                 {"caltech101_silhouettes_" + size + "_split1.mat"})
          .front();
  blocks::MappedFile mapped(input);
  MatFile file(mapped.bytes(), "'" + input + "'");
  int64_t side = options.integer("size");
  DatasetFile out(path);
  out.addSource("features", blocks::DType::UInt8, {-1, 1, side, side},
                {"batch", "channel", "height", "width"});
  out.addSource("targets", blocks::DType::UInt8, {-1, 1}, {"batch", "index"});
  for (const Part &part : parts)
    appendPart(out, file, part, side);
  out.commit(options.command);
  return path;
}
} // namespace

Converter silhouettesConverter() {
  Converter converter;
  converter.name = "caltech101_silhouettes";
  converter.outputName = "caltech101_silhouettesSIZE";
  converter.summary = "Silhouettes of the objects of Caltech 101";
  converter.files = {"caltech101_silhouettes_SIZE_split1.mat"};
  ConverterOption size{"size", "height and width of the images"};
  size.positional = size.required = true;
  size.choices = {"16", "28"};
  converter.options = {size};
  converter.convert = convert;
  return converter;
}

} // namespace fuel
