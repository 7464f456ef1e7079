//===- Initializers.cpp - Initializer attributes --------------------------===//
//
// The numbers themselves are computed by the runtime
// (runtime/Parameters/Initialization.h) from the kind and the values here.
//
//===----------------------------------------------------------------------===//
#include "dialects/Blocks/ParameterSize.h"

#include <llvm/ADT/StringExtras.h>

#include <cmath>

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

/// Numbers that no scheme can draw from.
static LogicalResult
checkNumbers(InitializerAttrInterface init,
             function_ref<InFlightDiagnostic()> emitError) {
  for (auto [name, value] : init.getValues()) {
    if (!std::isfinite(value))
      return emitError() << "initializer " << init.getKind() << " has "
                         << (llvm::isDigit(name.front()) ? "element " : "")
                         << name << " = " << value
                         << ", expected a finite number";
    if (name == "std" && value < 0)
      return emitError() << "initializer " << init.getKind()
                         << " has the standard deviation " << value
                         << ", expected 0 or more";
  }
  return success();
}

LogicalResult checkInitializer(InitializerAttrInterface init,
                               ArrayRef<int64_t> shape,
                               function_ref<InFlightDiagnostic()> emitError) {
  if (failed(checkNumbers(init, emitError)))
    return failure();
  SmallVector<Attribute> parts = init.getParts();
  while (!parts.empty()) {
    auto part = cast<InitializerAttrInterface>(parts.pop_back_val());
    if (failed(checkNumbers(part, emitError)))
      return failure();
    parts.append(part.getParts());
  }
  return init.checkShape(shape, emitError);
}

FailureOr<APFloat> parseNumber(AsmParser &parser) {
  llvm::SMLoc place = parser.getCurrentLocation();
  Attribute number;
  if (parser.parseAttribute(number))
    return failure();
  if (auto value = dyn_cast<FloatAttr>(number))
    return APFloat(value.getValueAsDouble());
  if (auto value = dyn_cast<IntegerAttr>(number);
      value && !isa<BoolAttr>(number))
    return APFloat(value.getValue().signedRoundToDouble());
  return parser.emitError(place) << "expected a number, found " << number;
}

void printNumber(AsmPrinter &printer, const APFloat &value) {
  printer.printFloat(value);
}

} // namespace blocks
