//===- ConvolutionOps.cpp - Verifiers and builders of convolutions, pools -===//
//
// The labels C1, C2 … are the constraints of ConvolutionOps.td. The three
// operations of a convolution relate an image, filters and a result, whichever
// of them they compute, and share their checks; so do the two of a pool.
//
//===----------------------------------------------------------------------===//
#include "dialects/Blocks/Blocks.h"

using namespace mlir;

namespace blocks {

/// Integer division rounded toward minus infinity, as Python's //.
static int64_t floorDivide(int64_t a, int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

int64_t convolvedExtent(int64_t image, int64_t kernel, int64_t stride,
                        int64_t paddingSum) {
  return floorDivide(image + paddingSum - kernel, stride) + 1;
}

int64_t pooledExtent(int64_t image, int64_t window, int64_t stride,
                     int64_t padding, bool partial) {
  int64_t padded = image + 2 * padding;
  if (!partial)
    return floorDivide(padded - window, stride) + 1;
  if (stride >= window)
    return floorDivide(padded - 1, stride) + 1;
  return std::max<int64_t>(0,
                           floorDivide(padded - 1 - window + stride, stride)) +
         1;
}

//===--- Checks that all share --------------------------------------------===//

static bool hasShape(RankedTensorType type, ArrayRef<int64_t> shape) {
  return type.getRank() == int64_t(shape.size()) &&
         llvm::all_of(llvm::zip(type.getShape(), shape), [](auto pair) {
           return extentsFit(std::get<0>(pair), std::get<1>(pair));
         });
}

/// C1: four axes, and all extents from axis `known` on are numbers.
static LogicalResult verifyFourAxes(Operation *op, StringRef what, Type type,
                                    StringRef axes, unsigned known) {
  auto tensor = cast<RankedTensorType>(type);
  if (tensor.getRank() != 4)
    return op->emitOpError("C1: ") << what << " must have the axes " << axes
                                   << ", found " << shapeText(type);
  for (unsigned axis = known; axis < 4; ++axis)
    if (tensor.isDynamicDim(axis))
      return op->emitOpError("C1: every extent of ")
             << what << " but the batch must be a number, found "
             << shapeText(type);
  return success();
}

static bool arePositive(ArrayRef<int64_t> numbers, size_t count) {
  return numbers.size() == count &&
         llvm::all_of(numbers, [](int64_t n) { return n > 0; });
}

static bool areNatural(ArrayRef<int64_t> numbers, size_t count) {
  return numbers.size() == count &&
         llvm::all_of(numbers, [](int64_t n) { return n >= 0; });
}

//===--- Convolutions -----------------------------------------------------===//

/// The result of sliding `filters` over `image`.
static RankedTensorType convolvedType(RankedTensorType image,
                                      RankedTensorType filters,
                                      ArrayRef<int64_t> strides,
                                      ArrayRef<int64_t> padding) {
  SmallVector<int64_t> shape{image.getDimSize(0), filters.getDimSize(0)};
  for (unsigned axis : {0, 1})
    shape.push_back(convolvedExtent(image.getDimSize(2 + axis),
                                    filters.getDimSize(2 + axis), strides[axis],
                                    padding[2 * axis] + padding[2 * axis + 1]));
  return image.clone(shape);
}

/// "5x5" of the last two axes.
static std::string planeText(RankedTensorType type) {
  return std::to_string(type.getDimSize(2)) + "x" +
         std::to_string(type.getDimSize(3));
}

static LogicalResult verifyKernelFits(Operation *op, RankedTensorType image,
                                      RankedTensorType filters,
                                      ArrayRef<int64_t> padding) {
  for (unsigned axis : {0, 1})
    if (filters.getDimSize(2 + axis) >
        image.getDimSize(2 + axis) + padding[2 * axis] + padding[2 * axis + 1])
      return op->emitOpError("C4: the kernel of ")
             << planeText(filters) << " is larger than the image of "
             << planeText(image) << " with its padding of [" << padding
             << "] (top, bottom, left, right)";
  return success();
}

template <typename Op>
static LogicalResult verifyConvolution(Op op, Type imageType, Type filterType,
                                       Type resultType) {
  if (failed(verifyFourAxes(op, "the image", imageType,
                            "(batch, channels, height, width)", 1)) ||
      failed(verifyFourAxes(op, "the filters", filterType,
                            "(filters, channels, height, width)", 0)))
    return failure();
  auto image = cast<RankedTensorType>(imageType);
  auto filters = cast<RankedTensorType>(filterType);
  auto result = cast<RankedTensorType>(resultType);
  if (image.getDimSize(1) != filters.getDimSize(1))
    return op.emitOpError("C2: the image has ")
           << image.getDimSize(1) << " channels (axis 1 of " << shapeText(image)
           << "), the filters are for " << filters.getDimSize(1)
           << " (axis 1 of " << shapeText(filters) << ")";
  if (!arePositive(op.getStrides(), 2) || !areNatural(op.getPadding(), 4))
    return op.emitOpError("C3: needs two positive strides and four paddings of "
                          "at least 0, found strides [")
           << op.getStrides() << "] and padding [" << op.getPadding() << "]";
  if (failed(verifyKernelFits(op, image, filters, op.getPadding())))
    return failure();
  RankedTensorType expected =
      convolvedType(image, filters, op.getStrides(), op.getPadding());
  if (!hasShape(result, expected.getShape()) ||
      image.getElementType() != filters.getElementType() ||
      image.getElementType() != result.getElementType())
    return op.emitOpError("C5: an image of ")
           << image << " and filters of " << filters << " go with a result of "
           << expected << ", found " << result;
  return success();
}

void ConvolutionOp::build(OpBuilder &builder, OperationState &state,
                          Value image, Value filters, ArrayRef<int64_t> strides,
                          ArrayRef<int64_t> padding, bool flipped) {
  state.addOperands({image, filters});
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.strides = builder.getDenseI64ArrayAttr(strides);
  properties.padding = builder.getDenseI64ArrayAttr(padding);
  if (flipped)
    properties.flipped = builder.getUnitAttr();
  state.addTypes(convolvedType(cast<RankedTensorType>(image.getType()),
                               cast<RankedTensorType>(filters.getType()),
                               strides, padding));
}

LogicalResult ConvolutionOp::verify() {
  return verifyConvolution(*this, getImage().getType(), getFilters().getType(),
                           getType());
}

LogicalResult ConvolutionInputGradOp::verify() {
  return verifyConvolution(*this, getType(), getFilters().getType(),
                           getGradient().getType());
}

LogicalResult ConvolutionFilterGradOp::verify() {
  return verifyConvolution(*this, getImage().getType(), getType(),
                           getGradient().getType());
}

//===--- Pools ------------------------------------------------------------===//

static RankedTensorType pooledType(RankedTensorType image,
                                   ArrayRef<int64_t> window,
                                   ArrayRef<int64_t> strides,
                                   ArrayRef<int64_t> padding, bool partial) {
  SmallVector<int64_t> shape(image.getShape());
  for (unsigned axis : {0, 1})
    shape[2 + axis] = pooledExtent(shape[2 + axis], window[axis], strides[axis],
                                   padding[axis], partial);
  return image.clone(shape);
}

template <typename Op>
static LogicalResult verifyWindow(Op op, RankedTensorType image) {
  ArrayRef<int64_t> window = op.getWindow(), padding = op.getPadding();
  if (!arePositive(window, 2) || !arePositive(op.getStrides(), 2) ||
      !areNatural(padding, 2) || padding[0] >= window[0] ||
      padding[1] >= window[1])
    return op.emitOpError("C2: needs a window of two positive extents, two "
                          "positive strides and two paddings of at least 0 "
                          "that are smaller than the window, found window [")
           << window << "], strides [" << op.getStrides() << "] and padding ["
           << padding << "]";
  for (unsigned axis : {0, 1})
    if (!op.getPartial() &&
        window[axis] > image.getDimSize(2 + axis) + 2 * padding[axis])
      return op.emitOpError("C3: the window of ")
             << window[0] << "x" << window[1] << " is larger than the image of "
             << planeText(image) << " with its padding of [" << padding << "]";
  if (op.getPartial() && (padding[0] != 0 || padding[1] != 0))
    return op.emitOpError("C4: windows that stand out of the image (partial, "
                          "ignore_border = false) go without padding, found [")
           << padding << "]";
  return success();
}

template <typename Op>
static LogicalResult verifyPool(Op op, Type imageType, Type resultType) {
  if (failed(verifyFourAxes(op, "the image", imageType,
                            "(batch, channels, height, width)", 1)))
    return failure();
  auto image = cast<RankedTensorType>(imageType);
  auto result = cast<RankedTensorType>(resultType);
  if (failed(verifyWindow(op, image)))
    return failure();
  RankedTensorType expected = pooledType(image, op.getWindow(), op.getStrides(),
                                         op.getPadding(), op.getPartial());
  if (!hasShape(result, expected.getShape()) ||
      image.getElementType() != result.getElementType())
    return op.emitOpError("C5: a pool of ")
           << image << " gives " << expected << ", found " << result;
  return success();
}

void PoolOp::build(OpBuilder &builder, OperationState &state, PoolKind kind,
                   Value input, ArrayRef<int64_t> window,
                   ArrayRef<int64_t> strides, ArrayRef<int64_t> padding,
                   bool partial) {
  state.addOperands(input);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.kind = PoolKindAttr::get(builder.getContext(), kind);
  properties.window = builder.getDenseI64ArrayAttr(window);
  properties.strides = builder.getDenseI64ArrayAttr(strides);
  properties.padding = builder.getDenseI64ArrayAttr(padding);
  if (partial)
    properties.partial = builder.getUnitAttr();
  state.addTypes(pooledType(cast<RankedTensorType>(input.getType()), window,
                            strides, padding, partial));
}

LogicalResult PoolOp::verify() {
  return verifyPool(*this, getInput().getType(), getType());
}

LogicalResult PoolGradOp::verify() {
  return verifyPool(*this, getInput().getType(), getGradient().getType());
}

//===--- Calls of the runtime ---------------------------------------------===//

void ImageCallOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands())
    if (isa<MemRefType>(operand.get().getType())) {
      if (&operand == &getOutputMutable())
        effects.emplace_back(MemoryEffects::Write::get(), &operand);
      else
        effects.emplace_back(MemoryEffects::Read::get(), &operand);
    }
}

} // namespace blocks
