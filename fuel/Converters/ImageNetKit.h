// ImageNetKit: what the development kit of an ILSVRC competition says: the
// classes, how many images they have, and those of the images for validation.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace fuel {

struct ImageNetFiles {
  std::string kit;              ///< "ILSVRC2010_devkit-1.0.tar.gz"
  std::string meta, validTruth; ///< Within it.
  std::string idField;          ///< "ILSVRC2010_ID"
};

struct ImageNetKit {
  int64_t trainImages = 0;
  /// Class numbers, from 0, by WordNet's names ("n01440764"). Only the first
  /// 1000 lines of the table are classes with images.
  std::map<std::string, int16_t> classes;
  /// Class numbers by the competition's.
  std::map<int64_t, int16_t> classOfId;
  /// Of each image for validation.
  std::vector<int16_t> validTruth;
};

/// `path` is that of the kit; `folder` is for what must be put aside.
ImageNetKit readImageNetKit(const std::string &path, const ImageNetFiles &files,
                            const std::string &folder);

/// A text with one of the competition's class numbers a line.
std::vector<int16_t> readGroundTruth(const ImageNetKit &kit,
                                     std::span<const std::byte> text,
                                     const std::string &where);

} // namespace fuel
