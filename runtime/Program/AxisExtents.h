// AxisExtents: which extents the named axes of an entry have in a run. Sources
// declare the names; equal names must have equal extents; outputs take theirs
// from names or formulas of names ("time*batch", "(time+1)"); what the entry
// requires of them ("(time - 5)" is not negative) is checked. Everything is
// resolved to numbers when the program is loaded, so that a run neither
// compares texts nor allocates.
#pragma once

#include "runtime/Program/ExtentFormula.h"

#include "blocks/Program.h"

#include <string>
#include <vector>

namespace blocks {

/// More dimensions than any model has; a bound against hostile manifests.
constexpr size_t maximumRank = 16;

class AxisExtents {
public:
  /// Adds the names of a source's dynamic axes. Sources come in order.
  void declare(const SourceSpec &source);
  /// Resolves an output's dynamic dimensions; false, with the problem, if one
  /// has a name that no source declared. Outputs come in order.
  bool knows(const OutputSpec &output, std::string &problem);
  /// What `formula` gives must not be negative; `text` says why. False if it is
  /// no formula of declared axes.
  bool require(const std::string &formula, const std::string &text);

  /// Checks an input and takes its extents; throws InputError. Inputs come in
  /// the order of the sources, after `begin`.
  void begin();
  void take(size_t source, const std::string &entry, const SourceSpec &spec,
            const ArrayView &input);
  /// Throws InputError unless the extents are as they are required to be.
  void check(const std::string &entry) const;
  /// The shape of an output in this run; valid until the next call.
  const Shape &shapeOf(size_t output);

  const std::vector<std::string> &names() const { return axisNames; }
  const std::vector<int64_t> &extents() const { return axisExtents; }

private:
  int64_t find(std::string_view name) const;
  [[noreturn]] void failUnequal(const std::string &entry,
                                const SourceSpec &spec, const ArrayView &input,
                                size_t dimension, size_t axis) const;

  std::vector<std::string> axisNames;
  std::vector<int64_t> axisExtents;       ///< -1: not yet seen in this run.
  std::vector<const SourceSpec *> seenIn; ///< Who gave an axis its extent.
  /// By source and dimension: the axis, or -1.
  std::vector<std::vector<int64_t>> sourceAxes;
  /// By output and dimension; static ones are none.
  std::vector<std::vector<std::optional<ExtentFormula>>> outputAxes;
  std::vector<Shape> outputShapes; ///< Dynamic dimensions change.
  /// Formulas that must not be negative, and why.
  std::vector<std::pair<ExtentFormula, std::string>> requirements;
};

} // namespace blocks
