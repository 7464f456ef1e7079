// The binarized_mnist converter: three text files of 784 zeros and ones a line
// to the source `features` (n, 1, 28, 28), splits `train`, `valid` and `test`.
#include "fuel/Converters/BuiltIn.h"

#include "blocks/Error.h"
#include "fuel/Converters/Paths.h"
#include "fuel/Converters/RowBlock.h"
#include "fuel/Converters/TextTable.h"

namespace fuel {

namespace {
constexpr int64_t side = 28;

std::vector<std::string> files() {
  return {"binarized_mnist_train.amat", "binarized_mnist_valid.amat",
          "binarized_mnist_test.amat"};
}

void readImages(const std::string &path, RowBlock &rows,
                ProgressTask &progress) {
  TextTable table(path);
  while (table.next()) {
    table.requireFields(side * side);
    uint8_t *row = rows.add<uint8_t>();
    for (size_t i = 0; i < side * side; ++i)
      row[i] = uint8_t(table.integer(i, 0, 1));
    progress.advance();
  }
  if (rows.rows() == 0)
    throw blocks::InputError("'" + path +
                             "' holds no images; expected lines "
                             "of 784 zeros and ones");
  rows.flush();
}

std::string convert(const ConvertOptions &options) {
  std::string path = outputPath(options, "binarized_mnist");
  std::vector<std::string> inputs =
      findInputs(options, "binarized_mnist", files());
  DatasetFile file(path);
  file.addSource("features", blocks::DType::UInt8, {-1, 1, side, side},
                 {"batch", "channel", "height", "width"});
  const char *splits[] = {"train", "valid", "test"};
  for (size_t i = 0; i < inputs.size(); ++i) {
    RowBlock rows(file, splits[i], "features", blocks::DType::UInt8,
                  {1, side, side});
    ProgressTask progress(options.progress, std::string(splits[i]) + " images");
    readImages(inputs[i], rows, progress);
  }
  file.commit(options.command);
  return path;
}
} // namespace

Converter binarizedMnistConverter() {
  Converter converter;
  converter.name = converter.outputName = "binarized_mnist";
  converter.summary = "Larochelle's binarized MNIST: text files of zeros and "
                      "ones";
  converter.files = files();
  converter.convert = convert;
  return converter;
}

} // namespace fuel
