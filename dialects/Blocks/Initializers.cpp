//===- Initializers.cpp - Initializer attributes --------------------------===//
//
// The numbers themselves are computed by the runtime
// (runtime/Parameters/Initialization.h) from the kind and the values here.
//
//===----------------------------------------------------------------------===//
#include "dialects/Blocks/Blocks.h"

using namespace mlir;

namespace blocks {

/// The names that InitializerSpec::kind and models use.
StringRef ConstantInitAttr::getKind() const { return "constant"; }
StringRef IsotropicGaussianInitAttr::getKind() const {
  return "isotropic_gaussian";
}
StringRef UniformInitAttr::getKind() const { return "uniform"; }
StringRef IdentityInitAttr::getKind() const { return "identity"; }
StringRef GlorotUniformInitAttr::getKind() const { return "glorot_uniform"; }
StringRef GlorotNormalInitAttr::getKind() const { return "glorot_normal"; }
StringRef HeUniformInitAttr::getKind() const { return "he_uniform"; }
StringRef HeNormalInitAttr::getKind() const { return "he_normal"; }

using Values = SmallVector<std::pair<StringRef, double>>;

/// Reports a scheme that needs a matrix but got another rank.
static LogicalResult needsMatrix(ArrayRef<int64_t> shape, StringRef kind,
                                 function_ref<InFlightDiagnostic()> emitError) {
  if (shape.size() == 2)
    return success();
  return emitError() << "initializer " << kind << " needs a matrix, found rank "
                     << shape.size();
}
static LogicalResult needsFans(ArrayRef<int64_t> shape, StringRef kind,
                               function_ref<InFlightDiagnostic()> emitError) {
  if (shape.size() >= 2)
    return success();
  return emitError()
         << "initializer " << kind
         << " needs rank 2 or more (fan-in and fan-out), found rank "
         << shape.size();
}

Values ConstantInitAttr::getValues() const {
  return {{"value", getValue().convertToDouble()}};
}
LogicalResult
ConstantInitAttr::checkShape(ArrayRef<int64_t>,
                             function_ref<InFlightDiagnostic()>) const {
  return success();
}

Values IsotropicGaussianInitAttr::getValues() const {
  return {{"std", getStd().convertToDouble()},
          {"mean", getMean().convertToDouble()}};
}
LogicalResult IsotropicGaussianInitAttr::checkShape(
    ArrayRef<int64_t>, function_ref<InFlightDiagnostic()>) const {
  return success();
}

LogicalResult
UniformInitAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        APFloat width, APFloat std, APFloat) {
  auto positive = [](const APFloat &x) {
    return !x.isNegative() && x.isNonZero();
  };
  if (positive(width) == positive(std) || width.isNegative() ||
      std.isNegative())
    return emitError()
           << "uniform takes exactly one of width and std, positive";
  return success();
}
Values UniformInitAttr::getValues() const {
  double width = getWidth().isNonZero()
                     ? getWidth().convertToDouble()
                     : 3.4641016151377544 * getStd().convertToDouble();
  return {{"width", width}, {"mean", getMean().convertToDouble()}};
}
LogicalResult
UniformInitAttr::checkShape(ArrayRef<int64_t>,
                            function_ref<InFlightDiagnostic()>) const {
  return success();
}

Values IdentityInitAttr::getValues() const {
  return {{"mult", getMult().convertToDouble()}};
}
LogicalResult IdentityInitAttr::checkShape(
    ArrayRef<int64_t> shape,
    function_ref<InFlightDiagnostic()> emitError) const {
  return needsMatrix(shape, getKind(), emitError);
}

#define FAN_INITIALIZER(CLASS)                                                 \
  Values CLASS::getValues() const {                                            \
    return {{"gain", getGain().convertToDouble()}};                            \
  }                                                                            \
  LogicalResult CLASS::checkShape(                                             \
      ArrayRef<int64_t> shape, function_ref<InFlightDiagnostic()> emitError)   \
      const {                                                                  \
    return needsFans(shape, getKind(), emitError);                             \
  }
FAN_INITIALIZER(GlorotUniformInitAttr)
FAN_INITIALIZER(GlorotNormalInitAttr)
FAN_INITIALIZER(HeUniformInitAttr)
FAN_INITIALIZER(HeNormalInitAttr)
#undef FAN_INITIALIZER

StringRef OrthogonalInitAttr::getKind() const { return "orthogonal"; }
Values OrthogonalInitAttr::getValues() const {
  return {{"scale", getScale().convertToDouble()}};
}
LogicalResult OrthogonalInitAttr::checkShape(
    ArrayRef<int64_t> shape,
    function_ref<InFlightDiagnostic()> emitError) const {
  return needsMatrix(shape, getKind(), emitError);
}

FailureOr<APFloat> parseNumber(AsmParser &parser) {
  double value;
  if (parser.parseFloat(value))
    return failure();
  return APFloat(value);
}

void printNumber(AsmPrinter &printer, const APFloat &value) {
  printer.printFloat(value);
}

} // namespace blocks
