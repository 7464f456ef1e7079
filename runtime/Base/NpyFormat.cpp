// NpyFormat: see NpyFormat.h. The header is a Python dictionary literal; this
// reads exactly the three keys that NumPy writes, in any order.
#include "runtime/Base/NpyFormat.h"

#include "blocks/Error.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <string_view>

namespace blocks {

namespace {
constexpr std::string_view npyMagic = "\x93NUMPY";
constexpr size_t maxRank = 32; // NumPy's limit.

/// A cursor over the dictionary literal.
class HeaderParser {
public:
  HeaderParser(std::string_view text, const std::string &where, bool texts)
      : text(text), where(where), texts(texts) {}

  NpyHeader parse() {
    NpyHeader header;
    bool seenDescr = false, seenOrder = false, seenShape = false;
    expect('{');
    while (!accept('}')) {
      std::string key = quoted();
      expect(':');
      if (key == "descr" && !seenDescr)
        seenDescr = true, element(header);
      else if (key == "fortran_order" && !seenOrder)
        seenOrder = true, header.fortranOrder = boolean();
      else if (key == "shape" && !seenShape)
        seenShape = true, header.shape = shape();
      else
        fail("has the unexpected key '" + key + "'");
      if (!accept(','))
        expect('}'), unread();
    }
    skipBlanks();
    if (at != text.size() || !seenDescr || !seenOrder || !seenShape)
      fail("must have exactly the keys 'descr', 'fortran_order' and 'shape'");
    return header;
  }

private:
  [[noreturn]] void fail(const std::string &what) {
    throw CorruptError("'" + where + "': the NPY header " + what);
  }
  void skipBlanks() {
    while (at < text.size() &&
           std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
  }
  bool accept(char c) {
    skipBlanks();
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  void expect(char c) {
    if (!accept(c))
      fail(std::string("lacks a '") + c + "'");
  }
  void unread() { --at; }
  std::string quoted() {
    skipBlanks();
    char quote = at < text.size() ? text[at] : 0;
    if (quote != '\'' && quote != '"')
      fail("holds a value that is no text in quotes (structured and object "
           "arrays cannot be read)");
    size_t end = text.find(quote, at + 1);
    if (end == std::string_view::npos)
      fail("has an open quote");
    std::string result(text.substr(at + 1, end - at - 1));
    at = end + 1;
    return result;
  }
  void element(NpyHeader &header) {
    std::string descr = quoted();
    if (descr == "?")
      descr = "|b1";
    if (descr.size() < 2)
      fail("has the element type '" + descr + "'");
    if (texts && (descr[1] == 'S' || descr[1] == 'a' || descr[1] == 'U'))
      return string(descr, header);
    header.bigEndian = descr[0] == '>';
    if (header.bigEndian)
      descr[0] = '<';
    try {
      header.dtype = dtypeFromNumpy(descr);
    } catch (const Error &error) {
      throw InputError("'" + where + "': " + error.what());
    }
    header.elementBytes = dtypeSize(header.dtype);
  }
  /// "|S5" has 5 bytes, "<U5" 5 characters of 4 bytes.
  void string(const std::string &descr, NpyHeader &header) {
    bool characters = descr[1] == 'U';
    size_t length = 0;
    auto [end, error] =
        std::from_chars(descr.data() + 2, descr.data() + descr.size(), length);
    if (error != std::errc() || end != descr.data() + descr.size() ||
        length == 0 || length > (size_t(1) << 30))
      fail("has the element type '" + descr + "'");
    header.kind =
        characters ? NpyHeader::Kind::Characters : NpyHeader::Kind::Bytes;
    header.dtype = DType::UInt8;
    header.bigEndian = characters && descr[0] == '>';
    header.elementBytes = characters ? 4 * length : length;
  }
  bool boolean() {
    skipBlanks();
    for (std::string_view word : {"True", "False"})
      if (text.substr(at, word.size()) == word) {
        at += word.size();
        return word == "True";
      }
    fail("has a 'fortran_order' that is neither True nor False");
  }
  Shape shape() {
    Shape result;
    expect('(');
    while (!accept(')')) {
      if (result.size() == maxRank)
        fail("has more than 32 dimensions");
      result.push_back(integer());
      if (!accept(','))
        expect(')'), unread();
    }
    return result;
  }
  int64_t integer() {
    skipBlanks();
    int64_t value = 0;
    size_t first = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
      if (value > (INT64_MAX - 9) / 10)
        fail("has a dimension that is too large");
      value = value * 10 + (text[at++] - '0');
    }
    if (at == first)
      fail("has a dimension that is no number");
    accept('L'); // Written by NumPy on Python 2.
    return value;
  }

  std::string_view text;
  const std::string &where;
  bool texts;
  size_t at = 0;
};

/// Bytes of the elements; throws if they do not fit 63 bits.
uint64_t dataBytes(const NpyHeader &header, const std::string &where) {
  uint64_t bytes = header.elementBytes;
  for (int64_t extent : header.shape) {
    if (extent == 0)
      return 0;
    if (bytes > uint64_t(INT64_MAX) / uint64_t(extent))
      throw CorruptError("'" + where + "': shape " + formatShape(header.shape) +
                         " is larger than any file");
    bytes *= uint64_t(extent);
  }
  return bytes;
}
} // namespace

NpyHeader parseNpyHeader(std::span<const std::byte> bytes,
                         const std::string &where, bool texts) {
  std::string_view text(reinterpret_cast<const char *>(bytes.data()),
                        bytes.size());
  if (text.size() < 12 || !text.starts_with(npyMagic))
    throw CorruptError("'" + where +
                       "' is not an NPY file: its first bytes "
                       "are not NumPy's");
  auto byteAt = [&](size_t i) { return size_t(uint8_t(text[i])); };
  size_t version = byteAt(6);
  if (version < 1 || version > 3)
    throw UnsupportedError("'" + where + "': NPY version " +
                           std::to_string(version) + "; known are 1 to 3");
  size_t prefix = version == 1 ? 10 : 12;
  size_t length = byteAt(8) | byteAt(9) << 8;
  if (version > 1)
    length |= byteAt(10) << 16 | byteAt(11) << 24;
  if (length > text.size() - prefix)
    throw CorruptError("'" + where + "': the NPY header is cut off");
  NpyHeader header =
      HeaderParser(text.substr(prefix, length), where, texts).parse();
  header.dataOffset = prefix + length;
  uint64_t expected = dataBytes(header, where);
  if (text.size() - header.dataOffset != expected)
    throw CorruptError("'" + where + "': shape " + formatShape(header.shape) +
                       " of elements of " +
                       std::to_string(header.elementBytes) + " bytes needs " +
                       std::to_string(expected) + " bytes, but there are " +
                       std::to_string(text.size() - header.dataOffset));
  return header;
}

std::string makeNpyHeader(const ArrayView &array) {
  std::string dict = "{'descr': '" + std::string(dtypeNumpy(array.dtype)) +
                     "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : array.shape)
    dict += std::to_string(extent) + (array.shape.size() == 1 ? "," : ", ");
  if (array.shape.size() > 1)
    dict.resize(dict.size() - 2);
  dict += "), }";
  size_t total = (10 + dict.size() + 1 + 63) / 64 * 64;
  dict.append(total - 10 - dict.size() - 1, ' ');
  dict += '\n';
  std::string header(npyMagic);
  header += {char(1), char(0), char(dict.size() & 255), char(dict.size() >> 8)};
  return header + dict;
}

void swapBytes(std::byte *elements, size_t count, size_t width) {
  if (width > 1)
    for (size_t i = 0; i < count; ++i)
      std::reverse(elements + i * width, elements + (i + 1) * width);
}

/// The elements in C order, their bytes as stored.
static Array inRowOrder(std::span<const std::byte> bytes,
                        const NpyHeader &header) {
  Array array(header.dtype, header.shape);
  const std::byte *from = bytes.data() + header.dataOffset;
  size_t rank = header.shape.size(), width = dtypeSize(header.dtype);
  if (array.bytes() == 0)
    return array;
  if (!header.fortranOrder || rank < 2) {
    std::memcpy(array.data(), from, array.bytes());
    return array;
  }
  // Walk the target in C order; the first index is the fastest in the source.
  std::vector<int64_t> index(rank, 0), stride(rank, 1);
  for (size_t d = 1; d < rank; ++d)
    stride[d] = stride[d - 1] * header.shape[d - 1];
  std::byte *to = array.data();
  for (int64_t i = 0, n = array.size(), offset = 0; i < n; ++i, to += width) {
    std::memcpy(to, from + size_t(offset) * width, width);
    for (size_t d = rank; d-- > 0;) {
      offset += stride[d];
      if (++index[d] < header.shape[d])
        break;
      offset -= stride[d] * header.shape[d];
      index[d] = 0;
    }
  }
  return array;
}

Array copyNpyData(std::span<const std::byte> bytes, const NpyHeader &header) {
  Array array = inRowOrder(bytes, header);
  if (header.bigEndian)
    swapBytes(array.data(), size_t(array.size()), header.elementBytes);
  return array;
}

} // namespace blocks
