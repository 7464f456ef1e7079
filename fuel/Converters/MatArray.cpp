// MatArray: see MatArray.h.
#include "fuel/Converters/MatArray.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cstring>

namespace fuel {

using blocks::DType;
using Kind = MatVariable::Kind;

namespace {
constexpr size_t mostBytes = size_t(1) << 26, mostValues = size_t(1) << 20;
constexpr int mostDepth = 8;
constexpr size_t mostAxes = 32, longestName = 256, mostFields = 4096;

template <typename T>
void convert(bool swapped, const std::byte *from, double *to, size_t count) {
  for (size_t i = 0; i < count; ++i, from += sizeof(T)) {
    std::byte bytes[sizeof(T)];
    std::memcpy(bytes, from, sizeof(T));
    if (swapped)
      std::reverse(bytes, bytes + sizeof(T));
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    to[i] = double(value);
  }
}
} // namespace

std::optional<DType> dtypeOfMat(uint32_t type) {
  switch (MatType(type)) {
  case MatType::Int8:
    return DType::Int8;
  case MatType::UInt8:
    return DType::UInt8;
  case MatType::Int16:
    return DType::Int16;
  case MatType::UInt16:
    return DType::UInt16;
  case MatType::Int32:
    return DType::Int32;
  case MatType::UInt32:
    return DType::UInt32;
  case MatType::Single:
    return DType::Float32;
  case MatType::Double:
    return DType::Float64;
  case MatType::Int64:
    return DType::Int64;
  case MatType::UInt64:
    return DType::UInt64;
  default:
    return std::nullopt;
  }
}

void matNumbers(DType dtype, bool swapped, const std::byte *from, double *to,
                size_t count) {
  switch (dtype) {
  case DType::Int8:
    return convert<int8_t>(swapped, from, to, count);
  case DType::UInt8:
    return convert<uint8_t>(swapped, from, to, count);
  case DType::Int16:
    return convert<int16_t>(swapped, from, to, count);
  case DType::UInt16:
    return convert<uint16_t>(swapped, from, to, count);
  case DType::Int32:
    return convert<int32_t>(swapped, from, to, count);
  case DType::UInt32:
    return convert<uint32_t>(swapped, from, to, count);
  case DType::Float32:
    return convert<float>(swapped, from, to, count);
  case DType::Int64:
    return convert<int64_t>(swapped, from, to, count);
  case DType::UInt64:
    return convert<uint64_t>(swapped, from, to, count);
  default:
    return convert<double>(swapped, from, to, count);
  }
}

void MatArrayReader::fail(const std::string &what) const {
  throw blocks::CorruptError(where + " is damaged: " + what);
}

//===-- Head --------------------------------------------------------------===//

static Kind kindOfClass(uint32_t number) {
  constexpr uint32_t structure = 2, text = 4, firstNumber = 6, lastNumber = 15;
  return number == structure                             ? Kind::Structure
         : number == text                                ? Kind::Text
         : number >= firstNumber && number <= lastNumber ? Kind::Numbers
                                                         : Kind::Other;
}

MatVariable MatArrayReader::head() {
  MatVariable variable;
  MatStream::Tag flags = stream.tag(swapped);
  if (flags.type != uint32_t(MatType::UInt32) || flags.bytes != 8)
    fail("an array has no flags");
  uint32_t word = stream.number(swapped);
  stream.number(swapped);
  constexpr uint32_t complexFlag = 0x800;
  variable.kind = word & complexFlag ? Kind::Other : kindOfClass(word & 0xff);
  MatStream::Tag dimensions = stream.tag(swapped);
  if (dimensions.type != uint32_t(MatType::Int32) || dimensions.bytes % 4 ||
      dimensions.bytes < 8 || dimensions.bytes / 4 > mostAxes)
    fail("an array has no dimensions");
  int64_t elements = 1;
  for (uint32_t i = 0; i < dimensions.bytes / 4; ++i) {
    int64_t extent = int32_t(stream.number(swapped));
    if (extent < 0 || __builtin_mul_overflow(elements, extent, &elements) ||
        elements > int64_t(1) << 40)
      fail("an array has impossible dimensions");
    variable.shape.push_back(extent);
  }
  stream.skip(dimensions.padded() - dimensions.bytes);
  MatStream::Tag name = stream.tag(swapped);
  if (name.bytes > longestName)
    fail("an array's name has " + std::to_string(name.bytes) + " bytes");
  std::vector<std::byte> text = content(name);
  variable.name.assign(reinterpret_cast<const char *>(text.data()),
                       text.size());
  return variable;
}

std::vector<std::byte> MatArrayReader::content(MatStream::Tag tag) {
  bytesRead += tag.bytes;
  if (bytesRead > mostBytes)
    fail("a value has more than " + std::to_string(mostBytes) + " bytes");
  std::vector<std::byte> bytes(tag.bytes);
  stream.read(bytes.data(), bytes.size());
  stream.skip(tag.padded() - tag.bytes);
  return bytes;
}

//===-- Values ------------------------------------------------------------===//

MatValue MatArrayReader::value(const MatVariable &head, int depth) {
  MatValue value;
  value.kind = head.kind;
  value.shape = head.shape;
  if (head.kind == Kind::Numbers)
    numbers(value);
  else if (head.kind == Kind::Text)
    text(value);
  else if (head.kind == Kind::Structure)
    structure(value, depth);
  return value;
}

void MatArrayReader::numbers(MatValue &value) {
  MatStream::Tag tag = stream.tag(swapped);
  std::optional<DType> dtype = dtypeOfMat(tag.type);
  auto count = size_t(blocks::numElements(value.shape));
  if (!dtype || tag.bytes != count * blocks::dtypeSize(*dtype))
    fail("an array of " + blocks::formatShape(value.shape) + " numbers has " +
         std::to_string(tag.bytes) + " bytes");
  std::vector<std::byte> bytes = content(tag);
  value.numbers.resize(count);
  matNumbers(*dtype, swapped, bytes.data(), value.numbers.data(), count);
}

/// Characters of one or two bytes; others than ASCII become '?'.
void MatArrayReader::text(MatValue &value) {
  MatStream::Tag tag = stream.tag(swapped);
  std::vector<std::byte> bytes = content(tag);
  bool wide = tag.type == uint32_t(MatType::UInt16) ||
              tag.type == uint32_t(MatType::Utf16);
  std::vector<double> codes(bytes.size() / (wide ? 2 : 1));
  matNumbers(wide ? DType::UInt16 : DType::UInt8, swapped, bytes.data(),
             codes.data(), codes.size());
  for (double code : codes)
    value.text += code < 0x80 ? char(code) : '?';
}

MatValue MatArrayReader::whole(int depth) {
  if (depth > mostDepth)
    fail("its values are nested more than " + std::to_string(mostDepth) +
         " times");
  if (++valuesRead > mostValues)
    fail("it holds more than " + std::to_string(mostValues) + " values");
  MatStream::Tag tag = stream.tag(swapped);
  if (tag.type != uint32_t(MatType::Matrix))
    fail("a structure holds something else than arrays");
  if (tag.bytes == 0) // A field that was never set.
    return {};
  MatVariable variable = head();
  if (variable.kind != Kind::Other)
    return value(variable, depth);
  fail("a structure holds values of a kind that is not read");
}

void MatArrayReader::structure(MatValue &value, int depth) {
  MatStream::Tag length = stream.tag(swapped);
  if (length.type != uint32_t(MatType::Int32) || length.bytes != 4)
    fail("a structure's names have no length");
  uint32_t width = stream.number(swapped);
  stream.skip(length.padded() - length.bytes);
  std::vector<std::byte> names = content(stream.tag(swapped));
  if (width == 0 || width > longestName || names.size() % width)
    fail("a structure's names have an impossible length");
  if (names.size() / width > mostFields)
    fail("a structure has more than " + std::to_string(mostFields) + " fields");
  for (size_t at = 0; at < names.size(); at += width) {
    auto *name = reinterpret_cast<const char *>(names.data()) + at;
    value.fieldNames.emplace_back(name, ::strnlen(name, width));
  }
  int64_t elements = blocks::numElements(value.shape);
  if (elements > int64_t(mostValues))
    fail("a structure has " + std::to_string(elements) + " elements");
  if (elements > 1 && value.fieldNames.empty())
    fail("a structure of " + std::to_string(elements) +
         " elements has no fields");
  for (int64_t i = 0; i < elements; ++i)
    for (size_t field = 0; field < value.fieldNames.size(); ++field)
      value.fields.push_back(whole(depth + 1));
}

} // namespace fuel
