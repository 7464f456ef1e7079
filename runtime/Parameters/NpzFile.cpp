// Reading of .npz archives and .npy files: see include/blocks/NpzFile.h.
#include "blocks/NpzFile.h"

#include "blocks/Error.h"
#include "runtime/Base/FileDescriptor.h"
#include "runtime/Base/MappedFile.h"
#include "runtime/Base/NpyFormat.h"
#include "runtime/Base/ZipDirectory.h"

#include <cstring>
#include <fcntl.h>
#include <map>

namespace blocks {

struct NpzFile::Contents {
  std::string path;
  MappedFile file;
  std::vector<std::string> names;
  std::map<std::string, ZipMember> members;
  std::map<std::string, Array> decoded; ///< Behind views of packed members.

  std::string where(const std::string &name) const { return path + ":" + name; }
  const ZipMember &find(const std::string &name) const {
    auto it = members.find(name);
    if (it == members.end())
      throw InputError("'" + path + "' has no member '" + name + ".npy'");
    return it->second;
  }
};

NpzFile::NpzFile(const std::string &path)
    : contents(std::make_unique<Contents>()) {
  contents->path = path;
  contents->file = MappedFile(path);
  for (ZipMember &member : readZipDirectory(contents->file.bytes(), path)) {
    std::string name = member.name;
    if (!name.ends_with(".npy"))
      continue; // Not an array; NumPy ignores such members, too.
    name.resize(name.size() - 4);
    if (!contents->members.emplace(name, std::move(member)).second)
      throw CorruptError("'" + path + "' has two members '" + name + ".npy'");
    contents->names.push_back(name);
  }
}

NpzFile::~NpzFile() = default;
NpzFile::NpzFile(NpzFile &&) noexcept = default;

const std::vector<std::string> &NpzFile::names() const {
  return contents->names;
}

bool NpzFile::contains(const std::string &name) const {
  return contents->members.count(name) != 0;
}

Array NpzFile::read(const std::string &name) const {
  std::vector<std::byte> buffer;
  auto bytes =
      readZipMember(contents->find(name), buffer, contents->where(name));
  return copyNpyData(bytes, parseNpyHeader(bytes, contents->where(name)));
}

ArrayView NpzFile::view(const std::string &name) {
  const ZipMember &member = contents->find(name);
  if (member.method == 0) {
    std::vector<std::byte> unused;
    auto bytes = readZipMember(member, unused, contents->where(name));
    NpyHeader header = parseNpyHeader(bytes, contents->where(name));
    const std::byte *data = bytes.data() + header.dataOffset;
    bool aligned =
        reinterpret_cast<uintptr_t>(data) % dtypeSize(header.dtype) == 0;
    if (aligned && !header.bigEndian &&
        (!header.fortranOrder || header.shape.size() < 2))
      return {header.dtype, header.shape, data};
  }
  auto it = contents->decoded.find(name);
  if (it == contents->decoded.end())
    it = contents->decoded.emplace(name, read(name)).first;
  return it->second.view();
}

Array readNpy(const std::string &path) {
  MappedFile file(path);
  return copyNpyData(file.bytes(), parseNpyHeader(file.bytes(), path));
}

bool looksLikeNpz(const std::string &path) {
  char first[4] = {};
  FileDescriptor(path, O_RDONLY).readAt(first, 4, 0);
  // A local header, or the end record of an empty archive.
  return !std::memcmp(first, "PK\3\4", 4) || !std::memcmp(first, "PK\5\6", 4);
}

} // namespace blocks
