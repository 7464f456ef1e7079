// ImageFiles: see ImageFiles.h.
#include "fuel/Converters/Generic/ImageFiles.h"

#include "blocks/Error.h"
#include "fuel/Converters/Paths.h"
#include "runtime/Base/FileDescriptor.h"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>

namespace fuel {

using blocks::InputError;
namespace fs = std::filesystem;

/// More than any image file should have.
static constexpr uint64_t mostBytes = uint64_t(1) << 30;

/// What systems leave in folders and archives.
static bool isClutter(const std::string &name) {
  for (size_t at = 0; at < name.size();) {
    size_t end = std::min(name.find('/', at), name.size());
    std::string part = name.substr(at, end - at);
    if (part.starts_with(".") || part == "__MACOSX" || part == "Thumbs.db" ||
        part == "desktop.ini")
      return true;
    at = end + 1;
  }
  return false;
}

/// As 'tar c .' names them.
static std::string withoutDot(std::string name) {
  if (name.starts_with("./"))
    name.erase(0, 2);
  return name;
}

ImageFiles::ImageFiles(const std::string &path, const std::string &scratch)
    : root(path) {
  if (folderExists(path)) {
    listFolder();
  } else {
    archive.emplace(path, scratch, [](std::string_view name) {
      return !isClutter(withoutDot(std::string(name)));
    });
    listArchive();
  }
  sortAndCheck();
}

/// The class is the first folder after `skipped` bytes.
void ImageFiles::add(const std::string &name, size_t number, size_t skipped) {
  size_t slash = name.find('/', skipped);
  list.push_back(
      {slash == std::string::npos ? "" : name.substr(skipped, slash - skipped),
       name, number});
}

/// Calls `visit` with what is in a folder (`Iterator`: and in those within it).
template <typename Iterator, typename Visit>
static void walk(const fs::path &folder, Visit visit) {
  std::error_code error;
  fs::path last = folder;
  Iterator it(folder, error);
  for (; !error && it != Iterator(); it.increment(error)) {
    last = it->path();
    visit(*it);
  }
  if (error)
    throw blocks::ioError("list the folder at", last.string(), error.value());
}

/// What `test` (a member of directory_entry) says of an entry; a link that
/// leads nowhere is nothing.
template <typename Test>
static bool is(const fs::directory_entry &entry, Test test) {
  std::error_code error;
  bool result = (entry.*test)(error);
  if (error && error != std::errc::no_such_file_or_directory)
    throw blocks::ioError("look at", entry.path().string(), error.value());
  return result;
}

// A folder of a class may be a link; links within are not followed, as they
// might lead round in circles.
void ImageFiles::listFolder() {
  using Test = bool (fs::directory_entry::*)(std::error_code &) const;
  Test isFile = &fs::directory_entry::is_regular_file;
  Test isFolder = &fs::directory_entry::is_directory;
  auto visit = [&](const fs::directory_entry &entry) {
    std::string name = entry.path().lexically_relative(root).string();
    if (!isClutter(name) && is(entry, isFile))
      add(name, 0, 0);
  };
  walk<fs::directory_iterator>(root, [&](const fs::directory_entry &entry) {
    if (is(entry, isFolder))
      walk<fs::recursive_directory_iterator>(entry.path(), visit);
    else
      visit(entry);
  });
}

/// Bytes of the folders that all names begin with.
static size_t sharedFolders(const std::vector<std::string> &names) {
  size_t shared = 0;
  for (;;) {
    size_t slash = names.front().find('/', shared);
    if (slash == std::string::npos)
      return shared;
    for (const std::string &name : names)
      if (name.compare(0, slash + 1, names.front(), 0, slash + 1) != 0)
        return shared;
    shared = slash + 1;
  }
}

// An archive often holds one folder with everything in it.
void ImageFiles::listArchive() {
  std::vector<std::string> names;
  std::vector<size_t> numbers;
  for (size_t i = 0; i < archive->count(); ++i) {
    std::string name = withoutDot(archive->name(i));
    // As when unpacking, the last one of a name counts.
    if (archive->find(archive->name(i)) != i)
      continue;
    names.push_back(name);
    numbers.push_back(i);
  }
  if (names.empty())
    return;
  size_t skipped = sharedFolders(names);
  for (size_t i = 0; i < names.size(); ++i)
    add(names[i], numbers[i], skipped);
}

void ImageFiles::sortAndCheck() {
  if (list.empty())
    throw InputError("'" + root +
                     "' holds no file; expected images, or a "
                     "folder of images for each class");
  std::sort(list.begin(), list.end(), [](const File &a, const File &b) {
    return a.className != b.className ? a.className < b.className
                                      : a.name < b.name;
  });
  if (list.front().className.empty() && !list.back().className.empty())
    throw InputError(where(list.front()) +
                     " stands beside folders of classes; move it into one of "
                     "them, or away");
}

bool ImageFiles::hasClasses() const { return !list.front().className.empty(); }

std::string ImageFiles::where(const File &file) const {
  return archive ? archive->where(file.number)
                 : "'" + root + "/" + file.name + "'";
}

std::span<const uint8_t>
ImageFiles::read(const File &file, std::vector<std::byte> &buffer) const {
  std::span<const std::byte> bytes;
  if (archive) {
    bytes = archive->read(file.number, buffer, mostBytes);
  } else {
    blocks::FileDescriptor input((fs::path(root) / file.name).string(),
                                 O_RDONLY);
    uint64_t size = input.size();
    if (size > mostBytes)
      throw InputError(where(file) + " has " + std::to_string(size) +
                       " bytes; expected an image of at most 1 GiB");
    buffer.resize(size);
    buffer.resize(input.readAt(buffer.data(), size, 0));
    bytes = buffer;
  }
  return {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()};
}

} // namespace fuel
