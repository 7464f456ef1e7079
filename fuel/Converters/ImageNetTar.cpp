// ImageNetTar: see ImageNetTar.h.
#include "fuel/Converters/ImageNetTar.h"

#include "blocks/Error.h"
#include "fuel/Converters/Gunzip.h"
#include "fuel/Converters/TarReader.h"
#include "fuel/Images/ImageDecoder.h"

#include <algorithm>
#include <cstring>

namespace fuel {

using blocks::InputError;

namespace {
constexpr size_t mostImages = size_t(1) << 24;
constexpr uint64_t mostImageBytes = uint64_t(1) << 28,
                   mostPatchBytes = uint64_t(1) << 31;

std::string quoted(const std::string &path) { return "'" + path + "'"; }

std::string baseName(const std::string &name) {
  return name.substr(name.rfind('/') + 1);
}

/// The file's bytes where they lie in `archive`.
std::span<const std::byte> inPlace(TarReader &tar,
                                   std::span<const std::byte> archive,
                                   const std::string &where) {
  std::span<const std::byte> result;
  bool outside = false;
  tar.read([&](std::span<const std::byte> piece) {
    outside = outside || piece.data() < archive.data() ||
              piece.data() + piece.size() > archive.data() + archive.size() ||
              !result.empty();
    result = piece;
  });
  if (outside)
    throw InputError(where + " is compressed; expected a plain tar archive: "
                             "unpack it first, for example by gunzip");
  return result;
}

std::array<char, imageNetNameBytes> nameOf(const std::string &name,
                                           const std::string &where) {
  std::array<char, imageNetNameBytes> result{};
  if (name.empty() || name.size() > result.size() ||
      std::any_of(name.begin(), name.end(),
                  [](char c) { return c < ' ' || c > '~'; }))
    throw InputError(where + " holds an image called '" + name +
                     "'; expected names of at most " +
                     std::to_string(result.size()) + " characters of ASCII");
  std::memcpy(result.data(), name.data(), name.size());
  return result;
}
} // namespace

std::vector<ImageNetImage> ImageNetTar::list(std::span<const std::byte> archive,
                                             const std::string &where) const {
  std::vector<std::pair<std::string, ImageNetImage>> named;
  TarReader tar(archive, where);
  while (tar.next()) {
    if (named.size() == mostImages)
      throw InputError(where + " holds more than " +
                       std::to_string(mostImages) + " images");
    ImageNetImage image;
    image.name = nameOf(baseName(tar.name()), where);
    image.bytes = inPlace(tar, archive, where);
    named.emplace_back(tar.name(), image);
  }
  std::sort(named.begin(), named.end(), [](auto &a, auto &b) {
    return std::pair(std::string_view(a.first), a.second.bytes.data()) <
           std::pair(std::string_view(b.first), b.second.bytes.data());
  });
  std::vector<ImageNetImage> images;
  for (auto &[name, image] : named)
    images.push_back(image);
  return images;
}

std::vector<ImageNetImage> ImageNetTar::images() const {
  return list(mapped.bytes(), quoted(path));
}

std::vector<ImageNetImage> ImageNetTar::imagesOfClasses(
    const std::map<std::string, int16_t> &classes) const {
  std::vector<ImageNetImage> all;
  TarReader tar(mapped.bytes(), quoted(path));
  while (tar.next()) {
    std::string where = quoted(path) + ", file '" + tar.name() + "'";
    auto found = classes.find(tar.name().substr(0, tar.name().find('.')));
    if (found == classes.end())
      throw InputError(where + " belongs to no class of the development kit");
    for (ImageNetImage &image :
         list(inPlace(tar, mapped.bytes(), where), where)) {
      image.label = found->second;
      all.push_back(image);
    }
  }
  return all;
}

ImageNetPatches ImageNetTar::patches(const std::string &split) const {
  ImageNetPatches result;
  uint64_t total = 0;
  TarReader tar(mapped.bytes(), quoted(path));
  while (tar.next()) {
    const std::string &name = tar.name();
    size_t slash = name.rfind('/');
    if (!name.ends_with(".JPEG") || slash == std::string::npos ||
        baseName(name.substr(0, slash)) != split)
      continue;
    std::vector<std::byte> &bytes = result[baseName(name)];
    bytes.clear();
    tar.read([&](std::span<const std::byte> piece) {
      total += piece.size();
      if (total > mostPatchBytes)
        throw InputError(quoted(path) + " holds more than " +
                         std::to_string(mostPatchBytes) + " bytes");
      bytes.insert(bytes.end(), piece.begin(), piece.end());
    });
  }
  return result;
}

std::span<const std::byte>
ImageNetTar::encoded(const ImageNetImage &image,
                     std::vector<std::byte> &buffer) const {
  std::string where =
      quoted(path) + ", file '" +
      std::string(image.name.data(),
                  ::strnlen(image.name.data(), image.name.size())) +
      "'";
  std::span<const std::byte> bytes = image.bytes;
  if (isGzip(bytes)) {
    gunzip(bytes, buffer, mostImageBytes, where);
    bytes = buffer;
  }
  imageSize({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()},
            where);
  return bytes;
}

} // namespace fuel
