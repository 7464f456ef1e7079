// Numbers of PTX, and skipping of what the emulator has no use for.
#include "Cursor.h"

#include <bit>
#include <cstdlib>

namespace ptxemu {
namespace {

void setFloat(Operand &operand, double value) {
  operand.kind = Operand::floating;
  operand.bits64 = std::bit_cast<uint64_t>(value);
  operand.bits32 = std::bit_cast<uint32_t>(static_cast<float>(value));
}

bool isHexFloat(const std::string &text, char mark) {
  return text.size() > 2 && text[0] == '0' && std::tolower(text[1]) == mark;
}

Operand readNumber(const std::string &text, bool minus) {
  Operand operand;
  operand.kind = Operand::integer;
  if (isHexFloat(text, 'f')) {
    auto bits = uint32_t(std::strtoul(text.c_str() + 2, nullptr, 16));
    setFloat(operand, std::bit_cast<float>(bits));
    operand.bits32 = bits; // keeps the payload of a NaN
    if (minus)
      operand.bits32 ^= 0x80000000u, operand.bits64 ^= 1ull << 63;
  } else if (isHexFloat(text, 'd')) {
    uint64_t bits = std::strtoull(text.c_str() + 2, nullptr, 16);
    if (minus)
      bits ^= 1ull << 63;
    setFloat(operand, std::bit_cast<double>(bits));
  } else if (!isHexFloat(text, 'x') &&
             text.find_first_of(".eE") != std::string::npos) {
    double value = std::strtod(text.c_str(), nullptr);
    setFloat(operand, minus ? -value : value);
  } else if (isHexFloat(text, 'b')) {
    operand.value = int64_t(std::strtoull(text.c_str() + 2, nullptr, 2));
  } else {
    operand.value = int64_t(std::strtoull(text.c_str(), nullptr, 0));
  }
  if (operand.kind == Operand::integer) {
    if (minus)
      operand.value = int64_t(0 - uint64_t(operand.value));
    operand.bits64 = std::bit_cast<uint64_t>(double(operand.value));
    operand.bits32 = std::bit_cast<uint32_t>(float(operand.value));
  }
  return operand;
}

} // namespace

Operand Cursor::number() {
  bool minus = false;
  while (is("-") || is("+"))
    minus ^= next().text == "-";
  if (peek().kind != Token::number)
    fail("expected a number, found '" + peek().text + "'");
  return readNumber(next().text, minus);
}

int64_t Cursor::integer() {
  Operand operand = number();
  if (operand.kind != Operand::integer)
    fail("expected an integer");
  return operand.value;
}

void Cursor::skipBraces() {
  expect("{");
  for (int depth = 1; depth > 0 && !atEnd();) {
    const Token &token = next();
    depth += token.text == "{";
    depth -= token.text == "}";
  }
}

} // namespace ptxemu
