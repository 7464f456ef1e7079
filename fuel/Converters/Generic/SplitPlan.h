// SplitPlan: how rows that belong to no split of their own are divided:
// "train=0.9,valid=0.1" by fractions, "train=50000,valid=10000" by numbers,
// "train=rest,valid=1000" with a rest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fuel {

struct SplitRange {
  std::string name;
  int64_t start, stop;
};

class SplitPlan {
public:
  /// All rows in one split.
  explicit SplitPlan(const std::string &only);
  /// UsageError unless `text` is a plan.
  static SplitPlan parse(const std::string &text);

  /// One after the other. UsageError if `rows` cannot be divided so: too few, a
  /// split without rows, or rows left over.
  std::vector<SplitRange> divide(int64_t rows) const;
  std::vector<std::string> names() const;
  bool dividesRows() const { return parts.size() > 1; }

private:
  struct Part {
    enum class Kind { Fraction, Count, Rest } kind;
    std::string name;
    double fraction = 0;
    int64_t count = 0;
  };
  SplitPlan() = default;
  static Part parsePart(const std::string &text);
  int64_t restOf(int64_t rows) const;
  void check() const;
  std::vector<Part> parts;
};

} // namespace fuel
