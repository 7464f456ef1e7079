//===- ComposedInitializers.cpp - Sparse, permuted, one for each gate -----===//
//
// Initializers that are made of others, or that hold lists. As in
// Initializers.cpp, the runtime computes the numbers.
//
//===----------------------------------------------------------------------===//
#include "dialects/Blocks/Blocks.h"

#include <mlir/Dialect/Utils/IndexingUtils.h>

using namespace mlir;

namespace blocks {

using Values = SmallVector<std::pair<StringRef, double>>;
using Parts = SmallVector<Attribute>;
using EmitError = function_ref<InFlightDiagnostic()>;

/// The names of list elements: values are told apart by name.
static StringRef numbered(MLIRContext *context, StringRef name, size_t i) {
  return StringAttr::get(context, name + Twine(i)).getValue();
}

static LogicalResult checkInitializer(EmitError emitError, StringRef scheme,
                                      StringRef what, Attribute part) {
  if (isa_and_nonnull<InitializerAttrInterface>(part))
    return success();
  return emitError() << scheme << " has " << what << " = " << part
                     << ", expected an initializer such as "
                        "#blocks.isotropic_gaussian<std = 0.01>";
}

/// The numbers of a list, or none if something else is in it.
static std::optional<SmallVector<int64_t>> numbersOf(ArrayAttr list) {
  SmallVector<int64_t> numbers;
  for (Attribute element : list) {
    auto number = dyn_cast<IntegerAttr>(element);
    if (!number)
      return std::nullopt;
    numbers.push_back(number.getInt());
  }
  return numbers;
}

//===--- constant_array ---------------------------------------------------===//

StringRef ConstantArrayInitAttr::getKind() const { return "constant_array"; }
/// The extents by "extent0", …, the elements by "0", ….
Values ConstantArrayInitAttr::getValues() const {
  Values values;
  for (auto [i, extent] : llvm::enumerate(getArray().getType().getShape()))
    values.push_back({numbered(getContext(), "extent", i), double(extent)});
  for (auto [i, element] : llvm::enumerate(getArray().getValues<APFloat>())) {
    APFloat number = element;
    bool ignored;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &ignored);
    values.push_back({numbered(getContext(), "", i), number.convertToDouble()});
  }
  return values;
}
LogicalResult ConstantArrayInitAttr::checkShape(ArrayRef<int64_t> shape,
                                                EmitError emitError) const {
  ArrayRef<int64_t> own = getArray().getType().getShape();
  bool fits = own.size() <= shape.size();
  for (size_t i = 0; fits && i < own.size(); ++i)
    fits = own[i] == 1 || own[i] == shape[shape.size() - own.size() + i];
  if (fits)
    return success();
  return emitError() << "initializer constant_array has an array of shape ["
                     << own << "], which cannot be repeated to shape [" << shape
                     << "]";
}

//===--- sparse, sparse_nd ------------------------------------------------===//

static LogicalResult verifySparse(EmitError emitError, StringRef scheme,
                                  const APFloat &count, Attribute weights,
                                  Attribute rest) {
  double number = count.convertToDouble();
  if (!(number > 0) || (number >= 1 && number != double(int64_t(number))))
    return emitError() << scheme
                       << " needs num_init: a number of elements, or a "
                          "fraction between 0 and 1";
  if (failed(checkInitializer(emitError, scheme, "weights_init", weights)))
    return failure();
  return rest ? checkInitializer(emitError, scheme, "sparse_init", rest)
              : success();
}

static Parts sparseParts(Attribute weights, Attribute rest) {
  if (!rest)
    rest = ConstantInitAttr::get(weights.getContext(), APFloat(0.0));
  return {weights, rest};
}

/// `rows` × `columns` elements of the whole are drawn as a matrix.
static LogicalResult checkSparse(StringRef scheme, const APFloat &count,
                                 int64_t columns, EmitError emitError) {
  if (count.convertToDouble() <= double(columns))
    return success();
  return emitError() << "initializer " << scheme << " puts "
                     << int64_t(count.convertToDouble())
                     << " values in each row, which has " << columns
                     << " elements";
}

StringRef SparseInitAttr::getKind() const { return "sparse"; }
Values SparseInitAttr::getValues() const {
  return {{"num_init", getNumInit().convertToDouble()}};
}
Parts SparseInitAttr::getParts() const {
  return sparseParts(getWeightsInit(), getSparseInit());
}
LogicalResult SparseInitAttr::verify(EmitError emitError, APFloat count,
                                     Attribute weights, Attribute rest) {
  return verifySparse(emitError, "sparse", count, weights, rest);
}
LogicalResult SparseInitAttr::checkShape(ArrayRef<int64_t> shape,
                                         EmitError emitError) const {
  if (shape.size() != 2)
    return emitError() << "initializer sparse needs a matrix, found rank "
                       << shape.size() << "; use sparse_nd";
  return checkSparse(getKind(), getNumInit(), shape[1], emitError);
}

StringRef SparseNDInitAttr::getKind() const { return "sparse_nd"; }
Values SparseNDInitAttr::getValues() const {
  Values values{{"num_init", getNumInit().convertToDouble()}};
  for (auto [i, axis] : llvm::enumerate(*numbersOf(getAxis())))
    values.push_back({numbered(getContext(), "axis", i), double(axis)});
  return values;
}
Parts SparseNDInitAttr::getParts() const {
  return sparseParts(getWeightsInit(), getSparseInit());
}
LogicalResult SparseNDInitAttr::verify(EmitError emitError, ArrayAttr axis,
                                       APFloat count, Attribute weights,
                                       Attribute rest) {
  std::optional<SmallVector<int64_t>> axes = numbersOf(axis);
  bool increasing = axes && !axes->empty() && axes->front() >= 0;
  for (size_t i = 1; increasing && i < axes->size(); ++i)
    increasing = (*axes)[i - 1] < (*axes)[i];
  if (!increasing)
    return emitError() << "sparse_nd needs axis: a list of increasing axes, "
                          "counted from 0, found "
                       << axis;
  return verifySparse(emitError, "sparse_nd", count, weights, rest);
}
LogicalResult SparseNDInitAttr::checkShape(ArrayRef<int64_t> shape,
                                           EmitError emitError) const {
  SmallVector<int64_t> axes = *numbersOf(getAxis());
  if (axes.back() >= int64_t(shape.size()))
    return emitError() << "initializer sparse_nd has axis " << axes.back()
                       << ", but the parameter has rank " << shape.size();
  int64_t columns = 1;
  for (auto [i, extent] : llvm::enumerate(shape))
    if (!llvm::is_contained(axes, int64_t(i)))
      columns *= extent;
  return checkSparse(getKind(), getNumInit(), columns, emitError);
}

//===--- permutation_matrix -----------------------------------------------===//

StringRef PermutationMatrixInitAttr::getKind() const {
  return "permutation_matrix";
}
Values PermutationMatrixInitAttr::getValues() const {
  Values values;
  if (getPermutation())
    for (auto [i, column] : llvm::enumerate(*numbersOf(getPermutation())))
      values.push_back({numbered(getContext(), "", i), double(column)});
  return values;
}
LogicalResult PermutationMatrixInitAttr::verify(EmitError emitError,
                                                ArrayAttr permutation) {
  if (!permutation)
    return success();
  std::optional<SmallVector<int64_t>> order = numbersOf(permutation);
  if (order && isPermutationVector(*order))
    return success();
  return emitError() << "permutation_matrix needs each number below "
                     << permutation.size() << " once, found " << permutation;
}
LogicalResult PermutationMatrixInitAttr::checkShape(ArrayRef<int64_t> shape,
                                                    EmitError emitError) const {
  if (shape.size() != 2 || shape[0] != shape[1])
    return emitError() << "initializer permutation_matrix needs a square "
                          "matrix, found shape "
                       << shape;
  if (getPermutation() && int64_t(getPermutation().size()) != shape[0])
    return emitError() << "initializer permutation_matrix permutes "
                       << getPermutation().size() << " columns, found "
                       << shape[0];
  return success();
}

//===--- gates ------------------------------------------------------------===//

StringRef GatesInitAttr::getKind() const { return "gates"; }
Values GatesInitAttr::getValues() const { return {}; }
Parts GatesInitAttr::getParts() const {
  return llvm::to_vector(getPartsAttr());
}
LogicalResult GatesInitAttr::verify(EmitError emitError, ArrayAttr parts) {
  if (parts.empty())
    return emitError() << "gates needs at least one initializer";
  for (Attribute part : parts)
    if (failed(checkInitializer(emitError, "gates", "a part", part)))
      return failure();
  return success();
}
LogicalResult GatesInitAttr::checkShape(ArrayRef<int64_t> shape,
                                        EmitError emitError) const {
  int64_t count = getPartsAttr().size();
  if (shape.empty() || shape.back() % count != 0)
    return emitError() << "initializer gates has " << count
                       << " parts, which cannot share the last axis of shape ["
                       << shape << "] equally";
  SmallVector<int64_t> part(shape);
  part.back() /= count;
  for (Attribute each : getPartsAttr())
    if (failed(
            cast<InitializerAttrInterface>(each).checkShape(part, emitError)))
      return failure();
  return success();
}

} // namespace blocks
