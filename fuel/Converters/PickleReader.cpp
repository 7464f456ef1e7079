// PickleReader: bytes, stack and the instructions for plain values. See
// PickleReader.h; PickleObjects.cpp has those for NumPy's objects.
#include "fuel/Converters/PickleReader.h"

#include "blocks/Error.h"

#include <bit>
#include <charconv>
#include <cstdlib>

namespace fuel {

namespace {
/// More values than this are no labels of a data set.
constexpr size_t mostValues = size_t(1) << 22;
} // namespace

PickleReader::PickleReader(Pickle &pickle, std::span<const std::byte> bytes)
    : pickle(pickle),
      bytes(reinterpret_cast<const char *>(bytes.data()), bytes.size()) {}

void PickleReader::fail(const std::string &what) const {
  throw blocks::CorruptError("cannot read " + pickle.where +
                             " as a Python pickle: " + what + " (at byte " +
                             std::to_string(position) + ")");
}

//===-- Bytes -------------------------------------------------------------===//

std::string_view PickleReader::take(uint64_t count) {
  if (count > bytes.size() - position)
    fail("it ends too early");
  std::string_view part = bytes.substr(position, count);
  position += count;
  return part;
}

/// Little-endian and unsigned.
uint64_t PickleReader::number(int count) {
  std::string_view part = take(uint64_t(count));
  uint64_t value = 0;
  for (int i = 0; i < count; ++i)
    value |= uint64_t(uint8_t(part[size_t(i)])) << (8 * i);
  return value;
}

std::string_view PickleReader::line() {
  size_t end = bytes.find('\n', position);
  if (end == std::string_view::npos)
    fail("it ends too early");
  std::string_view part = take(end - position);
  ++position;
  return part.ends_with('\r') ? part.substr(0, part.size() - 1) : part;
}

int64_t PickleReader::decimal(std::string_view digits) const {
  int64_t value = 0;
  const char *end = digits.data() + digits.size();
  auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stop != end)
    fail("'" + std::string(digits.substr(0, 40)) + "' is no whole number");
  return value;
}

//===-- Stack -------------------------------------------------------------===//

PickleValue &PickleReader::make(Kind kind) {
  if (pickle.values.size() == mostValues)
    fail("it holds more than " + std::to_string(mostValues) + " values");
  PickleValue &value = pickle.values.emplace_back();
  value.kind = kind;
  return value;
}

void PickleReader::push(PickleValue *value) {
  if (stack.size() == mostValues)
    fail("it stacks more than " + std::to_string(mostValues) + " values");
  stack.push_back(value);
}

PickleValue *PickleReader::pop() {
  if (stack.empty() || !stack.back())
    fail("a value is missing");
  PickleValue *value = stack.back();
  stack.pop_back();
  return value;
}

PickleValue *PickleReader::pop(Kind kind, const char *what) {
  PickleValue *value = pop();
  if (value->kind != kind)
    fail(std::string("expected ") + what);
  return value;
}

PickleValue *PickleReader::peek(Kind kind, const char *what) {
  PickleValue *value = pop(kind, what);
  stack.push_back(value);
  return value;
}

std::vector<const PickleValue *> PickleReader::popToMark() {
  size_t mark = stack.size();
  while (mark > 0 && stack[mark - 1])
    --mark;
  if (mark == 0)
    fail("a mark is missing");
  std::vector<const PickleValue *> items(stack.begin() + ptrdiff_t(mark),
                                         stack.end());
  stack.resize(mark - 1);
  return items;
}

void PickleReader::pushInteger(int64_t value) {
  PickleValue &made = make(Kind::Int);
  made.integer = value;
  push(&made);
}

void PickleReader::pushText(std::string_view text, bool unicode) {
  PickleValue &made = make(Kind::Text);
  made.text = text;
  made.unicode = unicode;
  push(&made);
}

void PickleReader::pushItems(Kind kind,
                             std::vector<const PickleValue *> items) {
  PickleValue &made = make(kind);
  made.items = std::move(items);
  push(&made);
}

/// A text that is not in the bytes. They may not add up to much more.
std::string_view PickleReader::keep(std::string text) {
  keptBytes += text.size();
  if (keptBytes > 4 * bytes.size())
    fail("it repeats its texts");
  return pickle.strings.emplace_back(std::move(text));
}

//===-- Plain values ------------------------------------------------------===//

bool PickleReader::number(char code) {
  switch (code) {
  case 'I': { // A line; "00" and "01" are booleans.
    std::string_view digits = line();
    pushInteger(decimal(digits));
    if (digits == "00" || digits == "01")
      stack.back()->kind = Kind::Bool;
    return true;
  }
  case 'L': {
    std::string_view digits = line();
    pushInteger(decimal(
        digits.ends_with('L') ? digits.substr(0, digits.size() - 1) : digits));
    return true;
  }
  case 'J':
    pushInteger(int32_t(uint32_t(number(4))));
    return true;
  case 'K':
    pushInteger(int64_t(number(1)));
    return true;
  case 'M':
    pushInteger(int64_t(number(2)));
    return true;
  case '\x8a': { // A long of so many bytes, signed.
    int count = int(number(1));
    if (count > 8)
      fail("a number has more than 8 bytes");
    uint64_t value = number(count);
    int unused = 64 - 8 * count;
    pushInteger(count == 0 ? 0 : int64_t(value << unused) >> unused);
    return true;
  }
  case 'F': {
    std::string digits(line());
    push(&make(Kind::Float));
    stack.back()->real = std::strtod(digits.c_str(), nullptr);
    return true;
  }
  case 'G': { // Big-endian.
    uint64_t value = __builtin_bswap64(number(8));
    push(&make(Kind::Float));
    stack.back()->real = std::bit_cast<double>(value);
    return true;
  }
  case 'N':
    push(&make(Kind::None));
    return true;
  case '\x88':
  case '\x89':
    push(&make(Kind::Bool));
    stack.back()->integer = code == '\x88';
    return true;
  default:
    return false;
  }
}

/// A Python string literal: 'a\n\x80'.
std::string_view PickleReader::unquoted(std::string_view literal) {
  if (literal.size() < 2 || (literal[0] != '\'' && literal[0] != '"') ||
      literal.back() != literal[0])
    fail("a text has no quotes");
  literal = literal.substr(1, literal.size() - 2);
  if (literal.find('\\') == std::string_view::npos)
    return literal;
  std::string text;
  for (size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] != '\\' || i + 1 == literal.size()) {
      text += literal[i];
      continue;
    }
    constexpr std::string_view codes = "nrtabfv\\'\"",
                               meant = "\n\r\t\a\b\f\v\\'\"";
    char code = literal[++i];
    unsigned value = 0;
    if (code == 'x') {
      std::string_view digits = literal.substr(i + 1, 2);
      auto [stop, error] = std::from_chars(
          digits.data(), digits.data() + digits.size(), value, 16);
      if (error != std::errc() || stop != digits.data() + 2)
        fail("a text has an unknown escape");
      text += char(value);
      i += 2;
    } else if (size_t at = codes.find(code); at != std::string_view::npos) {
      text += meant[at];
    } else {
      fail("a text has an unknown escape");
    }
  }
  return keep(std::move(text));
}

/// One byte a character, or \\u and four digits; the result is in UTF-8.
std::string_view PickleReader::unescaped(std::string_view literal) {
  std::string text;
  for (size_t i = 0; i < literal.size(); ++i) {
    unsigned value = uint8_t(literal[i]);
    if (literal.substr(i, 2) == "\\u") {
      std::string_view digits = literal.substr(i + 2, 4);
      auto [stop, error] = std::from_chars(
          digits.data(), digits.data() + digits.size(), value, 16);
      if (error != std::errc() || stop != digits.data() + 4)
        fail("a text has an unknown escape");
      i += 5;
    }
    if (value < 0x80) {
      text += char(value);
    } else if (value < 0x800) {
      text += {char(0xc0 | value >> 6), char(0x80 | (value & 0x3f))};
    } else {
      text += {char(0xe0 | value >> 12), char(0x80 | (value >> 6 & 0x3f)),
               char(0x80 | (value & 0x3f))};
    }
  }
  return keep(std::move(text));
}

bool PickleReader::text(char code) {
  switch (code) {
  case 'S':
    pushText(unquoted(line()), false);
    return true;
  case 'V':
    pushText(unescaped(line()), true);
    return true;
  case 'T':
  case 'B':
    pushText(take(number(4)), false);
    return true;
  case 'U':
  case 'C':
    pushText(take(number(1)), false);
    return true;
  case '\x8e':
    pushText(take(number(8)), false);
    return true;
  case 'X':
    pushText(take(number(4)), true);
    return true;
  case '\x8c':
    pushText(take(number(1)), true);
    return true;
  case '\x8d':
    pushText(take(number(8)), true);
    return true;
  default:
    return false;
  }
}

//===-- Containers --------------------------------------------------------===//

void PickleReader::appendItems(std::vector<const PickleValue *> items) {
  PickleValue *list = peek(Kind::List, "a list");
  list->items.insert(list->items.end(), items.begin(), items.end());
}

void PickleReader::setItems(std::vector<const PickleValue *> items) {
  PickleValue *dict = peek(Kind::Dict, "a dictionary");
  if (items.size() % 2 != 0)
    fail("a dictionary's key has no value");
  dict->items.insert(dict->items.end(), items.begin(), items.end());
}

bool PickleReader::container(char code) {
  switch (code) {
  case '(':
    push(nullptr);
    return true;
  case ']':
  case '}':
  case ')':
    pushItems(code == ']'   ? Kind::List
              : code == '}' ? Kind::Dict
                            : Kind::Tuple,
              {});
    return true;
  case 'l':
    pushItems(Kind::List, popToMark());
    return true;
  case 't':
    pushItems(Kind::Tuple, popToMark());
    return true;
  case 'd': {
    std::vector<const PickleValue *> items = popToMark();
    pushItems(Kind::Dict, {});
    setItems(std::move(items));
    return true;
  }
  case '\x85':
  case '\x86':
  case '\x87': {
    std::vector<const PickleValue *> items(size_t(code - '\x84'));
    for (size_t i = items.size(); i-- > 0;)
      items[i] = pop();
    pushItems(Kind::Tuple, std::move(items));
    return true;
  }
  case 'a': {
    PickleValue *item = pop();
    appendItems({item});
    return true;
  }
  case 'e':
    appendItems(popToMark());
    return true;
  case 's': {
    PickleValue *value = pop(), *key = pop();
    setItems({key, value});
    return true;
  }
  case 'u':
    setItems(popToMark());
    return true;
  default:
    return false;
  }
}

//===-- Memo and stack ----------------------------------------------------===//

void PickleReader::remember(uint64_t number) {
  if (stack.empty() || !stack.back())
    fail("there is nothing to remember");
  memory[number] = stack.back();
}

void PickleReader::recall(uint64_t number) {
  auto found = memory.find(number);
  if (found == memory.end())
    fail("it refers to a value that it does not hold");
  push(found->second);
}

bool PickleReader::memo(char code) {
  switch (code) {
  case 'p':
    remember(uint64_t(decimal(line())));
    return true;
  case 'q':
    remember(number(1));
    return true;
  case 'r':
    remember(number(4));
    return true;
  case '\x94':
    remember(memory.size());
    return true;
  case 'g':
    recall(uint64_t(decimal(line())));
    return true;
  case 'h':
    recall(number(1));
    return true;
  case 'j':
    recall(number(4));
    return true;
  default:
    return false;
  }
}

bool PickleReader::other(char code) {
  switch (code) {
  case '\x80':
    if (uint64_t version = number(1); version > 4)
      fail("its protocol " + std::to_string(version) + " is unknown");
    return true;
  case '\x95': // A frame: the length of what follows.
    take(8);
    return true;
  case '0':
    pop();
    return true;
  case '1':
    popToMark();
    return true;
  case '2':
    push(pop());
    push(stack.back());
    return true;
  default:
    return false;
  }
}

const PickleValue *PickleReader::run() {
  for (;;) {
    char code = take(1)[0];
    if (code == '.')
      return pop();
    if (!number(code) && !text(code) && !container(code) && !memo(code) &&
        !object(code) && !other(code)) {
      constexpr char digits[] = "0123456789abcdef";
      fail(std::string("the instruction 0x") + digits[uint8_t(code) >> 4] +
           digits[uint8_t(code) & 15] +
           " is none that data sets need; it is not carried out");
    }
  }
}

} // namespace fuel
