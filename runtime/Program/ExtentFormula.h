// ExtentFormula: the extent of an output's dimension as the compiler writes it,
// "time*batch", "2*batch", "(time+1)", "(time - 1)", "(batch/4)": products of
// numbers, named axes and sums in parentheses; what follows a "/" divides,
// rounded down. "(time%4)" is what division leaves, "root(time)" the largest
// number, but at least 1, whose square is not larger.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace blocks {

class ExtentFormula {
public:
  /// `axis` gives the number of an axis, or a negative number for an unknown
  /// one. None if the text is no formula of known axes.
  static std::optional<ExtentFormula>
  parse(std::string_view text,
        const std::function<int64_t(std::string_view)> &axis);

  /// The extent, with those of the axes by number; differences may be negative.
  /// Does not allocate.
  int64_t evaluate(const std::vector<int64_t> &extents) const;

private:
  enum class Kind { Number, Axis, Sum, Product, Rest, Root };
  using Lookup = std::function<int64_t(std::string_view)>;

  static std::optional<ExtentFormula> parseFactor(std::string_view text,
                                                  const Lookup &axis);
  static std::optional<ExtentFormula> parseSum(std::string_view text,
                                               const Lookup &axis);
  static std::optional<ExtentFormula> parseTerm(std::string_view text,
                                                const Lookup &axis);
  static std::optional<ExtentFormula> ofTerm(Kind kind,
                                             std::optional<ExtentFormula> term);

  Kind kind = Kind::Number;
  int64_t value = 1;                   ///< A number, or the number of an axis.
  std::vector<ExtentFormula> terms;    ///< Of a sum, a product, or a function.
  std::vector<ExtentFormula> divisors; ///< Of a product; of a sum: taken away.
};

} // namespace blocks
