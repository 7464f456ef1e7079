// ImageFiles: the image files of a folder or an archive, with their classes:
// the names of the folders that they are in, if there are any. Ordered by the
// bytes of their names, first those of the class.
#pragma once

#include "fuel/Converters/ArchiveFiles.h"

namespace fuel {

class ImageFiles {
public:
  /// A folder, or a tar or zip archive. `scratch` is for what must be unpacked.
  /// InputError if there is nothing, or files stand beside folders.
  ImageFiles(const std::string &path, const std::string &scratch);

  struct File {
    std::string className; ///< "" if there are no classes.
    std::string name;      ///< As in the folder or archive.
    size_t number;         ///< In the archive.
  };
  const std::vector<File> &files() const { return list; }
  bool hasClasses() const;
  /// The bytes, in place or in `buffer`.
  std::span<const uint8_t> read(const File &file,
                                std::vector<std::byte> &buffer) const;
  /// The file for errors.
  std::string where(const File &file) const;

private:
  void listFolder();
  void listArchive();
  void add(const std::string &name, size_t number, size_t skipped);
  void sortAndCheck();
  std::string root;
  std::optional<ArchiveFiles> archive;
  std::vector<File> list;
};

} // namespace fuel
