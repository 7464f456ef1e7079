// ArrayRows: see ArrayRows.h.
#include "fuel/Datasets/ArrayRows.h"

#include "blocks/Error.h"
#include "fuel/Datasets/ChunkedRows.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <unistd.h>

namespace fuel {

using blocks::CorruptError;
using blocks::DType;
using blocks::hdf5::ElementType;
using blocks::hdf5::StoredArray;

namespace {
/// A row beyond this is damage.
constexpr uint64_t mostRowBytes = uint64_t(1) << 36;

/// Every row is the fill value.
class FillRows : public RowReader {
public:
  FillRows(std::string fill, size_t rowBytes)
      : fill(std::move(fill)), rowBytes(rowBytes) {}
  void gather(std::span<const int64_t> positions,
              std::byte *out) const override {
    fillWith(fill, {out, positions.size() * rowBytes});
  }
  void slice(int64_t, int64_t count, std::byte *out) const override {
    fillWith(fill, {out, size_t(count) * rowBytes});
  }

private:
  std::string fill;
  size_t rowBytes;
};

void turnBytes(std::byte *data, size_t bytes, size_t width) {
  for (size_t at = 0; at + width <= bytes; at += width)
    std::reverse(data + at, data + at + width);
}

/// Big-endian elements turned round.
class TurnedRows : public RowReader {
public:
  TurnedRows(std::unique_ptr<RowReader> inner, size_t rowBytes, size_t width)
      : inner(std::move(inner)), rowBytes(rowBytes), width(width) {}
  void gather(std::span<const int64_t> positions,
              std::byte *out) const override {
    inner->gather(positions, out);
    turnBytes(out, positions.size() * rowBytes, width);
  }
  void slice(int64_t start, int64_t count, std::byte *out) const override {
    inner->slice(start, count, out);
    turnBytes(out, size_t(count) * rowBytes, width);
  }

private:
  std::unique_ptr<RowReader> inner;
  size_t rowBytes, width;
};

void requireInside(const OpenedFile &file, const StoredArray &array,
                   size_t rowBytes, const std::string &where) {
  uint64_t bytes = 0, size = file.mapping->size();
  if (__builtin_mul_overflow(uint64_t(array.shape[0]), uint64_t(rowBytes),
                             &bytes) ||
      array.offset > size || bytes > size - array.offset)
    throw CorruptError(where + ": " + std::to_string(array.shape[0]) +
                       " rows of " + std::to_string(rowBytes) + " bytes at " +
                       std::to_string(array.offset) +
                       " lie beyond the end of the file (" +
                       std::to_string(size) + " bytes): it is damaged");
}

std::unique_ptr<RowReader> plainRows(const OpenedFile &file,
                                     const StoredArray &array, RowSet rows,
                                     size_t rowBytes,
                                     const std::string &where) {
  switch (array.layout) {
  case StoredArray::Layout::Contiguous:
    requireInside(file, array, rowBytes, where);
    return std::make_unique<DenseRows>(file.mapping->data() + array.offset,
                                       rowBytes, std::move(rows), file.mapping);
  case StoredArray::Layout::Chunked:
    return std::make_unique<ChunkedRows>(array, std::move(rows), where,
                                         file.mapping);
  case StoredArray::Layout::Inline: {
    auto bytes = std::make_shared<const std::string>(array.inlineBytes);
    auto base = reinterpret_cast<const std::byte *>(bytes->data());
    return std::make_unique<DenseRows>(base, rowBytes, std::move(rows), bytes);
  }
  case StoredArray::Layout::Unwritten:
    break;
  }
  return std::make_unique<FillRows>(array.fill, rowBytes);
}
} // namespace

// Deflate shrinks data to a thousandth at best.
void requirePlausible(const OpenedFile &file, uint64_t bytes,
                      const std::string &where) {
  constexpr uint64_t bestRatio = 1032, always = uint64_t(64) << 20;
  uint64_t physical =
      uint64_t(::sysconf(_SC_PHYS_PAGES)) * uint64_t(::sysconf(_SC_PAGESIZE));
  if (bytes > always && bytes / bestRatio > file.mapping->size())
    throw CorruptError(where + " claims " + std::to_string(bytes) +
                       " bytes, more than a file of " +
                       std::to_string(file.mapping->size()) +
                       " bytes can hold: it is damaged");
  if (bytes > physical)
    throw blocks::IoError(where + " does not fit into memory (" +
                          std::to_string(bytes) + " bytes)");
}

void fillWith(const std::string &pattern, std::span<std::byte> out) {
  if (pattern.empty())
    return void(std::fill(out.begin(), out.end(), std::byte(0)));
  for (size_t at = 0; at < out.size(); at += pattern.size())
    std::memcpy(out.data() + at, pattern.data(),
                std::min(pattern.size(), out.size() - at));
}

blocks::Shape rowShape(const StoredArray &array) {
  blocks::Shape item(array.shape.begin() + 1, array.shape.end());
  if (array.element.kind == ElementType::Kind::Text)
    item.push_back(int64_t(array.element.bytes));
  return item;
}

size_t rowBytesOf(const StoredArray &array, const std::string &where) {
  uint64_t bytes = array.element.bytes;
  for (size_t axis = 1; axis < array.shape.size(); ++axis)
    if (__builtin_mul_overflow(bytes, uint64_t(array.shape[axis]), &bytes))
      bytes = ~uint64_t(0) >> 1;
  if (bytes > mostRowBytes)
    throw CorruptError(where + " of shape " + blocks::formatShape(array.shape) +
                       " has rows of impossible size: the file is damaged");
  return bytes;
}

std::unique_ptr<RowReader> makeRows(const OpenedFile &file,
                                    const StoredArray &array, RowSet rows,
                                    const std::string &where) {
  size_t rowBytes = rowBytesOf(array, where);
  requirePlausible(file, rowBytes, where);
  auto reader = plainRows(file, array, std::move(rows), rowBytes, where);
  if (array.element.kind != ElementType::Kind::Number ||
      !array.element.bigEndian)
    return reader;
  return std::make_unique<TurnedRows>(std::move(reader), rowBytes,
                                      blocks::dtypeSize(array.element.dtype));
}

RowTable tableOf(const OpenedFile &file, const StoredArray &array,
                 const std::string &where) {
  size_t rowBytes = rowBytesOf(array, where);
  bool turned = array.element.kind == ElementType::Kind::Number &&
                array.element.bigEndian;
  if (array.layout == StoredArray::Layout::Contiguous && !turned) {
    requireInside(file, array, rowBytes, where);
    return {file.mapping->data() + array.offset, file.mapping};
  }
  int64_t count = array.shape[0];
  uint64_t total = 0;
  if (__builtin_mul_overflow(uint64_t(count), uint64_t(rowBytes), &total))
    throw CorruptError(where + " is impossibly large: the file is damaged");
  requirePlausible(file, total, where);
  auto bytes = std::make_shared<std::vector<std::byte>>();
  try {
    bytes->resize(size_t(count) * rowBytes);
  } catch (const std::exception &) {
    throw CorruptError(where + " does not fit into memory (" +
                       std::to_string(uint64_t(count) * rowBytes) + " bytes)");
  }
  if (count > 0)
    makeRows(file, array, RowSet::slice(0, count, count, where), where)
        ->slice(0, count, bytes->data());
  const std::byte *base = bytes->data();
  return {base, std::move(bytes)};
}

//===-- Integers ----------------------------------------------------------===//

namespace {
template <typename T>
void widen(const std::byte *from, size_t count, int64_t *to) {
  for (size_t i = count; i-- > 0;) {
    T value;
    std::memcpy(&value, from + i * sizeof value, sizeof value);
    to[i] = int64_t(value);
  }
}
} // namespace

bool isInteger(DType dtype) {
  return dtype >= DType::Int8 && dtype <= DType::UInt64;
}

// From the last to the first, so that a narrow array widens in place.
void widenIntegers(DType dtype, const std::byte *from, size_t count,
                   int64_t *to) {
  switch (dtype) {
  case DType::Int8:
    return widen<int8_t>(from, count, to);
  case DType::Int16:
    return widen<int16_t>(from, count, to);
  case DType::Int32:
    return widen<int32_t>(from, count, to);
  case DType::UInt8:
    return widen<uint8_t>(from, count, to);
  case DType::UInt16:
    return widen<uint16_t>(from, count, to);
  case DType::UInt32:
    return widen<uint32_t>(from, count, to);
  default:
    return widen<int64_t>(from, count, to);
  }
}

std::vector<int64_t> readIntegers(const OpenedFile &file,
                                  const StoredArray &array,
                                  const std::string &where) {
  if (array.shape.size() != 1 ||
      array.element.kind != ElementType::Kind::Number ||
      !isInteger(array.element.dtype))
    throw blocks::InputError(where + " is a " + array.element.name +
                             " array of shape " +
                             blocks::formatShape(array.shape) +
                             "; expected a 1-D array of integers");
  RowTable table = tableOf(file, array, where);
  std::vector<int64_t> result(size_t(array.shape[0]));
  widenIntegers(array.element.dtype, table.base, result.size(), result.data());
  return result;
}

} // namespace fuel
