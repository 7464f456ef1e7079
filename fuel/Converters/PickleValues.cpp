// PickleValues: the instructions for numbers, texts, lists, tuples and
// dictionaries. See PickleReader.h.
#include "fuel/Converters/PickleReader.h"

#include <bit>
#include <charconv>
#include <cstdlib>

namespace fuel {

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

} // namespace fuel
