//===- Evaluate.cpp - From an operation to the function that computes it --===//
//
// First the checks that the verifiers could not make, since extents were
// dynamic; then one line for each operation.
//
//===----------------------------------------------------------------------===//
#include "lib/Reference/Evaluate.h"

#include "dialects/Blocks/Blocks.h"

#include <llvm/ADT/TypeSwitch.h>

using namespace mlir;

namespace blocks::reference {

using Results = SmallVector<Tensor, 2>;

static Results one(Tensor tensor) {
  Results results;
  results.push_back(std::move(tensor));
  return results;
}

//===--- Checks -----------------------------------------------------------===//

LogicalResult checkValue(Operation *op, const Twine &what, const Tensor &tensor,
                         Type type) {
  auto expected = dyn_cast<RankedTensorType>(type);
  ArrayRef<int64_t> shape;
  if (expected)
    shape = expected.getShape();
  bool fits = tensor.elementType() == getElementTypeOrSelf(type) &&
              tensor.rank() == int64_t(shape.size());
  for (size_t axis = 0; fits && axis < shape.size(); ++axis)
    fits = extentsFit(tensor.shape()[axis], shape[axis]);
  if (fits)
    return success();
  return op->emitError() << what << " is " << typeText(tensor) << ", expected "
                         << type;
}

static LogicalResult unequal(Operation *op, const Tensor &a, const Tensor &b) {
  return op->emitError() << "cannot work on " << typeText(a) << " and "
                         << typeText(b) << ": their extents do not fit";
}

/// Operands of elementwise operations have one shape; a scalar condition fits
/// any.
static LogicalResult checkElementwise(Operation *op, Operands in) {
  for (const Tensor *operand : in)
    if (operand->shape() != in.back()->shape() &&
        !(isa<arith::SelectOp>(op) && operand == in[0] && operand->rank() == 0))
      return unequal(op, *operand, *in.back());
  return success();
}

static LogicalResult checkBroadcast(BroadcastOp op, Operands in) {
  for (auto [i, axis] : llvm::enumerate(op.getDims()))
    if (in[0]->extent(int64_t(i)) != in[1]->extent(axis))
      return unequal(op, *in[0], *in[1]);
  return success();
}

static LogicalResult checkMatmul(MatmulOp op, Operands in) {
  int64_t left = in[0]->extent(op.getTransposeLhs() ? 0 : 1);
  int64_t right = in[1]->extent(op.getTransposeRhs() ? 1 : 0);
  return left == right ? success() : unequal(op, *in[0], *in[1]);
}

static LogicalResult checkBatchMatmul(BatchMatmulOp op, Operands in) {
  ArrayRef<int64_t> a = in[0]->shape(), b = in[1]->shape();
  int64_t left = a[a.size() - (op.getTransposeLhs() ? 2 : 1)];
  int64_t right = b[b.size() - (op.getTransposeRhs() ? 1 : 2)];
  return left == right && a.drop_back(2) == b.drop_back(2)
             ? success()
             : unequal(op, *in[0], *in[1]);
}

/// `rows` has one slice of the table for each index.
static LogicalResult checkScatter(ScatterAddOp op, Operands in) {
  Index expected(in[1]->shape());
  llvm::append_range(expected, in[2]->shape().drop_front());
  return in[0]->shape() == ArrayRef<int64_t>(expected)
             ? success()
             : unequal(op, *in[0], *in[2]);
}

/// `perRow` has one element for each row of `rows`; a distribution has all.
static LogicalResult checkRows(Operation *op, const Tensor &perRow,
                               const Tensor &rows) {
  if (perRow.shape() == rows.shape().drop_back() ||
      (perRow.isReal() && perRow.shape() == rows.shape()))
    return success();
  return unequal(op, perRow, rows);
}

/// Image and gradient are of one batch.
static LogicalResult checkBatch(Operation *op, const Tensor &a,
                                const Tensor &b) {
  return a.extent(0) == b.extent(0) ? success() : unequal(op, a, b);
}

static LogicalResult checkOperands(Operation *op, Operands in) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](BroadcastOp b) { return checkBroadcast(b, in); })
      .Case([&](MatmulOp m) { return checkMatmul(m, in); })
      .Case<ConvolutionFilterGradOp, PoolGradOp>(
          [&](auto) { return checkBatch(op, *in[0], *in[1]); })
      .Case([&](BatchMatmulOp m) { return checkBatchMatmul(m, in); })
      .Case([&](ScatterAddOp s) { return checkScatter(s, in); })
      .Case([&](SoftmaxOp) {
        return in.size() == 1 || in[0]->shape() == in[1]->shape()
                   ? success()
                   : unequal(op, *in[0], *in[1]);
      })
      .Case<SoftmaxCrossEntropyOp, PickOp>(
          [&](auto) { return checkRows(op, *in[1], *in[0]); })
      .Case([&](SoftmaxCrossEntropyGradOp) {
        if (failed(checkRows(op, *in[2], *in[0])))
          return failure();
        return checkRows(op, *in[1], *in[0]);
      })
      .Case([&](UnpickOp) {
        if (failed(checkRows(op, *in[0], *in[2])))
          return failure();
        return checkRows(op, *in[1], *in[2]);
      })
      .Default([](Operation *) { return success(); });
}

//===--- Operations of the tensor dialect ---------------------------------===//

/// Static extents with the dynamic ones taken from `operands`.
static Index mixedExtents(ArrayRef<int64_t> fixed, Operands operands) {
  Index extents;
  for (int64_t extent : fixed)
    if (ShapedType::isDynamic(extent)) {
      extents.push_back(operands.front()->integer(0));
      operands = operands.drop_front();
    } else {
      extents.push_back(extent);
    }
  return extents;
}

/// The type's extents, dynamic ones from `operands`.
static Index resultShape(Operation *op, Operands operands) {
  return mixedExtents(
      cast<RankedTensorType>(op->getResult(0).getType()).getShape(), operands);
}

static FailureOr<Results> reshape(Operation *op, const Tensor &input,
                                  ArrayRef<int64_t> shape) {
  if (sizeOf(shape) == input.size())
    return one(input.reshaped(shape));
  return op->emitError() << "cannot reshape " << typeText(input) << ", of "
                         << input.size() << " elements, to " << sizeOf(shape)
                         << " elements";
}

static FailureOr<Results> collapse(tensor::CollapseShapeOp op,
                                   const Tensor &input) {
  Index shape;
  for (auto &group : op.getReassociationIndices()) {
    shape.push_back(1);
    for (int64_t axis : group)
      shape.back() *= input.extent(axis);
  }
  return reshape(op, input, shape);
}

static FailureOr<Results> element(tensor::ExtractOp op, Operands in) {
  Index position;
  for (auto [axis, index] : llvm::enumerate(in.drop_front())) {
    position.push_back(index->integer(0));
    if (position.back() < 0 || position.back() >= in[0]->extent(int64_t(axis)))
      return op.emitError() << "index " << position.back() << " is outside of "
                            << typeText(*in[0]);
  }
  Tensor result(in[0]->elementType(), {});
  result.setElement(0, *in[0], linearIndex(position, in[0]->shape()));
  return one(std::move(result));
}

static FailureOr<Results> fromElements(Operation *op, Operands in) {
  Tensor result(in[0]->elementType(), resultShape(op, {}));
  for (auto [i, scalar] : llvm::enumerate(in))
    result.setElement(int64_t(i), *scalar, 0);
  return one(std::move(result));
}

static FailureOr<Results> splat(Operation *op, Operands in) {
  Tensor result(in[0]->elementType(), resultShape(op, in.drop_front()));
  for (int64_t i = 0; i < result.size(); ++i)
    result.setElement(i, *in[0], 0);
  return one(std::move(result));
}

namespace {
struct Window {
  Index offsets, sizes, strides;
};
} // namespace

/// Offsets, sizes and strides of a slice; `operands` are its dynamic ones.
template <typename Op>
static FailureOr<Window> windowOf(Op op, const Tensor &whole,
                                  Operands operands) {
  size_t offsets = op.getOffsets().size(), sizes = op.getSizes().size();
  Window window{
      mixedExtents(op.getStaticOffsets(), operands.take_front(offsets)),
      mixedExtents(op.getStaticSizes(), operands.slice(offsets, sizes)),
      mixedExtents(op.getStaticStrides(),
                   operands.drop_front(offsets + sizes))};
  for (int64_t axis = 0; axis < whole.rank(); ++axis) {
    size_t a = size_t(axis);
    int64_t last =
        window.offsets[a] + (window.sizes[a] - 1) * window.strides[a];
    if (window.sizes[a] < 0 ||
        (window.sizes[a] > 0 &&
         (window.offsets[a] < 0 || last < 0 || last >= whole.extent(axis))))
      return op.emitError() << "takes " << window.sizes[a] << " elements from "
                            << window.offsets[a] << " along axis " << axis
                            << " of " << typeText(whole);
  }
  return window;
}

/// Drops extents of 1 until the shape has the rank of the result's type.
static FailureOr<Results> slice(tensor::ExtractSliceOp op, Operands in) {
  FailureOr<Window> window = windowOf(op, *in[0], in.drop_front());
  if (failed(window))
    return failure();
  Tensor taken =
      extractSlice(*in[0], window->offsets, window->sizes, window->strides);
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Index shape;
  for (auto [axis, extent] : llvm::enumerate(window->sizes))
    if (!dropped.test(unsigned(axis)))
      shape.push_back(extent);
  return one(taken.reshaped(shape));
}

/// What has no elements has room for none: the gradient of one position, which
/// a loop without steps has beside its stack, is inserted nowhere.
static FailureOr<Results> insert(tensor::InsertSliceOp op, Operands in) {
  if (in[1]->size() == 0)
    return one(*in[1]);
  FailureOr<Window> window = windowOf(op, *in[1], in.drop_front(2));
  if (failed(window))
    return failure();
  if (sizeOf(window->sizes) != in[0]->size())
    return op.emitError() << "cannot insert " << typeText(*in[0]) << " where "
                          << sizeOf(window->sizes) << " elements are";
  return one(insertSlice(in[0]->reshaped(window->sizes), *in[1],
                         window->offsets, window->sizes, window->strides));
}

static FailureOr<Results> concatenate(tensor::ConcatOp op, Operands in) {
  for (const Tensor *part : in)
    for (int64_t axis = 0; axis < part->rank(); ++axis)
      if (axis != int64_t(op.getDim()) &&
          part->extent(axis) != in[0]->extent(axis))
        return unequal(op, *in[0], *part);
  return one(concat(in, int64_t(op.getDim())));
}

static FailureOr<Results> dimension(tensor::DimOp op, Operands in) {
  int64_t axis = in[1]->integer(0);
  if (axis < 0 || axis >= in[0]->rank())
    return op.emitError() << "there is no axis " << axis << " in "
                          << typeText(*in[0]);
  return one(Tensor::index(op.getContext(), in[0]->extent(axis)));
}

/// Of the tensor dialect; failure without a report for an unknown operation.
static std::optional<FailureOr<Results>> tensorOperation(Operation *op,
                                                         Operands in) {
  using Answer = std::optional<FailureOr<Results>>;
  return llvm::TypeSwitch<Operation *, Answer>(op)
      .Case([&](tensor::CollapseShapeOp o) { return collapse(o, *in[0]); })
      .Case([&](tensor::ExpandShapeOp o) {
        return reshape(o, *in[0],
                       mixedExtents(o.getStaticOutputShape(), in.drop_front()));
      })
      .Case([&](tensor::CastOp) { return one(*in[0]); })
      .Case([&](tensor::DimOp o) { return dimension(o, in); })
      .Case([&](tensor::ExtractOp o) { return element(o, in); })
      .Case([&](tensor::FromElementsOp) { return fromElements(op, in); })
      .Case([&](tensor::SplatOp) { return splat(op, in); })
      .Case([&](tensor::EmptyOp o) { // any values will do; zeros are plain
        return one(Tensor(o.getType().getElementType(), resultShape(o, in)));
      })
      .Case([&](tensor::ExtractSliceOp o) { return slice(o, in); })
      .Case([&](tensor::InsertSliceOp o) { return insert(o, in); })
      .Case([&](tensor::ConcatOp o) { return concatenate(o, in); })
      .Default([](Operation *) -> Answer { return std::nullopt; });
}

//===--- Our own operations -----------------------------------------------===//

static Type resultElement(Operation *op) {
  return getElementTypeOrSelf(op->getResult(0));
}

static Results crossEntropyResults(const Tensor &logits, const Tensor &labels) {
  Results results;
  Tensor logProbabilities = logSoftmax(logits);
  results.push_back(crossEntropy(logProbabilities, labels));
  results.push_back(std::move(logProbabilities));
  return results;
}

template <typename Op> static Windows convolutionWindows(Op op) {
  return {{},
          {op.getStrides()[0], op.getStrides()[1]},
          {op.getPadding()[0], op.getPadding()[2]},
          op.getFlipped()};
}

template <typename Op> static Windows poolWindows(Op op) {
  return {{op.getWindow()[0], op.getWindow()[1]},
          {op.getStrides()[0], op.getStrides()[1]},
          {op.getPadding()[0], op.getPadding()[1]}};
}

/// The static extents of the result behind the batch of `images`.
static Index imageShape(Operation *op, const Tensor &images) {
  Index shape(cast<RankedTensorType>(op->getResult(0).getType()).getShape());
  shape[0] = images.extent(0);
  return shape;
}

/// Convolutions and pools.
static std::optional<Results> imageOperation(Operation *op, Operands in) {
  using Answer = std::optional<Results>;
  return llvm::TypeSwitch<Operation *, Answer>(op)
      .Case([&](ConvolutionOp o) {
        return one(convolution(*in[0], *in[1], imageShape(op, *in[0]),
                               convolutionWindows(o)));
      })
      .Case([&](ConvolutionInputGradOp o) {
        return one(convolutionInputGrad(*in[0], *in[1], imageShape(op, *in[0]),
                                        convolutionWindows(o)));
      })
      .Case([&](ConvolutionFilterGradOp o) {
        return one(convolutionFilterGrad(
            *in[0], *in[1], cast<RankedTensorType>(o.getType()).getShape(),
            convolutionWindows(o)));
      })
      .Case([&](PoolOp o) {
        return one(
            pool(o.getKind(), *in[0], imageShape(op, *in[0]), poolWindows(o)));
      })
      .Case([&](PoolGradOp o) {
        return one(poolGrad(o.getKind(), *in[0], *in[1], poolWindows(o)));
      })
      .Default([](Operation *) -> Answer { return std::nullopt; });
}

static std::optional<Results> blocksOperation(Operation *op, Operands in) {
  using Answer = std::optional<Results>;
  return llvm::TypeSwitch<Operation *, Answer>(op)
      .Case([&](TagOp) { return one(*in[0]); })
      .Case([&](BroadcastOp o) {
        return one(broadcast(*in[0], in[1]->shape(), o.getDims()));
      })
      .Case([&](TransposeOp o) {
        return one(transpose(*in[0], o.getPermutation()));
      })
      .Case([&](ReduceOp o) {
        return one(reduce(o.getKind(), *in[0], o.getDims()));
      })
      .Case([&](ExtentOp o) {
        return one(extent(*in[0], o.getDims(), resultElement(op)));
      })
      .Case([&](MatmulOp o) {
        return one(
            matmul(*in[0], *in[1], o.getTransposeLhs(), o.getTransposeRhs()));
      })
      .Case([&](BatchMatmulOp o) {
        return one(batchMatmul(*in[0], *in[1], o.getTransposeLhs(),
                               o.getTransposeRhs()));
      })
      .Case([&](GatherOp) { return one(gather(*in[0], *in[1])); })
      .Case([&](ScatterAddOp) {
        return one(scatterAdd(*in[0], *in[1], in[2]->shape()));
      })
      .Case([&](CastOp) { return one(cast(*in[0], resultElement(op))); })
      .Case([&](RectifierOp o) {
        return one(rectifier(*in[0], o.getLeak().convertToDouble()));
      })
      .Case([&](LogisticOp) { return one(logistic(*in[0])); })
      .Case([&](SoftmaxOp) {
        return one(softmax(*in[0], in.size() > 1 ? in[1] : nullptr));
      })
      .Case([&](LogSoftmaxOp) { return one(logSoftmax(*in[0])); })
      .Case([&](SoftmaxCrossEntropyOp) {
        return crossEntropyResults(*in[0], *in[1]);
      })
      .Case([&](SoftmaxCrossEntropyGradOp) {
        return one(crossEntropyGradient(*in[0], *in[1], *in[2]));
      })
      .Case([&](PickOp) { return one(pick(*in[0], *in[1])); })
      .Case([&](UnpickOp) { return one(unpick(*in[0], *in[1], *in[2])); })
      .Case([&](ArgmaxOp) { return one(argmax(*in[0], resultElement(op))); })
      .Default([](Operation *) -> Answer { return std::nullopt; });
}

static FailureOr<Results> constant(arith::ConstantOp op) {
  FailureOr<Tensor> value = Tensor::fromAttribute(op.getValue());
  if (failed(value))
    return op.emitError("has a value that the interpreter cannot read; use a "
                        "number or dense<…>");
  return one(std::move(*value));
}

static FailureOr<Results> evaluateUnchecked(Operation *op, Operands in) {
  if (auto constantOp = dyn_cast<arith::ConstantOp>(op))
    return constant(constantOp);
  if (std::optional<Results> results = blocksOperation(op, in))
    return std::move(*results);
  if (std::optional<Results> results = imageOperation(op, in))
    return std::move(*results);
  if (std::optional<FailureOr<Results>> results = tensorOperation(op, in))
    return std::move(*results);
  if (op->getNumResults() == 1 && !in.empty()) {
    if (failed(checkElementwise(op, in)))
      return failure();
    if (std::optional<Tensor> result = elementwise(op, in))
      return one(std::move(*result));
  }
  return op->emitError() << "the reference interpreter does not know '"
                         << op->getName() << "'";
}

FailureOr<Results> evaluate(Operation *op, Operands in) {
  if (failed(checkOperands(op, in)))
    return failure();
  FailureOr<Results> results = evaluateUnchecked(op, in);
  if (failed(results))
    return failure();
  for (auto [i, result] : llvm::enumerate(*results))
    if (failed(checkValue(op, "result " + Twine(i), result,
                          op->getResult(unsigned(i)).getType())))
      return failure();
  return results;
}

} // namespace blocks::reference
