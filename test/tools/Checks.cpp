//===- Checks.cpp - Expectations written into a test's graph --------------===//
#include "test/tools/Checks.h"

#include <llvm/Support/FormatVariadic.h>

#include <cmath>

using namespace mlir;

namespace blocks::testing {

using reference::Tensor;

static double number(const Tensor &tensor, int64_t i) {
  if (tensor.isReal())
    return tensor.real(i);
  return tensor.elementType().isUnsignedInteger()
             ? double(uint64_t(tensor.integer(i)))
             : double(tensor.integer(i));
}

/// The distance in units of the tolerance's scale; infinite if only one is NaN
/// or an infinity.
static double distance(double found, double expected) {
  if (found == expected || (std::isnan(found) && std::isnan(expected)))
    return 0;
  double scaled =
      std::fabs(found - expected) / std::fmax(1, std::fabs(expected));
  return std::isfinite(scaled) ? scaled
                               : std::numeric_limits<double>::infinity();
}

std::optional<std::string>
difference(const Tensor &found, const Tensor &expected, double tolerance) {
  if (found.shape() != expected.shape())
    return llvm::formatv("found {0}, expected {1}", typeText(found),
                         typeText(expected));
  int64_t worst = 0;
  double worstDistance = -1;
  for (int64_t i = 0; i < found.size(); ++i) {
    double d = distance(number(found, i), number(expected, i));
    if (d > worstDistance) {
      worstDistance = d;
      worst = i;
    }
  }
  if (worstDistance <= tolerance)
    return std::nullopt;
  std::string position;
  for (int64_t p : reference::positionOf(worst, found.shape()))
    position += (position.empty() ? "" : ", ") + std::to_string(p);
  char text[200];
  std::snprintf(text, sizeof(text),
                "found %.17g, expected %.17g, which differ by %.3g; the "
                "tolerance is %.3g",
                number(found, worst), number(expected, worst), worstDistance,
                tolerance);
  return "at [" + position + "] " + text;
}

LogicalResult runCheck(Operation *op, reference::Operands in) {
  if (op->getName().getStringRef() != "check.close" || in.empty())
    return op->emitError() << "the reference interpreter does not know '"
                           << op->getName() << "'";
  auto tolerance = op->getAttrOfType<FloatAttr>("tolerance");
  FailureOr<Tensor> expected = failure();
  if (in.size() == 2)
    expected = *in[1];
  else if (Attribute attribute = op->getAttr("expected"))
    expected = Tensor::fromAttribute(attribute);
  if (failed(expected))
    return op->emitError("needs `expected` or a second operand");
  std::optional<std::string> found = difference(
      *in[0], *expected, tolerance ? tolerance.getValueAsDouble() : 0);
  return found ? op->emitError() << *found : success();
}

} // namespace blocks::testing
