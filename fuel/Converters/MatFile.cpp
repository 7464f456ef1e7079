// MatFile: see MatFile.h.
#include "fuel/Converters/MatFile.h"

#include "blocks/Error.h"
#include "fuel/Converters/MatArray.h"

#include <algorithm>
#include <cstring>

namespace fuel {

using blocks::CorruptError;
using blocks::InputError;

namespace {
constexpr size_t headerBytes = 128, tagBytes = 8, mostVariables = 4096;
/// What libhdf5 finds at the beginning of its files, after MATLAB's header.
constexpr size_t hdf5Place = 512;

bool isHdf5(std::span<const std::byte> bytes) {
  auto at = [&](size_t place) {
    return bytes.size() >= place + 4 &&
           std::memcmp(bytes.data() + place, "\x89HDF", 4) == 0;
  };
  return at(0) || at(hdf5Place);
}

/// Whether the numbers' bytes are to be swapped.
bool readHeader(std::span<const std::byte> bytes, const std::string &where) {
  if (isHdf5(bytes))
    throw blocks::UnsupportedError(
        where + " is a MATLAB file of version 7.3; expected one of version 5 "
                "to 7: save it in MATLAB with the option -v7");
  auto endIs = [&](const char *mark) {
    return std::memcmp(bytes.data() + headerBytes - 2, mark, 2) == 0;
  };
  if (bytes.size() < headerBytes || (!endIs("IM") && !endIs("MI")))
    throw CorruptError(where + " is no MATLAB file of version 5 to 7");
  return endIs("MI");
}
} // namespace

MatFile::MatFile(std::span<const std::byte> bytes, std::string where)
    : bytes(bytes), where(std::move(where)) {
  swapped = readHeader(bytes, this->where);
  for (uint64_t at = headerBytes; at + tagBytes <= bytes.size();) {
    MatStream::Tag tag =
        storedMatStream(bytes.subspan(at), this->where)->tag(swapped);
    std::unique_ptr<MatStream> stream = open(at);
    MatVariable variable = MatArrayReader(*stream, swapped, this->where).head();
    variable.offset = at;
    table.push_back(std::move(variable));
    if (table.size() > mostVariables)
      throw CorruptError(this->where + " holds more than " +
                         std::to_string(mostVariables) + " variables");
    // Only a compressed element is not filled up to eight bytes.
    at += tagBytes + (tag.type == uint32_t(MatType::Compressed)
                          ? uint64_t(tag.bytes)
                          : tag.padded());
  }
}

/// At the head of the array that lies at `offset`.
std::unique_ptr<MatStream> MatFile::open(uint64_t offset) const {
  std::span<const std::byte> rest = bytes.subspan(offset);
  std::unique_ptr<MatStream> stream = storedMatStream(rest, where);
  MatStream::Tag tag = stream->tag(swapped);
  if (tag.small || tag.bytes > rest.size() - tagBytes)
    throw CorruptError(where + " ends within an array; is it complete?");
  if (tag.type == uint32_t(MatType::Compressed)) {
    stream = inflatedMatStream(rest.subspan(tagBytes, tag.bytes), where);
    tag = stream->tag(swapped);
  }
  if (tag.type != uint32_t(MatType::Matrix))
    throw CorruptError(where + " is damaged: it holds something else than "
                               "arrays");
  return stream;
}

const MatVariable &MatFile::find(const std::string &name,
                                 MatVariable::Kind kind) const {
  std::string known;
  for (const MatVariable &variable : table) {
    if (variable.name == name && variable.kind == kind)
      return variable;
    known += (known.empty() ? "'" : ", '") + variable.name + "'";
  }
  throw InputError(where + " has no variable '" + name + "' of the kind " +
                   "expected; it has: " + (known.empty() ? "none" : known));
}

std::string MatFile::describe(const MatVariable &variable) const {
  return "variable '" + variable.name + "' of " + where;
}

MatFile::Numbers MatFile::numbers(const MatVariable &variable) const {
  Numbers numbers;
  numbers.where = describe(variable);
  numbers.swapped = swapped;
  numbers.stream = open(variable.offset);
  MatArrayReader(*numbers.stream, swapped, where).head();
  MatStream::Tag tag = numbers.stream->tag(swapped);
  std::optional<blocks::DType> dtype = dtypeOfMat(tag.type);
  auto count = uint64_t(blocks::numElements(variable.shape));
  if (!dtype || tag.bytes != count * blocks::dtypeSize(*dtype))
    throw CorruptError(numbers.where + " of shape " +
                       blocks::formatShape(variable.shape) + " has " +
                       std::to_string(tag.bytes) + " bytes");
  numbers.storedType = *dtype;
  return numbers;
}

void MatFile::Numbers::read(double *out, size_t count) {
  size_t width = blocks::dtypeSize(storedType);
  constexpr size_t piece = 65536;
  for (size_t done = 0; done < count; done += piece) {
    size_t part = std::min(piece, count - done);
    buffer.resize(part * width);
    stream->read(buffer.data(), buffer.size());
    matNumbers(storedType, swapped, buffer.data(), out + done, part);
  }
}

void MatFile::Numbers::read(uint8_t *out, size_t count) {
  if (storedType == blocks::DType::UInt8)
    return stream->read(out, count);
  std::vector<double> values(count);
  read(values.data(), count);
  for (size_t i = 0; i < count; ++i) {
    if (!(values[i] >= 0 && values[i] <= 255) ||
        values[i] != double(uint8_t(values[i])))
      throw InputError(where + " holds " + std::to_string(values[i]) +
                       "; expected whole numbers from 0 to 255");
    out[i] = uint8_t(values[i]);
  }
}

MatValue MatFile::read(const MatVariable &variable) const {
  std::unique_ptr<MatStream> stream = open(variable.offset);
  MatArrayReader reader(*stream, swapped, where);
  MatVariable head = reader.head();
  return reader.value(head);
}

} // namespace fuel
