// ImageNetTar: the images of an ILSVRC competition's archives, which are
// mapped: 150 GB are never in memory. An entry takes some 60 bytes.
#pragma once

#include "runtime/Base/MappedFile.h"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace fuel {

/// How long a name may be in the result.
constexpr size_t imageNetNameBytes = 32;

struct ImageNetImage {
  std::array<char, imageNetNameBytes> name{}; ///< Filled up with zeros.
  std::span<const std::byte> bytes;           ///< As they are in the archive.
  int16_t label = 0;
};

/// Images that replace damaged ones of the same name.
using ImageNetPatches = std::map<std::string, std::vector<std::byte>>;

class ImageNetTar {
public:
  explicit ImageNetTar(const std::string &path) : path(path), mapped(path) {}

  /// An archive of images. In the order of their names.
  std::vector<ImageNetImage> images() const;
  /// An archive of archives, one for each class, named by it. Classes in the
  /// archive's order, the images of each in the order of their names.
  std::vector<ImageNetImage>
  imagesOfClasses(const std::map<std::string, int16_t> &classes) const;
  /// The images in folders called `split` of the archive of patches.
  ImageNetPatches patches(const std::string &split) const;

  /// The encoded image: in place, or unpacked into `buffer` if it is gzipped.
  /// InputError unless it begins like an image.
  std::span<const std::byte> encoded(const ImageNetImage &image,
                                     std::vector<std::byte> &buffer) const;

private:
  std::vector<ImageNetImage> list(std::span<const std::byte> archive,
                                  const std::string &where) const;
  std::string path;
  blocks::MappedFile mapped;
};

} // namespace fuel
