// See ExtentFormula.h. A formula is a tree, read by cutting the text at its
// operators outside of parentheses.
#include "runtime/Program/ExtentFormula.h"

#include <charconv>

namespace blocks {

/// The end of the part that starts at `begin`: the next of `operators` outside
/// of parentheses, or the end of the text.
static size_t endOfPart(std::string_view text, size_t begin,
                        std::string_view operators) {
  int depth = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (depth == 0 && operators.find(text[i]) != std::string_view::npos)
      return i;
  }
  return text.size();
}

std::optional<ExtentFormula> ExtentFormula::parse(std::string_view text,
                                                  const Lookup &axis) {
  constexpr size_t longest = 1000; // parentheses are as deep as the stack
  if (text.size() > longest)
    return std::nullopt;
  ExtentFormula product;
  product.kind = Kind::Product;
  bool divides = false;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = endOfPart(text, begin, "*/");
    auto factor = parseFactor(text.substr(begin, end - begin), axis);
    if (!factor)
      return std::nullopt;
    (divides ? product.divisors : product.terms).push_back(std::move(*factor));
    divides |= end < text.size() && text[end] == '/';
    begin = end + 1;
  }
  return product;
}

std::optional<ExtentFormula> ExtentFormula::parseFactor(std::string_view text,
                                                        const Lookup &axis) {
  if (text.size() > 2 && text.front() == '(' && text.back() == ')')
    return parseSum(text.substr(1, text.size() - 2), axis);
  ExtentFormula factor;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), factor.value);
  if (error == std::errc() && end == text.data() + text.size())
    return factor;
  factor.kind = Kind::Axis;
  factor.value = axis(text);
  if (factor.value < 0)
    return std::nullopt;
  return factor;
}

std::optional<ExtentFormula> ExtentFormula::parseSum(std::string_view text,
                                                     const Lookup &axis) {
  ExtentFormula sum;
  sum.kind = Kind::Sum;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = endOfPart(text, begin, "+");
    auto term = parse(text.substr(begin, end - begin), axis);
    if (!term)
      return std::nullopt;
    sum.terms.push_back(std::move(*term));
    begin = end + 1;
  }
  return sum;
}

int64_t ExtentFormula::evaluate(const std::vector<int64_t> &extents) const {
  if (kind == Kind::Number)
    return value;
  if (kind == Kind::Axis)
    return extents[size_t(value)];
  int64_t result = kind == Kind::Sum ? 0 : 1;
  for (const ExtentFormula &term : terms) {
    int64_t extent = term.evaluate(extents);
    result = kind == Kind::Sum ? result + extent : result * extent;
  }
  int64_t divisor = 1;
  for (const ExtentFormula &term : divisors)
    divisor *= term.evaluate(extents);
  return divisor > 1 ? result / divisor : result;
}

} // namespace blocks
