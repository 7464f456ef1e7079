// CelebAParts: see CelebAParts.h.
#include "fuel/Converters/CelebAParts.h"

#include "blocks/Error.h"
#include "fuel/Converters/Paths.h"
#include "fuel/Converters/TextTable.h"

#include <cstdio>
#include <filesystem>

namespace fuel {

using blocks::InputError;

namespace {
constexpr int64_t allImages = 202599, trainStop = 162770, validStop = 182637;
constexpr int64_t mostImages = 10'000'000;

/// The first field of line `row`, counted from 0, must be its image's name.
void checkName(const TextTable &table, int64_t row) {
  char name[24];
  std::snprintf(name, sizeof name, "%06lld.jpg",
                static_cast<long long>(row + 1));
  if (table.fields()[0] != name)
    table.refuse(0, name);
}
} // namespace

blocks::Array readCelebAAttributes(const std::string &path) {
  TextTable table(path);
  if (!table.next())
    throw InputError("'" + path + "' is empty");
  table.requireFields(1);
  int64_t count = table.integer(0, 1, mostImages);
  if (!table.next())
    throw InputError("'" + path + "' ends after its first line");
  table.requireFields(celebAAttributes);
  std::vector<uint8_t> values;
  int64_t rows = 0;
  for (; table.next(); ++rows) {
    table.requireFields(1 + celebAAttributes);
    checkName(table, rows);
    for (int64_t i = 1; i <= celebAAttributes; ++i)
      values.push_back(uint8_t((table.integer(size_t(i), -1, 1) + 1) / 2));
  }
  if (rows != count)
    throw InputError("'" + path + "' describes " + std::to_string(rows) +
                     " images; its first line announces " +
                     std::to_string(count));
  blocks::Array result(blocks::DType::UInt8, {rows, celebAAttributes});
  std::copy(values.begin(), values.end(), result.as<uint8_t>());
  return result;
}

static std::vector<CelebAPart> readParts(const std::string &path,
                                         int64_t count) {
  std::vector<CelebAPart> parts{
      {"train", 0, 0}, {"valid", 0, 0}, {"test", 0, 0}};
  TextTable table(path);
  size_t current = 0;
  int64_t row = 0;
  for (; table.next(); ++row) {
    table.requireFields(2);
    checkName(table, row);
    auto part = size_t(table.integer(1, 0, 2));
    if (part < current)
      throw InputError(table.where() + " puts an image into part " +
                       std::to_string(part) + " after those of part " +
                       std::to_string(current) +
                       "; expected 0, then 1, then 2");
    for (; current < part; ++current)
      parts[current + 1].start = parts[current + 1].stop = row;
    parts[current].stop = row + 1;
  }
  if (row != count)
    throw InputError("'" + path + "' has " + std::to_string(row) +
                     " lines, but there are attributes of " +
                     std::to_string(count) + " images");
  for (; current + 1 < parts.size(); ++current)
    parts[current + 1].start = parts[current + 1].stop = row;
  std::erase_if(parts, [](auto &part) { return part.start == part.stop; });
  return parts;
}

std::vector<CelebAPart> celebAParts(const std::string &directory,
                                    int64_t count) {
  std::string path =
      (std::filesystem::path(directory) / "list_eval_partition.txt").string();
  if (fileExists(path))
    return readParts(path, count);
  if (count != allImages)
    throw InputError("there are attributes of " + std::to_string(count) +
                     " images, not of all 202599; put list_eval_partition.txt "
                     "into '" +
                     directory + "', which says what each image is for");
  return {{"train", 0, trainStop},
          {"valid", trainStop, validStop},
          {"test", validStop, allImages}};
}

} // namespace fuel
