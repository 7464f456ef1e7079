// SvhnNumbers: whole house numbers, three archives of images with boxes around
// the digits, to the source `features` (images of their own sizes) and
// `bbox_labels`, `bbox_heights`, `bbox_widths`, `bbox_lefts`, `bbox_tops` (as
// many boxes as there are, 1); splits `train`, `test` and `extra`. The label
// ten stands for the digit zero.
#include "fuel/Converters/Svhn.h"

#include "blocks/Error.h"
#include "fuel/Converters/DatasetFile.h"
#include "fuel/Converters/DigitStruct.h"
#include "fuel/Converters/Paths.h"
#include "fuel/Converters/Pictures.h"
#include "runtime/Base/AtomicFile.h"

#include <algorithm>

namespace fuel {

namespace {
using blocks::DType;

struct Field {
  const char *source, *axis;
  DType dtype;
};
/// In the order of DigitBoxes::fields.
constexpr Field fields[] = {{"bbox_labels", "index", DType::UInt8},
                            {"bbox_heights", "height", DType::UInt16},
                            {"bbox_widths", "width", DType::UInt16},
                            {"bbox_lefts", "x", DType::UInt16},
                            {"bbox_tops", "y", DType::UInt16}};
constexpr size_t labelField = 0;

class Part {
public:
  Part(const std::string &split, const std::string &path,
       const std::string &folder)
      : split(split), files(path, folder, isWanted) {
    for (size_t i = 0; i < files.count(); ++i)
      images += files.name(i).ends_with(".png");
    readBoxes(folder);
  }
  void append(DatasetFile &file, ProgressTask &progress) const;

  std::string split, where; ///< Where the boxes are described.
  ArchiveFiles files;
  DigitBoxes boxes;
  int64_t images = 0;

private:
  static bool isWanted(std::string_view name) {
    return name.ends_with(".png") || name.ends_with("digitStruct.mat");
  }
  void readBoxes(const std::string &folder) {
    size_t index = files.require(split + "/digitStruct.mat");
    // The library wants a file with a name. Never committed, it goes again.
    blocks::AtomicFile copy(folder + "/" + split + "-digitStruct.mat");
    files.copy(index, [&](std::span<const std::byte> piece) {
      copy.write(piece.data(), piece.size());
    });
    where = files.where(index);
    boxes = readDigitStruct(copy.temporary(), where.substr(1, where.size() - 2),
                            images);
  }
  void appendBoxes(DatasetFile &file, int64_t image, size_t field) const;
};

/// The few boxes that begin outside of an image begin at its edge, as in Fuel.
template <typename T>
void fill(blocks::Array &array, const int32_t *numbers, int64_t count) {
  array.resize(sizeof(T) == 1 ? DType::UInt8 : DType::UInt16, {count, 1});
  for (int64_t i = 0; i < count; ++i)
    array.as<T>()[i] = T(std::max(numbers[i], 0));
}

void Part::appendBoxes(DatasetFile &file, int64_t image, size_t field) const {
  int64_t first = boxes.first[size_t(image)];
  int64_t count = boxes.first[size_t(image) + 1] - first;
  std::vector<int32_t> numbers(boxes.boxes[field].begin() + first,
                               boxes.boxes[field].begin() + first + count);
  if (field == labelField)
    for (int32_t &label : numbers) {
      if (label < 0 || label > 10)
        throw blocks::InputError(where + " labels a box of image " +
                                 std::to_string(image + 1) + " with " +
                                 std::to_string(label) +
                                 "; expected digits from 1 to 10");
      label %= 10;
    }
  blocks::Array array;
  if (fields[field].dtype == DType::UInt8)
    fill<uint8_t>(array, numbers.data(), count);
  else
    fill<uint16_t>(array, numbers.data(), count);
  file.appendItem(split, fields[field].source, array.view());
}

void Part::append(DatasetFile &file, ProgressTask &progress) const {
  Pictures pictures(files);
  for (int64_t i = 0; i < images; ++i, progress.advance()) {
    size_t index = files.require(split + "/" + std::to_string(i + 1) + ".png");
    file.appendItem(split, "features", pictures.read(index).view());
    for (size_t field = 0; field < std::size(fields); ++field)
      appendBoxes(file, i, field);
  }
}

void declareSources(DatasetFile &file, int64_t rows) {
  file.addRaggedSource("features", DType::UInt8,
                       {"batch", "channel", "height", "width"}, DType::UInt16,
                       rows);
  for (const Field &field : fields)
    file.addRaggedSource(field.source, field.dtype,
                         {"batch", "bounding_box", field.axis}, DType::UInt16,
                         rows);
}
} // namespace

std::string convertSvhnNumbers(const ConvertOptions &options) {
  const std::vector<std::string> splits{"train", "test", "extra"};
  std::string path = outputPath(options, "svhn_format_1");
  std::vector<std::string> names;
  for (const std::string &split : splits)
    names.push_back(split + ".tar.gz");
  std::vector<std::string> inputs = findInputs(options, "svhn", names);
  // The boxes are read in other processes, before the result is opened here.
  std::vector<std::unique_ptr<Part>> parts;
  int64_t rows = 0;
  {
    ProgressTask progress(options.progress, "archives", int64_t(splits.size()));
    for (size_t i = 0; i < splits.size(); ++i, progress.advance()) {
      parts.push_back(std::make_unique<Part>(splits[i], inputs[i],
                                             options.outputDirectory));
      rows += parts.back()->images;
    }
  }
  DatasetFile file(path);
  declareSources(file, rows);
  ProgressTask progress(options.progress, "images", rows);
  for (const auto &part : parts)
    part->append(file, progress);
  file.commit(options.command);
  return path;
}

} // namespace fuel
