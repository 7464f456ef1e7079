// DigitStruct: see DigitStruct.h. The group `digitStruct` has a dataset `bbox`
// of references, one for each image, to groups with a dataset for each field. A
// single box's number stands there; of several there are references to
// datasets of one number.
#include "fuel/Converters/DigitStruct.h"

#include "blocks/Error.h"
#include "fuel/Hdf5/ChildProcess.h"
#include "fuel/Hdf5/Packing.h"
#include "runtime/Hdf5/File.h"

#include <algorithm>

namespace fuel {

using blocks::CorruptError;
using blocks::hdf5::Dataset;
using blocks::hdf5::Group;
using blocks::hdf5::Type;

namespace {
constexpr int64_t mostBoxes = 1000;

/// A column: as many rows as said, one number or reference each.
void requireColumn(const Dataset &dataset, int64_t rows) {
  if (blocks::numElements(dataset.shape()) != rows || dataset.shape().empty() ||
      dataset.shape()[0] != rows)
    throw CorruptError(describe(dataset.place()) + " has the shape " +
                       blocks::formatShape(dataset.shape()) + "; expected " +
                       std::to_string(rows) + " rows of one value");
}

std::vector<hobj_ref_t> references(const Dataset &dataset, int64_t rows) {
  requireColumn(dataset, rows);
  if (!dataset.type().isObjectReference())
    throw CorruptError(describe(dataset.place()) + " holds elements of type " +
                       dataset.type().describe() + "; expected references");
  std::vector<hobj_ref_t> list(static_cast<size_t>(rows));
  dataset.readRows(0, rows, list.data(), Type::objectReference());
  return list;
}

int32_t oneNumber(const Dataset &dataset) {
  requireColumn(dataset, 1);
  dataset.dtype(); // An error unless these are numbers.
  double value = 0;
  dataset.readRows(0, 1, &value, Type::of(blocks::DType::Float64));
  constexpr double low = -32768, high = 65535;
  if (!(value >= low && value <= high))
    throw CorruptError(describe(dataset.place()) + " holds " +
                       std::to_string(value) +
                       "; expected a number of pixels or a digit");
  return int32_t(value);
}

void readField(const Group &image, const char *field,
               std::vector<int32_t> &numbers) {
  Dataset dataset = image.dataset(field);
  int64_t boxes = dataset.shape().empty() ? 0 : dataset.shape()[0];
  if (boxes < 1 || boxes > mostBoxes)
    throw CorruptError(describe(dataset.place()) + " describes " +
                       std::to_string(boxes) + " boxes; expected 1 to " +
                       std::to_string(mostBoxes));
  if (boxes == 1)
    return numbers.push_back(oneNumber(dataset));
  for (hobj_ref_t reference : references(dataset, boxes))
    numbers.push_back(oneNumber(image.dereference(reference, field)));
}

DigitBoxes scan(const std::string &path, int64_t images) {
  blocks::hdf5::refusePlugins();
  blocks::hdf5::File file = blocks::hdf5::File::open(path);
  Group root = file.root().group("digitStruct");
  DigitBoxes result;
  result.first.push_back(0);
  for (hobj_ref_t reference : references(root.dataset("bbox"), images)) {
    Group image = root.dereferenceGroup(reference, "a box");
    for (size_t i = 0; i < DigitBoxes::fields.size(); ++i) {
      readField(image, DigitBoxes::fields[i], result.boxes[i]);
      if (result.boxes[i].size() != result.boxes[0].size())
        throw CorruptError("the image " + std::to_string(result.first.size()) +
                           " in '" + path + "' has " +
                           std::to_string(result.boxes[0].size()) +
                           " labels up to it, but another number of boxes");
    }
    result.first.push_back(int64_t(result.boxes[0].size()));
  }
  return result;
}

std::string pack(const DigitBoxes &result) {
  Packer packer;
  packer << result.first;
  for (const std::vector<int32_t> &numbers : result.boxes)
    packer << numbers;
  return std::move(packer.bytes);
}

DigitBoxes unpack(const std::string &bytes, int64_t images) {
  Unpacker message(bytes);
  DigitBoxes result;
  message >> result.first;
  bool sound = int64_t(result.first.size()) == images + 1 &&
               std::is_sorted(result.first.begin(), result.first.end());
  for (std::vector<int32_t> &numbers : result.boxes) {
    message >> numbers;
    sound = sound && int64_t(numbers.size()) == result.first.back();
  }
  if (!sound)
    throw CorruptError("the boxes read do not belong together");
  return result;
}

std::string replaced(std::string text, const std::string &from,
                     const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
  return text;
}
} // namespace

DigitBoxes readDigitStruct(const std::string &path, const std::string &name,
                           int64_t images) {
  // About 20 objects an image, each of them tens of microseconds.
  ChildLimits limits;
  limits.cpuSeconds = 30 + images / 200;
  limits.moreBytes = uint64_t(4) << 30;
  try {
    return unpack(
        inChildProcess(path, limits, [&] { return pack(scan(path, images)); }),
        images);
  } catch (const blocks::Error &error) {
    throw blocks::Error(error.kind(), replaced(error.what(), path, name));
  }
}

} // namespace fuel
