//===- Labels.cpp - Targets as bricks take them ---------------------------===//
//
// Fuel's files store labels as (batch, 1) integers of any width; Blocks' costs
// also take (batch) and distributions over the classes.
//
//===----------------------------------------------------------------------===//
#include "lib/Bricks/Labels.h"

#include "lib/Bricks/TensorHelpers.h"

using namespace mlir;

namespace blocks {

static bool rowsFit(ArrayRef<int64_t> rows, ArrayRef<int64_t> expected) {
  return rows.size() == expected.size() &&
         llvm::all_of(llvm::zip(rows, expected), [](auto pair) {
           return extentsFit(std::get<0>(pair), std::get<1>(pair));
         });
}

Value labelsForRows(ApplicationBuilder &builder, unsigned y, unsigned x,
                    bool distributions) {
  Value labels = builder.argument(y);
  auto scores = cast<RankedTensorType>(builder.argument(x).getType());
  auto type = dyn_cast<RankedTensorType>(labels.getType());
  ArrayRef<int64_t> rows = scores.getShape().drop_back();
  if (type && type.getElementType().isInteger()) {
    if (type.getRank() == scores.getRank() && type.getRank() >= 2 &&
        type.getShape().back() == 1) {
      labels = mergeAxes(builder.ops, builder.getLoc(), labels,
                         type.getRank() - 2, type.getRank() - 1);
      type = cast<RankedTensorType>(labels.getType());
    }
    if (rowsFit(type.getShape(), rows))
      return labels;
  }
  if (distributions && type == scores)
    return labels;
  InFlightDiagnostic error = builder.error();
  error << "takes integer labels of shape "
        << shapeText(RankedTensorType::get(rows, scores.getElementType()))
        << ", or the same with a last axis of 1";
  if (distributions)
    error << ", or a distribution of type " << scores;
  error << "; found " << labels.getType() << " for the scores " << scores;
  return {};
}

} // namespace blocks
