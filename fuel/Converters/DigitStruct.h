// DigitStruct: the boxes around the digits of SVHN's images, from a file
// `digitStruct.mat` (MATLAB 7.3, that is HDF5, full of references). As such
// files make the HDF5 library crash when they are damaged, it reads them in a
// process of its own.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fuel {

struct DigitBoxes {
  /// MATLAB's names, in the order of the fields of `boxes`.
  static constexpr std::array fields = {"label", "height", "width", "left",
                                        "top"};
  /// Boxes of image i are [first[i], first[i + 1]).
  std::vector<int64_t> first;
  std::array<std::vector<int32_t>, fields.size()> boxes;
};

/// `path` is opened; `name` stands for it in errors. InputError unless it
/// describes `images` images.
DigitBoxes readDigitStruct(const std::string &path, const std::string &name,
                           int64_t images);

} // namespace fuel
