//===- TransposeOp.cpp - Verifier and builder of blocks.transpose ---------===//
#include "dialects/Blocks/Blocks.h"

#include <mlir/Dialect/Utils/IndexingUtils.h>

using namespace mlir;

namespace blocks {

/// The extents of `type` in the order of `permutation`.
static SmallVector<int64_t> permuted(RankedTensorType type,
                                     ArrayRef<int64_t> permutation) {
  return llvm::map_to_vector(
      permutation, [&](int64_t axis) { return type.getDimSize(axis); });
}

void TransposeOp::build(OpBuilder &builder, OperationState &state, Value input,
                        ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(input.getType());
  state.addOperands(input);
  state.getOrAddProperties<Properties>().permutation =
      builder.getDenseI64ArrayAttr(permutation);
  state.addTypes(type.clone(permuted(type, permutation)));
}

SmallVector<int64_t> TransposeOp::getInversePermutation() {
  return invertPermutationVector(getPermutation());
}

LogicalResult TransposeOp::verify() {
  auto from = cast<RankedTensorType>(getInput().getType());
  auto to = cast<RankedTensorType>(getType());
  if (int64_t(getPermutation().size()) != from.getRank() ||
      !isPermutationVector(getPermutation()))
    return emitOpError("C1: permutation [")
           << getPermutation() << "] must hold each of the input's "
           << from.getRank() << " axes once, counted from 0";
  SmallVector<int64_t> expected = permuted(from, getPermutation());
  bool fits = to.getElementType() == from.getElementType() &&
              to.getRank() == from.getRank();
  for (int64_t axis = 0; fits && axis < to.getRank(); ++axis)
    fits = extentsFit(expected[axis], to.getDimSize(axis));
  if (fits)
    return success();
  return emitOpError("C2: the result is ")
         << to << ", expected " << from.clone(expected);
}

} // namespace blocks
