// The iris converter: Fisher's 150 flowers, `iris.data`, to sources `features`
// (n, 4) and `targets` (n, 1), split `all`.
#include "fuel/Converters/BuiltIn.h"

#include "blocks/Error.h"
#include "fuel/Converters/Paths.h"
#include "fuel/Converters/RowBlock.h"
#include "fuel/Converters/TextTable.h"

namespace fuel {

namespace {
constexpr size_t measures = 4;
constexpr std::string_view classes[] = {"Iris-setosa", "Iris-versicolor",
                                        "Iris-virginica"};

uint8_t classOf(const TextTable &table) {
  for (uint8_t number = 0; number < std::size(classes); ++number)
    if (table.fields()[measures] == classes[number])
      return number;
  table.refuse(measures, "Iris-setosa, Iris-versicolor or Iris-virginica");
}

std::string convert(const ConvertOptions &options) {
  std::string path = outputPath(options, "iris");
  TextTable table(findInputs(options, "iris", {"iris.data"}).front(), ',');
  DatasetFile file(path);
  file.addSource("features", blocks::DType::Float32, {-1, measures},
                 {"batch", "feature"});
  file.addSource("targets", blocks::DType::UInt8, {-1, 1}, {"batch", "index"});
  RowBlock features(file, "all", "features", blocks::DType::Float32,
                    {measures});
  RowBlock targets(file, "all", "targets", blocks::DType::UInt8, {1});
  while (table.next()) {
    table.requireFields(measures + 1);
    float *row = features.add<float>();
    for (size_t i = 0; i < measures; ++i)
      row[i] = float(table.number(i));
    *targets.add<uint8_t>() = classOf(table);
  }
  if (features.rows() == 0)
    throw blocks::InputError("'" + options.directory +
                             "/iris.data' holds no flowers");
  features.flush();
  targets.flush();
  file.commit(options.command);
  return path;
}
} // namespace

Converter irisConverter() {
  Converter converter;
  converter.name = converter.outputName = "iris";
  converter.summary = "Iris: four measures of flowers of three kinds";
  converter.files = {"iris.data"};
  converter.convert = convert;
  return converter;
}

} // namespace fuel
