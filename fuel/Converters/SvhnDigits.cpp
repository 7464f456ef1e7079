// SvhnDigits: single digits, three MATLAB files, to sources `features` (n, 3,
// 32, 32) and `targets` (n, 1); splits `train`, `test` and `extra`. In the
// files an image's axes are height, width, channel, and ten stands for the
// digit zero. Images are streamed: `extra` has half a million.
#include "fuel/Converters/Svhn.h"

#include "blocks/Error.h"
#include "fuel/Converters/MatFile.h"
#include "fuel/Converters/Paths.h"
#include "fuel/Converters/RowBlock.h"
#include "runtime/Base/MappedFile.h"

namespace fuel {

namespace {
using Kind = MatVariable::Kind;
constexpr int64_t side = 32, channels = 3;
constexpr size_t pixels = size_t(side * side);

struct Part {
  Part(std::string split, const std::string &path)
      : split(std::move(split)), mapped(path),
        file(mapped.bytes(), "'" + path + "'"),
        images(file.find("X", Kind::Numbers)),
        labels(file.find("y", Kind::Numbers)) {
    check();
  }
  /// MATLAB drops a last axis of one.
  int64_t count() const {
    return images.shape.size() == 4 ? images.shape[3] : 1;
  }
  void check() const {
    blocks::Shape expected{side, side, channels};
    if (images.shape.size() == 4)
      expected.push_back(count());
    if (images.shape != expected)
      refuse(images, "32x32x3xN");
    if (labels.shape != blocks::Shape{count(), 1})
      refuse(labels, std::to_string(count()) + "x1, a label for each image");
    file.numbers(images); // Whether the bytes are as many.
  }
  [[noreturn]] void refuse(const MatVariable &variable,
                           const std::string &expected) const {
    throw blocks::InputError(file.describe(variable) + " has the shape " +
                             blocks::formatShape(variable.shape) +
                             "; expected " + expected);
  }

  std::string split;
  blocks::MappedFile mapped;
  MatFile file;
  const MatVariable &images, &labels;
};

/// The file's first axis, the height, is the fastest.
void turn(const uint8_t *from, uint8_t *to) {
  for (int64_t c = 0; c < channels; ++c, from += pixels)
    for (int64_t y = 0; y < side; ++y)
      for (int64_t x = 0; x < side; ++x)
        *to++ = from[x * side + y];
}

void appendImages(DatasetFile &out, const Part &part, Progress *progress) {
  ProgressTask task(progress, part.split + " images", part.count());
  RowBlock rows(out, part.split, "features", blocks::DType::UInt8,
                {channels, side, side});
  MatFile::Numbers numbers = part.file.numbers(part.images);
  uint8_t image[channels * pixels];
  for (int64_t i = 0; i < part.count(); ++i) {
    numbers.read(image, sizeof image);
    turn(image, rows.add<uint8_t>());
    task.advance();
  }
  rows.flush();
}

void appendLabels(DatasetFile &out, const Part &part) {
  blocks::Array labels(blocks::DType::UInt8, {part.count(), 1});
  uint8_t *values = labels.as<uint8_t>();
  part.file.numbers(part.labels).read(values, size_t(part.count()));
  for (int64_t i = 0; i < part.count(); ++i) {
    if (values[i] > 10)
      throw blocks::InputError(part.file.describe(part.labels) + " holds " +
                               std::to_string(values[i]) +
                               "; expected digits from 1 to 10");
    values[i] %= 10;
  }
  out.append(part.split, "targets", labels.view());
}
} // namespace

std::string convertSvhnDigits(const ConvertOptions &options) {
  const std::vector<std::string> splits{"train", "test", "extra"};
  std::string path = outputPath(options, "svhn_format_2");
  std::vector<std::string> names;
  for (const std::string &split : splits)
    names.push_back(split + "_32x32.mat");
  std::vector<std::string> inputs = findInputs(options, "svhn", names);
  std::vector<std::unique_ptr<Part>> parts;
  int64_t rows = 0;
  for (size_t i = 0; i < splits.size(); ++i) {
    parts.push_back(std::make_unique<Part>(splits[i], inputs[i]));
    rows += parts.back()->count();
  }
  DatasetFile out(path);
  out.addSource("features", blocks::DType::UInt8, {rows, channels, side, side},
                {"batch", "channel", "height", "width"});
  out.addSource("targets", blocks::DType::UInt8, {rows, 1}, {"batch", "index"});
  for (const auto &part : parts) {
    appendImages(out, *part, options.progress);
    appendLabels(out, *part);
  }
  out.commit(options.command);
  return path;
}

} // namespace fuel
