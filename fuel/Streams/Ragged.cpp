// RaggedItems: see include/fuel/DataStream.h.
#include "fuel/DataStream.h"

#include "blocks/Error.h"

namespace fuel {

void RaggedItems::clear(int64_t axes) {
  rank = axes;
  shapes.clear();
  offsets.assign(1, 0);
}

int64_t RaggedItems::append(std::span<const int64_t> shape) {
  if (int64_t(shape.size()) != rank)
    throw blocks::UsageError("an item of " + std::to_string(shape.size()) +
                             " axes cannot join items of " +
                             std::to_string(rank));
  int64_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  shapes.insert(shapes.end(), shape.begin(), shape.end());
  offsets.push_back(offsets.back() + size);
  return offsets[offsets.size() - 2];
}

} // namespace fuel
