// The parser's place in the tokens, with the small questions and steps that
// all of its parts use, and the numbers and operands that both declarations
// and instructions have.
#pragma once

#include "Lexer.h"
#include "Ptx.h"

namespace ptxemu {

class Cursor {
public:
  explicit Cursor(std::vector<Token> tokens) : tokens(std::move(tokens)) {}

  const Token &peek(size_t ahead = 0) const {
    return tokens[std::min(at + ahead, tokens.size() - 1)];
  }
  const Token &next() {
    const Token &token = peek();
    at = std::min(at + 1, tokens.size() - 1);
    return token;
  }
  bool is(const char *text) const { return peek().text == text; }
  bool atEnd() const { return peek().kind == Token::end; }
  bool take(const char *text) {
    if (!is(text))
      return false;
    next();
    return true;
  }
  void expect(const char *text) {
    if (!take(text))
      fail("expected '" + std::string(text) + "', found '" + peek().text + "'");
  }
  std::string expectName() {
    if (peek().kind != Token::name)
      fail("expected a name, found '" + peek().text + "'");
    return next().text;
  }
  [[noreturn]] void fail(const std::string &what) const {
    throw PtxError(peek().line, what);
  }
  void skipLine() {
    for (unsigned line = peek().line; !atEnd() && peek().line == line;)
      next();
  }
  void skipPast(const char *text) {
    while (!atEnd() && !take(text))
      next();
  }
  void skipBraces();

  /// An immediate number with its sign; sets kind, value and bits.
  Operand number();
  int64_t integer();

private:
  std::vector<Token> tokens;
  size_t at = 0;
};

} // namespace ptxemu
