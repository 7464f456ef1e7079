// The celeba converter: faces of celebrities, aligned and cropped, to sources
// `features` (n, 3, 218, 178), or (n, 3, 64, 64) for the form `64`, and
// `targets` (n, 40: whether each attribute is there); splits `train`, `valid`
// and `test`.
#include "fuel/Converters/BuiltIn.h"

#include "blocks/Error.h"
#include "fuel/Converters/CelebAParts.h"
#include "fuel/Converters/Paths.h"
#include "fuel/Converters/Pictures.h"
#include "fuel/Converters/RowBlock.h"
#include "fuel/Images/Resample.h"

#include <cstdio>
#include <cstring>

namespace fuel {

namespace {
const std::string imageArchive = "img_align_celeba.zip",
                  attributeFile = "list_attr_celeba.txt";
constexpr int64_t channels = 3, height = 218, width = 178;
/// The small form: resized to this, then the middle rows.
constexpr int64_t side = 64, resizedHeight = 78, cut = 7;

void shrink(const uint8_t *from, uint8_t *to) {
  std::byte plane[resizedHeight * side];
  for (int64_t c = 0; c < channels; ++c) {
    resizePlane(blocks::DType::UInt8,
                reinterpret_cast<const std::byte *>(from) + c * height * width,
                height, width, plane, resizedHeight, side, Resampling::Lanczos);
    std::memcpy(to + c * side * side, plane + cut * side, side * side);
  }
}

std::string imageName(int64_t number) {
  char name[40];
  std::snprintf(name, sizeof name, "img_align_celeba/%06lld.jpg",
                static_cast<long long>(number));
  return name;
}

void appendImages(DatasetFile &file, const std::vector<CelebAPart> &parts,
                  const std::string &archive, bool small,
                  const ConvertOptions &options) {
  ArchiveFiles files(archive, options.outputDirectory);
  Pictures pictures(files);
  ProgressTask progress(options.progress, "images", parts.back().stop);
  blocks::Shape item = small ? blocks::Shape{channels, side, side}
                             : blocks::Shape{channels, height, width};
  for (const CelebAPart &part : parts) {
    RowBlock rows(file, part.split, "features", blocks::DType::UInt8, item);
    for (int64_t i = part.start; i < part.stop; ++i, progress.advance()) {
      size_t index = files.require(imageName(i + 1));
      const blocks::Array &image = pictures.read(index);
      if (image.shape() != blocks::Shape{channels, height, width})
        throw blocks::InputError(files.where(index) + " has the shape " +
                                 blocks::formatShape(image.shape()) +
                                 "; expected 3x218x178");
      if (small)
        shrink(image.as<uint8_t>(), rows.add<uint8_t>());
      else
        std::memcpy(rows.add(), image.data(), image.bytes());
    }
    rows.flush();
  }
}

std::string convert(const ConvertOptions &options) {
  std::string form = options.text("which_format");
  bool small = form == "64";
  std::string path = outputPath(options, "celeba_" + form);
  std::vector<std::string> inputs =
      findInputs(options, "celeba", {imageArchive, attributeFile});
  blocks::Array attributes = readCelebAAttributes(inputs[1]);
  int64_t count = attributes.shape()[0];
  std::vector<CelebAPart> parts = celebAParts(options.directory, count);
  DatasetFile file(path);
  file.addSource("features", blocks::DType::UInt8,
                 {count, channels, small ? side : height, small ? side : width},
                 {"batch", "channel", "height", "width"});
  file.addSource("targets", blocks::DType::UInt8, attributes.shape(),
                 {"batch", "target"});
  for (const CelebAPart &part : parts)
    file.append(part.split, "targets",
                {blocks::DType::UInt8,
                 {part.stop - part.start, celebAAttributes},
                 attributes.data() + part.start * celebAAttributes});
  appendImages(file, parts, inputs[0], small, options);
  file.commit(options.command);
  return path;
}
} // namespace

Converter celebAConverter() {
  Converter converter;
  converter.name = "celeba";
  converter.outputName = "celeba_FORMAT";
  converter.summary = "CelebA: faces of celebrities and their attributes";
  converter.files = {imageArchive, attributeFile,
                     "list_eval_partition.txt (which images are for what; not "
                     "needed for all 202,599)"};
  ConverterOption format{"which_format",
                         "218x178 pixels as they are, or 64x64"};
  format.positional = format.required = true;
  format.choices = {"aligned_cropped", "64"};
  converter.options = {format};
  converter.convert = convert;
  return converter;
}

} // namespace fuel
