//===- Agreement.h - When machine code agrees with the reference ----------===//
//
// Two right programs in single precision differ by what rounding does to
// either, and where large numbers cancel that is more than any fixed tolerance.
// So a number beyond the tolerance is judged by the reference in double
// precision: machine code may be off by a few times what the reference in
// single precision is off, or what the result moves when the last bits of the
// inputs change.
//
//===----------------------------------------------------------------------===//
#ifndef TEST_LIB_REFERENCE_RANDOM_GRAPHS_AGREEMENT_H
#define TEST_LIB_REFERENCE_RANDOM_GRAPHS_AGREEMENT_H

#include "test/lib/Reference/random_graphs/Checks.h"

#include "lib/Reference/Interpreter.h"

#include <functional>
#include <optional>

namespace blocks::testing {

using NamedList = std::vector<std::pair<std::string, reference::Tensor>>;

/// Runs the reference in double precision, if it comes to that: with the very
/// inputs (0), or with one of the patterns of other last bits.
using WideReference =
    std::function<mlir::FailureOr<NamedList>(unsigned lastBits)>;

/// A sum of n numbers, one added after the other, errs about √n / 5 times as
/// much as other last bits of the numbers move it: a dozen times for a few
/// thousand.
constexpr double excusedErrors = 16;

/// What the reference in double precision gives, and how far from it results in
/// single precision may be.
struct Allowance {
  reference::Tensor right;
  double error;
};

/// Runs the reference in double precision when first asked.
class Judge {
public:
  explicit Judge(const WideReference &wide) : wide(wide) {}

  /// For result i, of which the reference in single precision gives `expected`;
  /// none if there is no run in double precision.
  std::optional<Allowance> allow(size_t i, const reference::Tensor &expected);
  bool excuses(size_t i, const reference::Tensor &found,
               const reference::Tensor &expected);

private:
  void run();

  const WideReference &wide;
  std::vector<NamedList> runs;
};

/// True if each tensor of `found` is within `tolerance` of the one in
/// `expected`, or no further from the one in `wide` than `excusedErrors` times
/// what `expected` or other last bits are. Prints what disagrees, with `where`
/// before it.
bool agree(const std::string &where, const NamedList &found,
           const NamedList &expected, double tolerance,
           const WideReference &wide);

/// The same numbers in f64; integers stay. With `lastBits` above 0 each is
/// moved up or down by one part in 2^23, in a pattern of that number.
reference::NamedTensors widened(const reference::NamedTensors &tensors,
                                mlir::MLIRContext &context, unsigned lastBits);

} // namespace blocks::testing

#endif
