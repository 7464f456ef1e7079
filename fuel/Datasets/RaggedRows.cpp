// RaggedRows: see RaggedRows.h.
#include "fuel/Datasets/RaggedRows.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cstring>

namespace fuel {

using blocks::Array;
using blocks::hdf5::ElementType;
using blocks::hdf5::StoredArray;

RaggedLayout raggedLayoutOf(const OpenedFile &file,
                            const Catalog::Source &stored,
                            const std::string &text) {
  if (stored.data.shape.size() != 1)
    throw blocks::InputError(
        text + " holds items of varying length in an array of shape " +
        blocks::formatShape(stored.data.shape) + "; expected one axis");
  RaggedLayout layout;
  layout.dtype = stored.data.element.dtype;
  layout.bigEndian = stored.data.element.bigEndian;
  layout.text = stored.data.element.isText();
  layout.count = size_t(stored.data.shape[0]);
  layout.references = tableOf(file, stored.data, text);
  if (!stored.shapes)
    return layout;
  const StoredArray &shapes = *stored.shapes;
  if (shapes.shape.size() != 2 || shapes.shape[0] != stored.data.shape[0] ||
      shapes.shape[1] > 32 ||
      shapes.element.kind != ElementType::Kind::Number ||
      !isInteger(shapes.element.dtype))
    throw blocks::InputError("the shapes '" + shapes.path + "' of " + text +
                             " are a " + shapes.element.name +
                             " array of shape " +
                             blocks::formatShape(shapes.shape) +
                             "; expected integers, one row for each of its " +
                             std::to_string(stored.data.shape[0]) + " items");
  layout.rank = shapes.shape[1];
  layout.shapeDType = shapes.element.dtype;
  layout.shapes = tableOf(file, shapes, "the shapes of " + text);
  return layout;
}

//===-- HeapRows ----------------------------------------------------------===//

void HeapRows::fail(int64_t row, const std::string &what) const {
  throw blocks::CorruptError(where + ", row " + std::to_string(row) + ": " +
                             what + ": the file is damaged");
}

HeapReference HeapRows::reference(int64_t row) const {
  return HeapReference::load(layout.references.base +
                             size_t(row) * HeapReference::bytes);
}

uint64_t HeapRows::lookUp(int64_t row, const HeapReference &item) const {
  std::vector<uint64_t> found;
  const char *problem = heap.listObjects(item.address, found);
  auto placeIn = [&](uint32_t index) {
    return index < found.size() ? found[index] : 0;
  };
  uint64_t place = placeIn(item.index);
  if (place == 0)
    fail(row, problem ? problem : "its heap collection has no such object");
  auto note = [&](int64_t other) {
    HeapReference each = reference(other);
    if (each.address != item.address)
      return false;
    uint64_t at = placeIn(each.index);
    if (at <= UINT32_MAX)
      places[size_t(other)].store(uint32_t(at), std::memory_order_relaxed);
    return true;
  };
  for (int64_t other = row; other >= 0 && note(other);)
    --other;
  for (int64_t other = row + 1; other < int64_t(layout.count) && note(other);)
    ++other;
  return place;
}

uint64_t HeapRows::placeOf(int64_t row, const HeapReference &item) const {
  uint32_t known = places[size_t(row)].load(std::memory_order_relaxed);
  return known ? known : lookUp(row, item);
}

/// An item's header and first elements.
void HeapRows::fetchAhead(int64_t row, const HeapReference &item) const {
  constexpr size_t line = 64;
  uint32_t place = places[size_t(row)].load(std::memory_order_relaxed);
  if (place == 0 || item.length == 0)
    return;
  const std::byte *data = heap.whereIs(item.address, place);
  __builtin_prefetch(data - sizeof(uint64_t));
  __builtin_prefetch(data + line);
}

// A text's length may count the NUL that ends it.
HeapRows::Item HeapRows::find(int64_t row) const {
  HeapReference where = reference(row);
  if (where.length == 0)
    return {nullptr, 0};
  std::span<const std::byte> bytes =
      heap.object(where.address, placeOf(row, where));
  size_t width = blocks::dtypeSize(layout.dtype);
  if (bytes.size() / width < where.length)
    fail(row, "an item of " + std::to_string(where.length) +
                  " elements has only " + std::to_string(bytes.size()) +
                  " bytes");
  size_t length = where.length;
  if (layout.text)
    length = strnlen(reinterpret_cast<const char *>(bytes.data()), length);
  return {bytes.data(), int64_t(length)};
}

void HeapRows::checkShape(int64_t row, std::span<const int64_t> shape,
                          int64_t length) const {
  int64_t size = 1;
  bool possible = true;
  for (int64_t extent : shape)
    possible &= extent >= 0 && !__builtin_mul_overflow(size, extent, &size);
  if (!possible || size != length)
    fail(row, "its shape is " +
                  blocks::formatShape({shape.begin(), shape.end()}) +
                  ", but it has " + std::to_string(length) + " elements");
}

// The shapes are gathered as they are stored, into the front of the room for
// them, and widened there.
void HeapRows::readShapes(std::span<const int64_t> positions,
                          RaggedItems &items) const {
  items.clear(layout.rank);
  items.shapes.resize(positions.size() * size_t(layout.rank));
  if (!layout.shapes)
    return;
  size_t rowBytes = size_t(layout.rank) * blocks::dtypeSize(layout.shapeDType);
  auto *raw = reinterpret_cast<std::byte *>(items.shapes.data());
  for (size_t i = 0; i < positions.size(); ++i)
    std::memcpy(raw + i * rowBytes,
                layout.shapes->base + size_t(rows[positions[i]]) * rowBytes,
                rowBytes);
  widenIntegers(layout.shapeDType, raw, items.shapes.size(),
                items.shapes.data());
}

void HeapRows::copy(const Item &item, std::byte *out) const {
  size_t width = blocks::dtypeSize(layout.dtype);
  if (item.length == 0)
    return;
  std::memcpy(out, item.data, size_t(item.length) * width);
  if (layout.bigEndian)
    for (int64_t i = 0; i < item.length; ++i, out += width)
      std::reverse(out, out + width);
}

// Twice over the items: their lengths, then their elements. The length of a
// text is known only from its bytes.
void HeapRows::gather(std::span<const int64_t> positions, Array &values,
                      RaggedItems &items) const {
  readShapes(positions, items);
  size_t width = blocks::dtypeSize(layout.dtype), count = positions.size();
  items.offsets.resize(count + 1);
  uint64_t total = 0;
  for (size_t i = 0; i < count; ++i) {
    int64_t row = rows[positions[i]];
    HeapReference where = reference(row);
    if (uint64_t(where.length) * width > mapping->size())
      fail(row, "an item of " + std::to_string(where.length) +
                    " elements is longer than the file");
    fetchAhead(row, where);
    total += layout.text ? uint64_t(find(row).length) : where.length;
    items.offsets[i + 1] = int64_t(total);
  }
  values.resizeRows(layout.dtype, int64_t(total), {});
  for (size_t i = 0; i < count; ++i) {
    int64_t row = rows[positions[i]];
    Item item = find(row);
    if (layout.shapes)
      checkShape(row, items.shape(int64_t(i)), item.length);
    else
      items.shapes[i] = item.length;
    copy(item, values.data() + size_t(items.offsets[i]) * width);
  }
}

void HeapRows::example(int64_t position, Array &value) const {
  int64_t row = rows[position];
  Item item = find(row);
  blocks::Shape shape(size_t(layout.rank), item.length);
  if (layout.shapes) {
    widenIntegers(layout.shapeDType,
                  layout.shapes->base +
                      size_t(row) * shape.size() *
                          blocks::dtypeSize(layout.shapeDType),
                  shape.size(), shape.data());
    checkShape(row, shape, item.length);
  }
  value.resize(layout.dtype, shape);
  copy(item, value.data());
}

//===-- HeldItems ---------------------------------------------------------===//

void HeldItems::gather(std::span<const int64_t> positions, Array &values,
                       RaggedItems &items) const {
  items.clear(heldItems->rank);
  for (int64_t position : positions)
    items.append(heldItems->shape(rows[position]));
  size_t width = blocks::dtypeSize(held->dtype());
  values.resizeRows(held->dtype(), items.offsets.back(), {});
  for (size_t i = 0; i < positions.size(); ++i) {
    int64_t from = heldItems->offsets[size_t(rows[positions[i]])];
    if (int64_t size = items.size(int64_t(i)))
      std::memcpy(values.data() + size_t(items.offsets[i]) * width,
                  held->data() + size_t(from) * width, size_t(size) * width);
  }
}

void HeldItems::example(int64_t position, Array &value) const {
  int64_t item = rows[position];
  std::span<const int64_t> shape = heldItems->shape(item);
  value.resize(held->dtype(), {shape.begin(), shape.end()});
  size_t width = blocks::dtypeSize(held->dtype());
  if (value.bytes())
    std::memcpy(value.data(),
                held->data() + size_t(heldItems->offsets[size_t(item)]) * width,
                value.bytes());
}

} // namespace fuel
