// SplitTable: see SplitTable.h.
#include "fuel/Hdf5/SplitTable.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace fuel {

using blocks::DType;
using blocks::InputError;
using blocks::hdf5::Attribute;
using blocks::hdf5::Group;
using blocks::hdf5::Type;

//===-- Reading -----------------------------------------------------------===//

namespace {
/// Where each member stands in the packed memory compound that we read into.
struct Columns {
  size_t splitWidth = 0, sourceWidth = 0, commentWidth = 0;
  bool hasIndices = false, hasComment = false;
  size_t source = 0, start = 0, stop = 0, available = 0, indices = 0,
         comment = 0, total = 0;
};

size_t stringWidth(const Type &table, const char *name, const std::string &file,
                   bool required) {
  std::optional<Type> member = table.member(name);
  if (!member && !required)
    return 0;
  if (!member || member->kind() != H5T_STRING || member->isVariableString())
    throw InputError("the attribute 'split' of '" + file + "' has no member '" +
                     name + "' of fixed-length strings; is it a Fuel file?");
  return member->bytes();
}

void requireNumber(const Type &table, const char *name,
                   const std::string &file) {
  std::optional<Type> member = table.member(name);
  if (!member || (member->kind() != H5T_INTEGER && member->kind() != H5T_ENUM))
    throw InputError("the attribute 'split' of '" + file + "' has no member '" +
                     name + "' of the expected type; is it a Fuel file?");
}

Columns layOut(const Type &table, const std::string &file) {
  Columns c;
  c.splitWidth = stringWidth(table, "split", file, true);
  c.sourceWidth = stringWidth(table, "source", file, true);
  c.commentWidth = stringWidth(table, "comment", file, false);
  for (const char *name : {"start", "stop", "available"})
    requireNumber(table, name, file);
  std::optional<Type> indices = table.member("indices");
  c.hasIndices = indices && indices->isObjectReference();
  if (indices && !c.hasIndices)
    throw InputError("the member 'indices' of the attribute 'split' of '" +
                     file + "' is not an object reference");
  c.hasComment = c.commentWidth > 0;
  c.source = c.splitWidth;
  c.start = c.source + c.sourceWidth;
  c.stop = c.start + 8;
  c.available = c.stop + 8;
  c.indices = c.available + 1;
  c.comment = c.indices + (c.hasIndices ? sizeof(hobj_ref_t) : 0);
  c.total = c.comment + c.commentWidth;
  return c;
}

Type memoryType(const Type &table, const Columns &c) {
  // Enumerations convert by the names of their values, so the stored type of
  // `available` is used as it is; any integer type is converted to one byte.
  Type available = *table.member("available");
  if (available.bytes() != 1)
    available = Type::of(DType::Int8);
  Type memory = Type::compound(c.total);
  memory.insert("split", 0, Type::fixedString(c.splitWidth))
      .insert("source", c.source, Type::fixedString(c.sourceWidth))
      .insert("start", c.start, Type::of(DType::Int64))
      .insert("stop", c.stop, Type::of(DType::Int64))
      .insert("available", c.available, available);
  if (c.hasIndices)
    memory.insert("indices", c.indices, Type::objectReference());
  if (c.hasComment)
    memory.insert("comment", c.comment, Type::fixedString(c.commentWidth));
  return memory;
}

template <typename T> T load(const char *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

std::string text(const char *from, size_t width) {
  return std::string(from, strnlen(from, width));
}

SplitRow decode(const char *bytes, const Columns &c) {
  SplitRow row;
  row.split = text(bytes, c.splitWidth);
  row.source = text(bytes + c.source, c.sourceWidth);
  row.start = load<int64_t>(bytes + c.start);
  row.stop = load<int64_t>(bytes + c.stop);
  row.available = bytes[c.available] != 0;
  if (c.hasIndices)
    row.indices = load<hobj_ref_t>(bytes + c.indices);
  row.comment = text(bytes + c.comment, c.commentWidth);
  return row;
}
} // namespace

SplitTable SplitTable::read(const Group &root) {
  if (!root.hasAttribute("split"))
    throw InputError("'" + root.file() +
                     "' has no attribute 'split' at its root: it is HDF5, but "
                     "not a Fuel data set; convert it with fuel-convert");
  Attribute attribute = root.attribute("split");
  Type table = attribute.type();
  if (table.kind() != H5T_COMPOUND || attribute.shape().size() != 1)
    throw InputError("the attribute 'split' of '" + root.file() +
                     "' is not a table (a 1-D compound); is it a Fuel file?");
  Columns columns = layOut(table, root.file());
  size_t count = size_t(attribute.shape().front());
  if (count > (size_t(1) << 24))
    throw blocks::CorruptError("the attribute 'split' of '" + root.file() +
                               "' claims " + std::to_string(count) +
                               " rows: the file is damaged");
  std::string bytes(count * columns.total, '\0');
  if (count > 0)
    attribute.read(memoryType(table, columns), bytes.data());
  std::vector<SplitRow> rows;
  for (size_t i = 0; i < count; ++i)
    rows.push_back(decode(bytes.data() + i * columns.total, columns));
  return SplitTable(std::move(rows));
}

//===-- Writing -----------------------------------------------------------===//

namespace {
/// Fuel writes "." for an empty comment.
const std::string &commentOf(const SplitRow &row) {
  static const std::string none = ".";
  return row.comment.empty() ? none : row.comment;
}

Columns widths(const std::vector<SplitRow> &rows) {
  Columns c;
  for (const SplitRow &row : rows) {
    c.splitWidth = std::max(c.splitWidth, row.split.size());
    c.sourceWidth = std::max(c.sourceWidth, row.source.size());
    c.commentWidth = std::max(c.commentWidth, commentOf(row).size());
  }
  c.source = c.splitWidth;
  c.start = c.source + c.sourceWidth;
  c.stop = c.start + 8;
  c.indices = c.stop + 8;
  c.available = c.indices + sizeof(hobj_ref_t);
  c.comment = c.available + 1;
  c.total = c.comment + c.commentWidth;
  return c;
}

void encode(const SplitRow &row, const Columns &c, char *bytes) {
  std::memcpy(bytes, row.split.data(), row.split.size());
  std::memcpy(bytes + c.source, row.source.data(), row.source.size());
  std::memcpy(bytes + c.start, &row.start, 8);
  std::memcpy(bytes + c.stop, &row.stop, 8);
  std::memcpy(bytes + c.indices, &row.indices, sizeof row.indices);
  bytes[c.available] = row.available;
  std::memcpy(bytes + c.comment, commentOf(row).data(), commentOf(row).size());
}
} // namespace

size_t SplitTable::bytes() const { return rows.size() * widths(rows).total; }

// The limit is 64 KiB for the whole message; leave room for its own header.
bool SplitTable::fitsOldHeaders() const { return bytes() < 64000; }

void SplitTable::write(Group &root) const {
  Columns c = widths(rows);
  Type table = Type::compound(c.total);
  table.insert("split", 0, Type::fixedString(c.splitWidth))
      .insert("source", c.source, Type::fixedString(c.sourceWidth))
      .insert("start", c.start, Type::of(DType::Int64))
      .insert("stop", c.stop, Type::of(DType::Int64))
      .insert("indices", c.indices, Type::objectReference())
      .insert("available", c.available, Type::of(DType::Bool))
      .insert("comment", c.comment, Type::fixedString(c.commentWidth));
  std::string bytes(rows.size() * c.total, '\0');
  for (size_t i = 0; i < rows.size(); ++i)
    encode(rows[i], c, bytes.data() + i * c.total);
  root.createAttribute("split", table, {int64_t(rows.size())})
      .write(table, bytes.data());
}

//===-- Questions ---------------------------------------------------------===//

std::vector<std::string> SplitTable::sources() const {
  std::set<std::string> names;
  for (const SplitRow &row : rows)
    names.insert(row.source);
  return {names.begin(), names.end()};
}

} // namespace fuel
