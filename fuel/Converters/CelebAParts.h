// CelebAParts: the text files of CelebA: attributes of each image, and which
// images are for training, validation and test.
#pragma once

#include "blocks/Array.h"

#include <string>
#include <vector>

namespace fuel {

constexpr int64_t celebAAttributes = 40;

/// (n, 40) bytes, 1 where the attribute is there. InputError unless the file
/// has as many lines as its first one says, for images 1, 2, 3 …
blocks::Array readCelebAAttributes(const std::string &path);

/// Images [start, stop), counted from 0.
struct CelebAPart {
  const char *split;
  int64_t start, stop;
};
/// Those that have images, by `directory`/list_eval_partition.txt if there is
/// one; else those of all 202,599 images. InputError if `count` is another
/// number, or the images of a part do not lie together.
std::vector<CelebAPart> celebAParts(const std::string &directory,
                                    int64_t count);

} // namespace fuel
