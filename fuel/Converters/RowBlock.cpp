// RowBlock: see RowBlock.h.
#include "fuel/Converters/RowBlock.h"

#include <algorithm>

namespace fuel {

static constexpr size_t blockBytes = size_t(4) << 20;

RowBlock::RowBlock(DatasetFile &file, std::string split, std::string source,
                   blocks::DType dtype, const blocks::Shape &item)
    : file(file), split(std::move(split)), source(std::move(source)),
      dtype(dtype), shape{0},
      rowBytes(size_t(blocks::numElements(item)) * blocks::dtypeSize(dtype)) {
  shape.insert(shape.end(), item.begin(), item.end());
  buffer.resize(std::max(rowBytes, blockBytes / std::max<size_t>(rowBytes, 1) *
                                       rowBytes));
}

std::byte *RowBlock::add() {
  if (used + rowBytes > buffer.size())
    flush();
  std::byte *row = buffer.data() + used;
  used += rowBytes;
  ++shape[0];
  ++count;
  return row;
}

void RowBlock::flush() {
  if (shape[0] > 0)
    file.append(split, source, {dtype, shape, buffer.data()});
  shape[0] = 0;
  used = 0;
}

} // namespace fuel
