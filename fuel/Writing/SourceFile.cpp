// SourceFile: see SourceFile.h.
#include "fuel/Writing/SourceFile.h"

#include "blocks/Error.h"
#include "fuel/Hdf5/AxisLabels.h"
#include "fuel/Hdf5/Scales.h"
#include "fuel/Writing/NamelessFile.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace fuel {

using blocks::ArrayView;
using blocks::UsageError;
using blocks::hdf5::Dataset;
using blocks::hdf5::Group;
using blocks::hdf5::Type;

namespace {
/// Bytes copied from a spool at a time.
constexpr size_t pieceBytes = size_t(4) << 20;
constexpr size_t chunkBytes = size_t(1) << 16;

size_t bytesOfRow(const SourceInfo &info) {
  size_t bytes = blocks::dtypeSize(info.dtype);
  for (size_t axis = 1; axis < info.shape.size(); ++axis)
    bytes *= size_t(info.shape[axis]);
  return bytes;
}
} // namespace

SourceFile::SourceFile(const SourceInfo &source,
                       const Writer::SourceOptions &chosen,
                       const std::string &folder)
    : info(source), options(chosen) {
  bool varies = std::any_of(info.shape.begin() + !info.shape.empty(),
                            info.shape.end(), [](auto x) { return x < 0; });
  if (info.name.empty() || info.shape.empty() || (!info.ragged && varies) ||
      (info.ragged && info.shape.size() < 2))
    throw UsageError("a source '" + info.name + "' of shape " +
                     blocks::formatShape(info.shape) +
                     " cannot be written; expected a name and an axis of rows, "
                     "and other axes of fixed length unless it is ragged");
  if (info.text && info.dtype != blocks::DType::UInt8)
    throw UsageError("the text '" + info.name + "' has elements of type " +
                     std::string(dtypeName(info.dtype)) + "; expected ui8");
  info.axisLabels.resize(info.shape.size());
  rowBytes = info.ragged ? 0 : bytesOfRow(info);
  if (!options.rows)
    spool = namelessFile(folder, info.name);
}

Type SourceFile::storedType() const {
  if (info.ragged)
    return info.text ? Type::variableString(true)
                     : Type::list(Type::of(info.dtype));
  return info.text ? Type::fixedString(size_t(info.shape.back()))
                   : Type::of(info.dtype);
}

/// Whole rows, so many that a chunk is worth its entry in the table, and that
/// fetching one row does not decode much else.
blocks::Shape SourceFile::chunkOf(blocks::Shape shape) const {
  int64_t rows = int64_t(chunkBytes / rowBytes);
  shape[0] = std::clamp<int64_t>(rows, 1, shape[0]);
  return shape;
}

// A text's last axis is in its type, a ragged source has one axis.
void SourceFile::create(Group &root, int64_t length) {
  blocks::Shape shape{length};
  if (!info.ragged)
    shape.insert(shape.end(), info.shape.begin() + 1,
                 info.shape.end() - (info.text ? 1 : 0));
  if (options.deflate && !info.ragged && length > 0 && rowBytes > 0)
    dataset.emplace(root.createCompressedDataset(
        info.name, storedType(), shape, chunkOf(shape), *options.deflate));
  else
    dataset.emplace(root.createDataset(info.name, storedType(), shape));
  std::vector<std::string> labels = info.axisLabels;
  labels.resize(shape.size());
  if (std::any_of(labels.begin(), labels.end(),
                  [](auto &label) { return !label.empty(); }))
    writeAxisLabels(*dataset, labels);
}

void SourceFile::begin(Group root) {
  if (options.rows)
    create(root, *options.rows);
}

//===-- Appending ---------------------------------------------------------===//

void SourceFile::refuse(const std::string &found) const {
  throw UsageError(
      "cannot append " + found + " to source '" + info.name + "' (" +
      std::string(dtypeName(info.dtype)) + ", " +
      blocks::formatShape(info.shape) + (info.ragged ? ", ragged" : "") +
      (options.rows
           ? ", " + std::to_string(*options.rows - count) + " rows left"
           : "") +
      ")");
}

void SourceFile::requireRoom(int64_t more) const {
  if (options.rows && more > *options.rows - count)
    refuse(std::to_string(more) + " rows");
}

void SourceFile::append(const ArrayView &rows) {
  blocks::Shape expected = info.shape;
  if (!rows.shape.empty())
    expected[0] = rows.shape[0];
  if (info.ragged || rows.dtype != info.dtype || rows.shape != expected)
    refuse(std::string(dtypeName(rows.dtype)) + " rows of " +
           blocks::formatShape(rows.shape));
  requireRoom(rows.shape[0]);
  if (dataset)
    dataset->writeRows(count, rows.shape[0], rows.data, storedType());
  else
    spool.writeAll(rows.data, rows.bytes());
  count += rows.shape[0];
}

void SourceFile::append(const ArrayView &values, const RaggedItems &items) {
  if (!info.ragged || values.dtype != info.dtype || items.rank != rank() ||
      items.offsets.empty() || items.offsets.back() != values.size())
    refuse(std::to_string(items.count()) + " items of " +
           std::to_string(items.rank) + " axes");
  requireRoom(items.count());
  refuseNul(values, items);
  if (dataset) {
    writeItems(*dataset, count, values.data, items.offsets);
  } else {
    spool.writeAll(values.data, values.bytes());
    for (int64_t i = 0; i < items.count(); ++i)
      offsets.push_back(offsets.back() + items.size(i));
  }
  keepItems(items);
}

/// HDF5's strings of varying length end at the first NUL.
void SourceFile::refuseNul(const ArrayView &values,
                           const RaggedItems &items) const {
  if (!info.text)
    return;
  const std::byte *end = values.data + values.bytes(),
                  *found = std::find(values.data, end, std::byte(0));
  if (found == end)
    return;
  auto after =
      std::upper_bound(items.offsets.begin(), items.offsets.end(),
                       items.offsets.front() + int64_t(found - values.data));
  throw blocks::InputError(
      "source '" + info.name + "', row " +
      std::to_string(count + (after - items.offsets.begin()) - 1) +
      ": the text holds a NUL character, which HDF5's strings cannot; take it "
      "out, or store the bytes as numbers");
}

void SourceFile::keepItems(const RaggedItems &items) {
  if (options.shapes && !info.text)
    shapes.insert(shapes.end(), items.shapes.begin(), items.shapes.end());
  count += items.count();
}

void SourceFile::writeItems(Dataset &target, int64_t first,
                            const std::byte *values,
                            std::span<const int64_t> at) {
  size_t width = blocks::dtypeSize(info.dtype), items = at.size() - 1;
  auto begin = [&](size_t i) { return values + size_t(at[i] - at[0]) * width; };
  if (!info.text) {
    std::vector<hvl_t> lists(items);
    for (size_t i = 0; i < items; ++i)
      lists[i] = {size_t(at[i + 1] - at[i]), const_cast<std::byte *>(begin(i))};
    return target.writeRows(first, int64_t(items), lists.data(), storedType());
  }
  std::vector<std::string> texts;
  std::vector<const char *> pointers;
  for (size_t i = 0; i < items; ++i)
    texts.emplace_back(reinterpret_cast<const char *>(begin(i)),
                       size_t(at[i + 1] - at[i]));
  for (const std::string &text : texts)
    pointers.push_back(text.c_str());
  target.writeRows(first, int64_t(items), pointers.data(), storedType());
}

//===-- Finishing ---------------------------------------------------------===//

void SourceFile::copyRows(Dataset &target) {
  size_t rowsAtOnce =
      std::max<size_t>(1, pieceBytes / std::max<size_t>(rowBytes, 1));
  std::vector<std::byte> piece;
  for (int64_t at = 0; at < count; at += int64_t(rowsAtOnce)) {
    int64_t rows = std::min<int64_t>(int64_t(rowsAtOnce), count - at);
    piece.resize(size_t(rows) * rowBytes);
    if (spool.readAt(piece.data(), piece.size(), uint64_t(at) * rowBytes) !=
        piece.size())
      throw blocks::IoError("rows kept for source '" + info.name +
                            "' cannot be read back");
    target.writeRows(at, rows, piece.data(), storedType());
  }
}

void SourceFile::copyItems(Dataset &target) {
  size_t width = blocks::dtypeSize(info.dtype);
  std::vector<std::byte> piece;
  for (int64_t at = 0; at < count;) {
    int64_t end = at + 1;
    size_t from = size_t(at), bytes = 0;
    auto bytesUpTo = [&](int64_t to) {
      return size_t(offsets[size_t(to)] - offsets[from]) * width;
    };
    while (end < count && bytesUpTo(end + 1) <= pieceBytes && end - at < 65536)
      ++end;
    bytes = bytesUpTo(end);
    piece.resize(bytes);
    if (spool.readAt(piece.data(), bytes, uint64_t(offsets[from]) * width) !=
        bytes)
      throw blocks::IoError("items kept for source '" + info.name +
                            "' cannot be read back");
    writeItems(target, at, piece.data(),
               std::span(offsets).subspan(from, size_t(end - at) + 1));
    at = end;
  }
}

namespace {
template <typename T>
void narrow(const std::vector<int64_t> &from, blocks::Array &to,
            const std::string &name) {
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] > int64_t(std::numeric_limits<T>::max()))
      throw UsageError("an item of source '" + name + "' has an axis of " +
                       std::to_string(from[i]) +
                       ", which the chosen type of its shapes cannot hold");
    to.as<T>()[i] = T(from[i]);
  }
}

blocks::Array shapeTable(const std::vector<int64_t> &shapes, int64_t rows,
                         int64_t rank, blocks::DType dtype,
                         const std::string &name) {
  blocks::Array table(dtype, {rows, rank});
  switch (dtype) {
  case blocks::DType::UInt8:
    narrow<uint8_t>(shapes, table, name);
    break;
  case blocks::DType::UInt16:
    narrow<uint16_t>(shapes, table, name);
    break;
  case blocks::DType::Int32:
    narrow<int32_t>(shapes, table, name);
    break;
  case blocks::DType::Int64:
    narrow<int64_t>(shapes, table, name);
    break;
  default:
    throw UsageError("shapes of source '" + name + "' cannot be stored as " +
                     std::string(dtypeName(dtype)) +
                     "; expected ui8, ui16, i32 or i64");
  }
  return table;
}
} // namespace

void SourceFile::writeShapes(Group &root) {
  std::string shapesName = info.name + "_shapes",
              labelsName = info.name + "_shape_labels";
  {
    Dataset table = root.write(
        shapesName,
        shapeTable(shapes, count, rank(), options.shapeType, info.name).view());
    std::vector<std::string> labels(info.axisLabels.begin() + 1,
                                    info.axisLabels.end());
    Dataset names = root.writeFixedTexts(labelsName, labels);
    makeScale(table, "shapes");
    makeScale(names, "shape_labels");
  }
  attachScales(root, info.name, 0, {shapesName, labelsName});
}

void SourceFile::finish(Group &root) {
  if (options.rows && count != *options.rows)
    throw UsageError("source '" + info.name + "' holds " +
                     std::to_string(count) + " of its " +
                     std::to_string(*options.rows) + " rows");
  if (!dataset) {
    create(root, count);
    info.ragged ? copyItems(*dataset) : copyRows(*dataset);
  }
  dataset.reset();
  if (info.ragged && options.shapes && !info.text)
    writeShapes(root);
}

} // namespace fuel
