//===- Convolution.cpp - Convolutions and pools as calls of the runtime ---===//
//
// Each becomes a blocks.image_call in destination style, whose rows are images.
// The gradient of filters is a sum over the batch: its rows are a fixed number
// of shares of the batch, and a reduction adds their results in order, so that
// bits do not depend on the number of threads.
//
//===----------------------------------------------------------------------===//
#include "lib/Conversion/BlocksToLinalg/Generic.h"

using namespace mlir;

namespace blocks {

/// More shares would pay only on machines with more cores than this.
static constexpr int64_t kMostShares = 16;
/// Elements of all shares together, unless one alone has as many.
static constexpr int64_t kShareElements = int64_t(1) << 21;

static Value call(Lowering &lowering, Location loc, ImageRoutine routine,
                  ValueRange inputs, const SymbolicShape &shape,
                  ArrayRef<int64_t> geometry) {
  Type element = elementType(inputs.front());
  if (element.isBF16()) // Rounded operands are added up in f32.
    element = lowering.builder.getF32Type();
  Value init = lowering.empty(loc, shape, element);
  return ImageCallOp::create(lowering.builder, loc, init.getType(), routine,
                             inputs, init, geometry)
      .getResult(0);
}

/// The static extents of `type` with the batch of `images`.
static SymbolicShape imageShape(Lowering &lowering, Type type, Value images) {
  SymbolicShape shape{lowering.shape(images)[0]};
  for (int64_t extent : cast<RankedTensorType>(type).getShape().drop_front())
    shape.push_back(extent);
  return shape;
}

//===--- Convolutions -----------------------------------------------------===//

/// The numbers of StepABI.h, from `channels` on.
template <typename Op>
static SmallVector<int64_t>
convolutionGeometry(Op op, Type imageType, Type filterType, Type resultType) {
  auto image = cast<RankedTensorType>(imageType);
  auto filters = cast<RankedTensorType>(filterType);
  auto result = cast<RankedTensorType>(resultType);
  return {image.getDimSize(1),   image.getDimSize(2),   image.getDimSize(3),
          filters.getDimSize(0), filters.getDimSize(2), filters.getDimSize(3),
          result.getDimSize(2),  result.getDimSize(3),  op.getStrides()[0],
          op.getStrides()[1],    op.getPadding()[0],    op.getPadding()[2],
          op.getFlipped()};
}

/// What a convolution multiplies.
static SmallVector<Value> getInputs(Operation *op, Lowering &lowering) {
  return llvm::map_to_vector(op->getOperands(), [&](Value operand) {
    return getOperand(lowering, op, operand, /*mayBeStored=*/true);
  });
}

LogicalResult lowerConvolution(ConvolutionOp op, Lowering &lowering) {
  Value image = op.getImage(), filters = op.getFilters();
  SymbolicShape shape = imageShape(lowering, op.getType(), image);
  lowering.set(op,
               call(lowering, op.getLoc(), ImageRoutine::Convolution,
                    getInputs(op, lowering), shape,
                    convolutionGeometry(op, image.getType(), filters.getType(),
                                        op.getType())),
               shape);
  return success();
}

LogicalResult lowerConvolutionInputGrad(ConvolutionInputGradOp op,
                                        Lowering &lowering) {
  Value gradient = op.getGradient(), filters = op.getFilters();
  SymbolicShape shape = imageShape(lowering, op.getType(), gradient);
  lowering.set(op,
               call(lowering, op.getLoc(), ImageRoutine::ConvolutionInputGrad,
                    getInputs(op, lowering), shape,
                    convolutionGeometry(op, op.getType(), filters.getType(),
                                        gradient.getType())),
               shape);
  return success();
}

LogicalResult lowerConvolutionFilterGrad(ConvolutionFilterGradOp op,
                                         Lowering &lowering) {
  Value image = op.getImage(), gradient = op.getGradient();
  if (failed(requireEqualAxes(op, lowering, image, 0, gradient, 0)))
    return failure();
  auto type = cast<RankedTensorType>(op.getType());
  int64_t shares = std::clamp<int64_t>(
      kShareElements / std::max<int64_t>(1, type.getNumElements()), 2,
      kMostShares);
  SymbolicShape shape(type.getShape().begin(), type.getShape().end());
  SymbolicShape stacked = shape;
  stacked.insert(stacked.begin(), shares);
  Value parts =
      call(lowering, op.getLoc(), ImageRoutine::ConvolutionFilterGrad,
           getInputs(op, lowering), stacked,
           convolutionGeometry(op, image.getType(), type, gradient.getType()));
  Value zero = number(lowering.builder, op.getLoc(), type.getElementType(), 0);
  auto add = [](OpBuilder &builder, Location loc, ValueRange values) {
    return sum(builder, loc, values[0], values[1]);
  };
  lowering.set(
      op, reduction(lowering, op.getLoc(), {{parts}}, stacked, {0}, zero, add),
      shape);
  return success();
}

//===--- Pools ------------------------------------------------------------===//

template <typename Op>
static SmallVector<int64_t> poolGeometry(Op op, Type imageType,
                                         Type resultType) {
  auto image = cast<RankedTensorType>(imageType);
  auto result = cast<RankedTensorType>(resultType);
  return {image.getDimSize(1),  image.getDimSize(2),  image.getDimSize(3),
          image.getDimSize(1),  op.getWindow()[0],    op.getWindow()[1],
          result.getDimSize(2), result.getDimSize(3), op.getStrides()[0],
          op.getStrides()[1],   op.getPadding()[0],   op.getPadding()[1],
          int64_t(op.getKind())};
}

LogicalResult lowerPool(PoolOp op, Lowering &lowering) {
  Value image = op.getInput();
  SymbolicShape shape = imageShape(lowering, op.getType(), image);
  lowering.set(op,
               call(lowering, op.getLoc(), ImageRoutine::Pool,
                    lowering.get(image), shape,
                    poolGeometry(op, image.getType(), op.getType())),
               shape);
  return success();
}

/// Only a maximum needs the image's values.
LogicalResult lowerPoolGrad(PoolGradOp op, Lowering &lowering) {
  if (failed(requireEqualAxes(op, lowering, op.getInput(), 0, op.getGradient(),
                              0)))
    return failure();
  SymbolicShape shape = lowering.shape(op.getInput());
  SmallVector<Value> inputs;
  if (op.getKind() == PoolKind::Max)
    inputs.push_back(lowering.get(op.getInput()));
  inputs.push_back(lowering.get(op.getGradient()));
  lowering.set(op,
               call(lowering, op.getLoc(), ImageRoutine::PoolGrad, inputs,
                    shape,
                    poolGeometry(op, op.getType(), op.getGradient().getType())),
               shape);
  return success();
}

} // namespace blocks
