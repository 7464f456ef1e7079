//===- Agreement.cpp - When machine code agrees with the reference --------===//
#include "test/lib/Reference/random_graphs/Agreement.h"
#include "test/tools/Checks.h"

#include "blocks/Philox.h"

#include <llvm/Support/raw_ostream.h>
#include <mlir/IR/Builders.h>

#include <cmath>

using namespace mlir;

namespace blocks::testing {

using reference::NamedTensors;
using reference::Tensor;

/// One of two factors next to 1.
static double lastBit(int64_t i, unsigned pattern) {
  uint64_t bits = philoxBits(pattern, 0, 0, 0, uint64_t(i));
  return bits & 1 ? 1 + 0x1p-23 : 1 - 0x1p-23;
}

static Tensor widened(const Tensor &tensor, MLIRContext &context,
                      unsigned lastBits) {
  if (!tensor.isReal())
    return tensor;
  Tensor wide(Float64Type::get(&context), tensor.shape());
  for (int64_t i = 0; i < tensor.size(); ++i)
    wide.setReal(i, tensor.real(i) * (lastBits ? lastBit(i, lastBits) : 1));
  return wide;
}

NamedTensors widened(const NamedTensors &tensors, MLIRContext &context,
                     unsigned lastBits) {
  NamedTensors wide;
  for (const auto &[name, tensor] : tensors)
    wide[name] = widened(tensor, context, lastBits);
  return wide;
}

/// The largest distance between two tensors; infinite where they cannot be
/// compared.
static double largestError(const Tensor &found, const Tensor &wide) {
  double largest = 0;
  if (found.shape() != wide.shape() || !found.isReal() || !wide.isReal())
    return std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < found.size(); ++i) {
    double error = std::fabs(found.real(i) - wide.real(i));
    largest = std::isnan(error) ? std::numeric_limits<double>::infinity()
                                : std::fmax(largest, error);
  }
  return largest;
}

std::optional<Allowance> Judge::allow(size_t i, const Tensor &expected) {
  run();
  if (runs.empty())
    return std::nullopt;
  const Tensor &right = runs[0][i].second;
  double moved = largestError(expected, right);
  for (const NamedList &results : runs)
    moved = std::fmax(moved, largestError(results[i].second, right));
  return Allowance{right, excusedErrors * moved};
}

bool Judge::excuses(size_t i, const Tensor &found, const Tensor &expected) {
  std::optional<Allowance> allowance = allow(i, expected);
  if (!allowance)
    return false;
  double error = largestError(found, allowance->right);
  return std::isfinite(error) && error <= allowance->error;
}

/// A single pattern may by chance move a result little.
void Judge::run() {
  for (unsigned lastBits = unsigned(runs.size()); lastBits < 5; ++lastBits) {
    FailureOr<NamedList> results = wide(lastBits);
    if (failed(results))
      return runs.clear();
    runs.push_back(std::move(*results));
  }
}

bool agree(const std::string &where, const NamedList &found,
           const NamedList &expected, double tolerance,
           const WideReference &wide) {
  if (found.size() != expected.size()) {
    llvm::errs() << where << " has " << found.size() << " results, expected "
                 << expected.size() << "\n";
    return false;
  }
  bool same = true;
  Judge judge(wide);
  for (size_t i = 0; i < found.size(); ++i) {
    auto text = difference(found[i].second, expected[i].second, tolerance);
    if (!text || judge.excuses(i, found[i].second, expected[i].second))
      continue;
    llvm::errs() << where << " " << found[i].first << " " << *text << "\n";
    same = false;
  }
  return same;
}

} // namespace blocks::testing
