// ArchiveFiles: the files in a tar or zip archive, by number, to be read in any
// order. What lies in the archive as it is stays there (the archive is mapped);
// what a compressed tar holds is put aside on the disk.
#pragma once

#include "fuel/Converters/Spool.h"
#include "runtime/Base/MappedFile.h"
#include "runtime/Base/ZipDirectory.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace fuel {

class ArchiveFiles {
public:
  using Wanted = std::function<bool(std::string_view name)>;

  /// Lists what is `wanted` (all, if null) of the archive at `path`: a zip if
  /// it begins like one, else a tar. `folder` is for what must be put aside.
  ArchiveFiles(const std::string &path, const std::string &folder,
               const Wanted &wanted = nullptr);
  /// The same for an archive within another one.
  ArchiveFiles(std::span<const std::byte> bytes, const std::string &where,
               const std::string &folder, const Wanted &wanted = nullptr);

  /// In the archive's order.
  size_t count() const { return entries.size(); }
  const std::string &name(size_t index) const { return entries[index].name; }
  /// "'train.zip', file 'train/cat.0.jpg'".
  std::string where(size_t index) const;
  /// Number of the file of this name.
  std::optional<size_t> find(const std::string &name) const;
  /// The same; InputError if there is none.
  size_t require(const std::string &name) const;

  /// The file's bytes: in place, or in `buffer`. CorruptError if there are more
  /// than `most`.
  std::span<const std::byte> read(size_t index, std::vector<std::byte> &buffer,
                                  uint64_t most = uint64_t(1) << 30) const;
  /// Calls `use` with the file's bytes, piece after piece, however many.
  void copy(size_t index,
            const std::function<void(std::span<const std::byte>)> &use) const;

private:
  struct PutAside {
    uint64_t offset, size;
  };
  struct Entry {
    std::string name;
    std::variant<std::span<const std::byte>, PutAside, blocks::ZipMember> place;
  };
  void list(const std::string &folder, const Wanted &wanted);
  void listZip(const Wanted &wanted);
  void listTar(const std::string &folder, const Wanted &wanted);
  void add(Entry entry);
  uint64_t size(const Entry &entry) const;

  blocks::MappedFile mapped;
  std::span<const std::byte> bytes;
  std::string plain, archive; ///< Its name, and that for errors.
  std::vector<Entry> entries;
  std::unordered_map<std::string, size_t> numbers;
  std::optional<Spool> spool;
};

} // namespace fuel
