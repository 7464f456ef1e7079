// Cuts a PTX text into tokens that remember their line and place. Comments are
// gone; a directive or suffix (".reg", ".f32") is one token with its dot.
#pragma once

#include <string>
#include <vector>

namespace ptxemu {

struct Token {
  enum Kind { name, directive, number, string, punctuation, end };
  Kind kind;
  std::string text;
  unsigned line;
  size_t begin, finish; ///< place in the text
};

/// Throws PtxError on a character that PTX does not have.
std::vector<Token> tokenize(const std::string &text);

} // namespace ptxemu
