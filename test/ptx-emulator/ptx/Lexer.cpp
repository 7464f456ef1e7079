// The lexer of PTX; see Lexer.h.
#include "Lexer.h"
#include "Ptx.h"

#include <cctype>

namespace ptxemu {
namespace {

bool startsName(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         c == '%';
}
bool inName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

class Lexer {
public:
  explicit Lexer(const std::string &text) : text(text) {}

  std::vector<Token> run() {
    while (skipBlank(), at < text.size())
      readToken();
    tokens.push_back({Token::end, "end of text", line, at, at});
    return std::move(tokens);
  }

private:
  const std::string &text;
  std::vector<Token> tokens;
  size_t at = 0;
  unsigned line = 1;

  char peek(size_t ahead = 0) const {
    return at + ahead < text.size() ? text[at + ahead] : 0;
  }

  void skipBlank() {
    while (at < text.size()) {
      if (peek() == '\n')
        ++line, ++at;
      else if (std::isspace(static_cast<unsigned char>(peek())))
        ++at;
      else if (peek() == '/' && peek(1) == '/')
        while (at < text.size() && peek() != '\n')
          ++at;
      else if (peek() == '/' && peek(1) == '*')
        skipLongComment();
      else if (peek() == 0)
        ++at; // texts come with their terminating zero
      else
        return;
    }
  }

  void skipLongComment() {
    for (at += 2; at < text.size() && !(peek() == '*' && peek(1) == '/'); ++at)
      line += peek() == '\n';
    at += 2;
  }

  void add(Token::Kind kind, size_t begin) {
    tokens.push_back({kind, text.substr(begin, at - begin), line, begin, at});
  }

  void readToken() {
    size_t begin = at;
    char c = peek();
    if (c == '.' && startsName(peek(1))) {
      ++at;
      readWords();
      return add(Token::directive, begin);
    }
    if (startsName(c)) {
      ++at;
      while (inName(peek()))
        ++at;
      return add(Token::name, begin);
    }
    if (std::isdigit(static_cast<unsigned char>(c)))
      return readNumber();
    if (c == '"') {
      for (++at; at < text.size() && peek() != '"'; ++at)
        line += peek() == '\n';
      ++at;
      return add(Token::string, begin);
    }
    static const std::string known = "{}()[]<>,;:+-*/=!@|&~^?.";
    if (known.find(c) == std::string::npos)
      throw PtxError(line, std::string("unexpected character '") + c + "'");
    ++at;
    add(Token::punctuation, begin);
  }

  /// A suffix may hold "::", as in ".L1::no_allocate".
  void readWords() {
    while (inName(peek()) ||
           (peek() == ':' && peek(1) == ':' && inName(peek(2))))
      at += peek() == ':' ? 2 : 1;
  }

  void readNumber() {
    size_t begin = at;
    bool decimal = true;
    if (peek() == '0' && (std::isalpha(static_cast<unsigned char>(peek(1))))) {
      decimal = false;
      at += 2;
    }
    while (inName(peek()) || (decimal && peek() == '.') ||
           (decimal && (peek() == '+' || peek() == '-') &&
            (text[at - 1] == 'e' || text[at - 1] == 'E')))
      ++at;
    add(Token::number, begin);
  }
};

} // namespace

std::vector<Token> tokenize(const std::string &text) {
  return Lexer(text).run();
}

} // namespace ptxemu
