// ImageNetKit: see ImageNetKit.h.
#include "fuel/Converters/ImageNetKit.h"

#include "blocks/Error.h"
#include "fuel/Converters/ArchiveFiles.h"
#include "fuel/Converters/MatFile.h"

#include <algorithm>
#include <charconv>

namespace fuel {

using blocks::InputError;
using Kind = MatVariable::Kind;

namespace {
constexpr int64_t mostClasses = 1000, mostLines = 32767;
constexpr uint64_t mostBytes = uint64_t(1) << 26;

/// The table of classes: a structure of one axis.
class Synsets {
public:
  Synsets(std::span<const std::byte> bytes, const std::string &where)
      : where(where) {
    MatFile file(bytes, where);
    table = file.read(file.find("synsets", Kind::Structure));
    if (count() > mostLines)
      refuse("has " + std::to_string(count()) + " lines");
  }
  int64_t count() const { return blocks::numElements(table.shape); }
  int64_t number(int64_t line, const std::string &name) const {
    const MatValue &value = field(line, name);
    if (value.numbers.size() != 1 || !(value.numbers[0] >= 0) ||
        !(value.numbers[0] <= 1e9))
      refuse("has no number in '" + name + "', line " +
             std::to_string(line + 1));
    return int64_t(value.numbers[0]);
  }
  const std::string &text(int64_t line, const std::string &name) const {
    const MatValue &value = field(line, name);
    if (value.kind != Kind::Text)
      refuse("has no text in '" + name + "', line " + std::to_string(line + 1));
    return value.text;
  }

private:
  const MatValue &field(int64_t line, const std::string &name) const {
    const std::vector<std::string> &names = table.fieldNames;
    auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      refuse("has no field '" + name + "'");
    return table.fields.at(size_t(line) * names.size() +
                           size_t(found - names.begin()));
  }
  [[noreturn]] void refuse(const std::string &what) const {
    throw InputError("the table 'synsets' in " + where + " " + what);
  }
  std::string where;
  MatValue table;
};

void readClasses(ImageNetKit &kit, const Synsets &synsets,
                 const std::string &idField) {
  for (int64_t line = 0; line < synsets.count(); ++line) {
    kit.trainImages += synsets.number(line, "num_train_images");
    kit.classOfId[synsets.number(line, idField)] = int16_t(line);
    if (line < mostClasses)
      kit.classes[synsets.text(line, "WNID")] = int16_t(line);
  }
}
} // namespace

std::vector<int16_t> readGroundTruth(const ImageNetKit &kit,
                                     std::span<const std::byte> text,
                                     const std::string &where) {
  std::string_view rest(reinterpret_cast<const char *>(text.data()),
                        text.size());
  std::vector<int16_t> classes;
  constexpr std::string_view blanks = " \t\r\n";
  for (;;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
    if (rest.empty())
      return classes;
    std::string_view word = rest.substr(0, rest.find_first_of(blanks));
    rest.remove_prefix(word.size());
    int64_t id = 0;
    const char *end = word.data() + word.size();
    auto [stop, error] = std::from_chars(word.data(), end, id);
    auto found = kit.classOfId.find(id);
    if (error != std::errc() || stop != end || found == kit.classOfId.end())
      throw InputError(where + ", line " + std::to_string(classes.size() + 1) +
                       ", is '" + std::string(word.substr(0, 40)) +
                       "'; expected the number of a class");
    classes.push_back(found->second);
  }
}

ImageNetKit readImageNetKit(const std::string &path, const ImageNetFiles &files,
                            const std::string &folder) {
  ArchiveFiles archive(path, folder, [&](std::string_view name) {
    return name == files.meta || name == files.validTruth;
  });
  ImageNetKit kit;
  std::vector<std::byte> buffer;
  size_t meta = archive.require(files.meta);
  readClasses(
      kit, Synsets(archive.read(meta, buffer, mostBytes), archive.where(meta)),
      files.idField);
  size_t truth = archive.require(files.validTruth);
  kit.validTruth = readGroundTruth(kit, archive.read(truth, buffer, mostBytes),
                                   archive.where(truth));
  return kit;
}

} // namespace fuel
