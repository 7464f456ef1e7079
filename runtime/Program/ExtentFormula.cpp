// See ExtentFormula.h. A formula is a tree, read by cutting the text at its
// operators outside of parentheses.
#include "runtime/Program/ExtentFormula.h"

#include <charconv>
#include <cmath>

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

/// The next " - " outside of parentheses, or the end of the text.
static size_t endOfPositive(std::string_view text, size_t begin) {
  constexpr std::string_view minus = " - ";
  size_t end = endOfPart(text, begin, " ");
  while (end < text.size() && text.substr(end, minus.size()) != minus)
    end = endOfPart(text, end + 1, " ");
  return end;
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
  constexpr std::string_view root = "root";
  bool isRoot = text.substr(0, root.size() + 1) == "root(";
  std::string_view inside = isRoot ? text.substr(root.size()) : text;
  if (inside.size() > 2 && inside.front() == '(' && inside.back() == ')') {
    auto sum = parseSum(inside.substr(1, inside.size() - 2), axis);
    return isRoot ? ofTerm(Kind::Root, std::move(sum)) : sum;
  }
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
  bool isTaken = false;
  for (size_t begin = 0; begin <= text.size();) {
    size_t minus = endOfPositive(text, begin),
           end = std::min(endOfPart(text, begin, "+"), minus);
    auto term = parseTerm(text.substr(begin, end - begin), axis);
    if (!term)
      return std::nullopt;
    (isTaken ? sum.divisors : sum.terms).push_back(std::move(*term));
    isTaken = end == minus;
    begin = end + (end < text.size() && isTaken ? 3 : 1);
  }
  return sum;
}

std::optional<ExtentFormula>
ExtentFormula::ofTerm(Kind kind, std::optional<ExtentFormula> term) {
  if (!term)
    return std::nullopt;
  ExtentFormula formula;
  formula.kind = kind;
  formula.terms.push_back(std::move(*term));
  return formula;
}

/// A product, or what division of one by another leaves.
std::optional<ExtentFormula> ExtentFormula::parseTerm(std::string_view text,
                                                      const Lookup &axis) {
  size_t end = endOfPart(text, 0, "%");
  auto whole = parse(text.substr(0, end), axis);
  if (end == text.size())
    return whole;
  auto rest = ofTerm(Kind::Rest, std::move(whole)),
       part = ofTerm(Kind::Product, parse(text.substr(end + 1), axis));
  if (!rest || !part)
    return std::nullopt;
  rest->divisors.push_back(std::move(*part));
  return rest;
}

int64_t ExtentFormula::evaluate(const std::vector<int64_t> &extents) const {
  if (kind == Kind::Number)
    return value;
  if (kind == Kind::Axis)
    return extents[size_t(value)];
  if (kind == Kind::Sum) {
    int64_t sum = 0;
    for (const ExtentFormula &term : terms)
      sum += term.evaluate(extents);
    for (const ExtentFormula &term : divisors)
      sum -= term.evaluate(extents);
    return sum;
  }
  int64_t result = 1, divisor = 1;
  for (const ExtentFormula &term : terms)
    result *= term.evaluate(extents);
  for (const ExtentFormula &term : divisors)
    divisor *= term.evaluate(extents);
  if (kind == Kind::Root) // of less than 2^52 this is exact
    return std::max<int64_t>(1, int64_t(std::sqrt(double(result))));
  if (kind == Kind::Rest)
    return divisor ? result % divisor : 0;
  return divisor > 1 ? result / divisor : result;
}

} // namespace blocks
