// ArchiveFiles: see ArchiveFiles.h.
#include "fuel/Converters/ArchiveFiles.h"

#include "fuel/Converters/TarReader.h"

#include <algorithm>
#include <cstring>

namespace fuel {

using blocks::CorruptError;

namespace {
constexpr size_t mostFiles = size_t(1) << 23;
/// A compressed archive that grows more than this is made to fill the disk.
constexpr uint64_t mostGrowth = 200;

bool isZip(std::span<const std::byte> bytes) {
  return bytes.size() >= 4 && (std::memcmp(bytes.data(), "PK\3\4", 4) == 0 ||
                               std::memcmp(bytes.data(), "PK\5\6", 4) == 0);
}
} // namespace

ArchiveFiles::ArchiveFiles(const std::string &path, const std::string &folder,
                           const Wanted &wanted)
    : mapped(path), bytes(mapped.bytes()), plain(path),
      archive("'" + path + "'") {
  list(folder, wanted);
}

ArchiveFiles::ArchiveFiles(std::span<const std::byte> bytes,
                           const std::string &where, const std::string &folder,
                           const Wanted &wanted)
    : bytes(bytes), plain(where), archive(where) {
  list(folder, wanted);
}

void ArchiveFiles::list(const std::string &folder, const Wanted &wanted) {
  if (isZip(bytes))
    listZip(wanted);
  else
    listTar(folder, wanted);
}

void ArchiveFiles::add(Entry entry) {
  if (entries.size() == mostFiles)
    throw CorruptError(archive + " holds more than " +
                       std::to_string(mostFiles) + " files");
  // As when unpacking, the last one of a name counts.
  numbers[entry.name] = entries.size();
  entries.push_back(std::move(entry));
}

void ArchiveFiles::listZip(const Wanted &wanted) {
  for (blocks::ZipMember &member : blocks::readZipDirectory(bytes, plain)) {
    std::string name = member.name;
    if (!name.ends_with('/') && (!wanted || wanted(name)))
      add({std::move(name), std::move(member)});
  }
}

void ArchiveFiles::listTar(const std::string &folder, const Wanted &wanted) {
  auto inPlace = [&](std::span<const std::byte> piece) {
    return piece.data() >= bytes.data() &&
           piece.data() + piece.size() <= bytes.data() + bytes.size();
  };
  TarReader tar(bytes, archive);
  while (tar.next()) {
    if (wanted && !wanted(tar.name()))
      continue;
    Entry entry{tar.name(), std::span<const std::byte>()};
    if (std::string target = tar.hardLink(); numbers.count(target)) {
      entry.place = entries[numbers[target]].place;
      add(std::move(entry));
      continue;
    }
    tar.read([&](std::span<const std::byte> piece) {
      if (inPlace(piece) && piece.size() == tar.size()) {
        entry.place = piece;
        return;
      }
      if (!spool)
        spool.emplace(folder);
      auto *aside = std::get_if<PutAside>(&entry.place);
      if (!aside)
        aside = &entry.place.emplace<PutAside>(PutAside{spool->size(), 0});
      spool->append(piece.data(), piece.size());
      aside->size += piece.size();
      if (spool->size() > mostGrowth * bytes.size() + (uint64_t(1) << 24))
        throw CorruptError(archive + " unpacks to more than " +
                           std::to_string(mostGrowth) +
                           " times its size; it is not what it should be");
    });
    add(std::move(entry));
  }
}

std::string ArchiveFiles::where(size_t index) const {
  return archive + ", file '" + entries[index].name + "'";
}

std::optional<size_t> ArchiveFiles::find(const std::string &name) const {
  auto found = numbers.find(name);
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

size_t ArchiveFiles::require(const std::string &name) const {
  std::optional<size_t> found = find(name);
  if (!found)
    throw blocks::InputError(archive + " holds no file '" + name +
                             "'; is it the right archive?");
  return *found;
}

uint64_t ArchiveFiles::size(const Entry &entry) const {
  if (auto *aside = std::get_if<PutAside>(&entry.place))
    return aside->size;
  if (auto *member = std::get_if<blocks::ZipMember>(&entry.place))
    return member->size;
  return std::get<0>(entry.place).size();
}

std::span<const std::byte> ArchiveFiles::read(size_t index,
                                              std::vector<std::byte> &buffer,
                                              uint64_t most) const {
  const Entry &entry = entries.at(index);
  if (size(entry) > most)
    throw CorruptError(where(index) + " has " + std::to_string(size(entry)) +
                       " bytes; expected at most " + std::to_string(most));
  if (auto *member = std::get_if<blocks::ZipMember>(&entry.place))
    return blocks::readZipMember(*member, buffer, plain);
  if (auto *aside = std::get_if<PutAside>(&entry.place)) {
    buffer.resize(size_t(aside->size));
    spool->read(buffer.data(), buffer.size(), aside->offset);
    return buffer;
  }
  return std::get<0>(entry.place);
}

void ArchiveFiles::copy(
    size_t index,
    const std::function<void(std::span<const std::byte>)> &use) const {
  const Entry &entry = entries.at(index);
  std::vector<std::byte> buffer;
  if (auto *member = std::get_if<blocks::ZipMember>(&entry.place))
    return blocks::streamZipMember(*member, plain, use);
  auto *aside = std::get_if<PutAside>(&entry.place);
  if (!aside)
    return use(read(index, buffer, size(entry)));
  constexpr uint64_t piece = uint64_t(1) << 22;
  for (uint64_t at = 0; at < aside->size; at += piece) {
    buffer.resize(size_t(std::min(piece, aside->size - at)));
    spool->read(buffer.data(), buffer.size(), aside->offset + at);
    use(buffer);
  }
}

} // namespace fuel
