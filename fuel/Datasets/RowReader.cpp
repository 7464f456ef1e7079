// RowReader: see RowReader.h.
#include "fuel/Datasets/RowReader.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace fuel {

//===-- DenseRows ---------------------------------------------------------===//

namespace {
/// Rows of a size known to the compiler: one load and one store each.
template <size_t Bytes, typename RowOf>
void gatherFixed(const std::byte *base, size_t count, RowOf rowOf,
                 std::byte *out) {
  for (size_t i = 0; i < count; ++i)
    std::memcpy(out + i * Bytes, base + size_t(rowOf(i)) * Bytes, Bytes);
}

constexpr size_t cacheLine = 64;
/// Rows asked for ahead of the copy. Shuffled rows miss every cache and the
/// TLB; a few rows of advance overlap those misses. Only the head of each row
/// is asked for: the hardware's streams fetch the rest, and more requests than
/// it can track make it slower than none (test/bench/dataload).
constexpr size_t rowsAhead = 8, prefetchBytes = 128;

void prefetchRow(const std::byte *row, size_t rowBytes) {
  size_t bytes = std::min(rowBytes, prefetchBytes);
  for (size_t at = 0; at < bytes; at += cacheLine)
    __builtin_prefetch(row + at, 0, 0);
}

/// Long rows: consecutive ones in one copy.
template <typename RowOf>
void gatherLong(const std::byte *base, size_t rowBytes, size_t count,
                RowOf rowOf, std::byte *out) {
  for (size_t i = 0; i < count;) {
    if (i + rowsAhead < count)
      prefetchRow(base + size_t(rowOf(i + rowsAhead)) * rowBytes, rowBytes);
    int64_t first = rowOf(i);
    size_t run = 1;
    while (i + run < count && rowOf(i + run) == first + int64_t(run))
      ++run;
    std::memcpy(out + i * rowBytes, base + size_t(first) * rowBytes,
                run * rowBytes);
    i += run;
  }
}

template <typename RowOf>
void gatherRows(const std::byte *base, size_t rowBytes, size_t count,
                RowOf rowOf, std::byte *out) {
  switch (rowBytes) {
  case 0:
    return;
  case 1:
    return gatherFixed<1>(base, count, rowOf, out);
  case 2:
    return gatherFixed<2>(base, count, rowOf, out);
  case 4:
    return gatherFixed<4>(base, count, rowOf, out);
  case 8:
    return gatherFixed<8>(base, count, rowOf, out);
  default:
    return gatherLong(base, rowBytes, count, rowOf, out);
  }
}
} // namespace

void DenseRows::gather(std::span<const int64_t> positions,
                       std::byte *out) const {
  const int64_t *at = positions.data();
  if (rows.isSlice())
    return gatherRows(
        base + size_t(rows.start()) * rowBytes, rowBytes, positions.size(),
        [at](size_t i) { return at[i]; }, out);
  const int64_t *list = rows.list().data();
  gatherRows(
      base, rowBytes, positions.size(),
      [at, list](size_t i) { return list[at[i]]; }, out);
}

void DenseRows::slice(int64_t start, int64_t count, std::byte *out) const {
  if (rows.isSlice()) {
    if (rowBytes)
      std::memcpy(out, base + size_t(rows.start() + start) * rowBytes,
                  size_t(count) * rowBytes);
    return;
  }
  const int64_t *list = rows.list().data() + start;
  gatherRows(
      base, rowBytes, size_t(count), [list](size_t i) { return list[i]; }, out);
}

bool viewRowOf(const RowReader *reader, int64_t position, blocks::DType dtype,
               const blocks::Shape &item, blocks::ArrayView &view) {
  const std::byte *data = reader ? reader->inPlace(position) : nullptr;
  if (!data || std::bit_cast<uintptr_t>(data) % blocks::dtypeSize(dtype))
    return false;
  view.dtype = dtype;
  view.data = data;
  view.shape.assign(1, 1);
  view.shape.insert(view.shape.end(), item.begin(), item.end());
  return true;
}

} // namespace fuel
