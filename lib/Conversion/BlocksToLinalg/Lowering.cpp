//===- Lowering.cpp - Walk of one entry, and what all families share ------===//
#include "lib/Conversion/BlocksToLinalg/Lowering.h"
#include "dialects/Blocks/SquareRoot.h"
#include "lib/Conversion/BlocksToLinalg/Gather.h"
#include "lib/Conversion/BlocksToLinalg/Layout.h"

#include <llvm/ADT/TypeSwitch.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>

using namespace mlir;

namespace blocks {

//===--- LabelSites -------------------------------------------------------===//

int64_t LabelSites::add(StringRef operation, StringRef brick) {
  Builder builder(module.getContext());
  sites.push_back(builder.getDictionaryAttr(
      {builder.getNamedAttr("brick", builder.getStringAttr(brick)),
       builder.getNamedAttr("operation", builder.getStringAttr(operation))}));
  return sites.size() - 1;
}

func::FuncOp LabelSites::reportFunction() {
  constexpr StringLiteral name = "blocks_rt_report";
  if (auto function = module.lookupSymbol<func::FuncOp>(name))
    return function;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  Type word = builder.getI64Type();
  auto type = builder.getFunctionType(
      {LLVM::LLVMPointerType::get(module.getContext()), word, word, word, word},
      {});
  auto function = func::FuncOp::create(builder, module.getLoc(), name, type);
  function.setPrivate();
  return function;
}

void LabelSites::write() {
  module->setAttr("blocks.sites", ArrayAttr::get(module.getContext(), sites));
}

//===--- Lowering ---------------------------------------------------------===//

Lowering::Lowering(Block &body, LabelSites &sites, CudaKernels &kernels)
    : builder(OpBuilder::atBlockBegin(&body)), axes(builder), sites(sites),
      kernels(kernels), context(body.getArgument(0)) {}

const SymbolicShape &Lowering::shape(Value original) {
  auto found = shapes.find(original);
  assert(found != shapes.end() && "a tensor was lowered without its shape");
  return found->second;
}

void Lowering::set(Value original, Value lowered, SymbolicShape shape) {
  values.map(original, lowered);
  shapes[original] = std::move(shape);
}

std::optional<Extent> Lowering::extent(Value index) {
  Operation *op = index.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto constant = dyn_cast<arith::ConstantIndexOp>(op))
    return Extent(constant.value());
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    if (std::optional<int64_t> axis = dim.getConstantIndex();
        axis && has(dim.getSource()))
      return shape(dim.getSource())[*axis];
  if (Value square = squareRootOf(index)) {
    std::optional<Extent> whole = extent(square);
    return whole ? std::optional(axes.root(*whole)) : std::nullopt;
  }
  bool divides = isa<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp,
                     arith::RemUIOp, arith::RemSIOp>(op);
  if (!divides && !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  std::optional<Extent> a = extent(op->getOperand(0)),
                        b = extent(op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return axes.sum(*a, *b);
  if (isa<arith::SubIOp>(op))
    return axes.difference(*a, *b);
  if (isa<arith::MulIOp>(op))
    return axes.simplified(*a * *b);
  // Rounded towards 0 or down is the same for what is not negative.
  if (a->constant().value_or(0) < 0 || b->constant().value_or(1) < 1)
    return std::nullopt;
  if ((!axes.isPositive(*b) &&
       failed(require(op, axes.difference(*b, 1), "divides by", *b))) ||
      failed(require(op, *a, "divides", *a)))
    return std::nullopt;
  return isa<arith::RemUIOp, arith::RemSIOp>(op) ? axes.rest(*a, *b)
                                                 : axes.quotient(*a, *b);
}

std::optional<Extent> Lowering::extent(OpFoldResult index) {
  if (std::optional<int64_t> number = getConstantIntValue(index))
    return Extent(*number);
  return extent(cast<Value>(index));
}

FailureOr<Extent> Lowering::size(Operation *op, OpFoldResult value,
                                 StringRef does) {
  std::optional<Extent> found = extent(value);
  if (!found)
    return op->emitOpError(does)
           << " a number that does not follow from the extents of the "
              "sources; take it from tensor.dim";
  if (failed(require(op, *found, does, *found)))
    return failure();
  return *found;
}

/// "tensor.extract_slice (line 7)".
static std::string placeOf(Operation *op) {
  std::string text = op->getName().getStringRef().str();
  if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
    text += " (line " + std::to_string(place.getLine()) + ")";
  return text;
}

LogicalResult Lowering::require(Operation *op, const Extent &natural,
                                const Twine &does, const Extent &shown) {
  if (axes.isNatural(natural))
    return success();
  std::string formula = axes.describe(natural),
              text = (does + " " + axes.describe(shown)).str();
  if (natural.constant())
    return op->emitOpError(text);
  for (const Requirement &known : requirements)
    if (known.formula == formula)
      return success();
  requirements.push_back({formula, placeOf(op) + " " + text});
  return success();
}

Value Lowering::empty(Location loc, const SymbolicShape &shape, Type element) {
  return tensor::EmptyOp::create(builder, loc, axes.fold(shape), element);
}

Value Lowering::filled(Location loc, const SymbolicShape &shape, Value scalar) {
  Value init = empty(loc, shape, scalar.getType());
  return linalg::FillOp::create(builder, loc, scalar, init).getResult(0);
}

LogicalResult Lowering::lowerBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(lower(&op)))
      return failure();
  return success();
}

static bool hasTensors(Operation *op) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  return llvm::any_of(op->getOperandTypes(), isTensor) ||
         llvm::any_of(op->getResultTypes(), isTensor);
}

LogicalResult Lowering::lower(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](TagOp o) { return lowerTag(o, *this); })
      .Case([&](arith::ConstantOp o) { return lowerConstant(o, *this); })
      .Case([&](RectifierOp o) { return lowerRectifier(o, *this); })
      .Case([&](LogisticOp o) { return lowerLogistic(o, *this); })
      .Case([&](blocks::CastOp o) { return lowerCast(o, *this); })
      .Case([&](BroadcastOp o) { return lowerBroadcast(o, *this); })
      .Case([&](ExtentOp o) { return lowerExtent(o, *this); })
      .Case([&](tensor::DimOp o) { return lowerDim(o, *this); })
      .Case([&](tensor::EmptyOp o) { return lowerEmpty(o, *this); })
      .Case([&](tensor::SplatOp o) { return lowerSplat(o, *this); })
      .Case([&](tensor::CollapseShapeOp o) { return lowerCollapse(o, *this); })
      .Case([&](tensor::ExpandShapeOp o) { return lowerExpand(o, *this); })
      .Case(
          [&](tensor::ExtractSliceOp o) { return lowerExtractSlice(o, *this); })
      .Case([&](tensor::InsertSliceOp o) { return lowerInsertSlice(o, *this); })
      .Case([&](TransposeOp o) { return lowerTranspose(o, *this); })
      .Case([&](tensor::ConcatOp o) { return lowerConcat(o, *this); })
      .Case([&](GatherOp o) { return lowerGather(o, *this); })
      .Case([&](ScatterAddOp o) { return lowerScatterAdd(o, *this); })
      .Case([&](BatchMatmulOp o) { return lowerBatchMatmul(o, *this); })
      .Case([&](tensor::CastOp o) { return lowerTensorCast(o, *this); })
      .Case([&](ReduceOp o) { return lowerReduce(o, *this); })
      .Case([&](ArgmaxOp o) { return lowerArgmax(o, *this); })
      .Case([&](MatmulOp o) { return lowerMatmul(o, *this); })
      .Case([&](ConvolutionOp o) { return lowerConvolution(o, *this); })
      .Case([&](ConvolutionInputGradOp o) {
        return lowerConvolutionInputGrad(o, *this);
      })
      .Case([&](ConvolutionFilterGradOp o) {
        return lowerConvolutionFilterGrad(o, *this);
      })
      .Case([&](PoolOp o) { return lowerPool(o, *this); })
      .Case([&](PoolGradOp o) { return lowerPoolGrad(o, *this); })
      .Case([&](SoftmaxOp o) { return lowerSoftmax(o, *this); })
      .Case([&](LogSoftmaxOp o) { return lowerLogSoftmax(o, *this); })
      .Case(
          [&](SoftmaxCrossEntropyOp o) { return lowerCrossEntropy(o, *this); })
      .Case([&](SoftmaxCrossEntropyGradOp o) {
        return lowerCrossEntropyGrad(o, *this);
      })
      .Case([&](PickOp o) { return lowerPick(o, *this); })
      .Case([&](UnpickOp o) { return lowerUnpick(o, *this); })
      .Case([&](RandomOp o) { return lowerRandom(o, *this); })
      .Case([&](ScanOp o) { return lowerScan(o, *this); })
      .Case([&](CallKernelOp o) { return lowerCallKernel(o, *this); })
      .Default([&](Operation *o) -> LogicalResult {
        if (OpTrait::hasElementwiseMappableTraits(o) && o->getNumResults() == 1)
          return hasTensors(o) ? lowerElementwise(o, *this)
                               : lowerScalar(o, *this);
        return o->emitOpError("has no lowering to linalg; an entry may hold "
                              "tensor operations of the blocks dialect, "
                              "elementwise arith and math, and reshapes");
      });
}

/// The annotation goes into the location of the operation that computed the
/// value, for profiles and the NaN guard.
LogicalResult lowerTag(TagOp op, Lowering &lowering) {
  Value value = lowering.get(op.getInput());
  if (isa<RankedTensorType>(value.getType()))
    lowering.set(op, value, lowering.shape(op.getInput()));
  else
    lowering.setScalar(op, value);
  AnnotationAttr tag = op.getAnnotation();
  std::string name = tag.getBrick().str();
  for (StringAttr part : {tag.getApplication(), tag.getName()})
    if (!part.empty())
      name += "." + part.str();
  if (Operation *producer = value.getDefiningOp())
    producer->setLoc(NameLoc::get(StringAttr::get(op.getContext(), name),
                                  producer->getLoc()));
  return success();
}

//===--- Types and checks -------------------------------------------------===//

Type signless(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(signless(tensor.getElementType()));
  if (auto integer = dyn_cast<IntegerType>(type))
    return IntegerType::get(type.getContext(), integer.getWidth());
  return type;
}

RankedTensorType tensorType(const SymbolicShape &shape, Type element) {
  return RankedTensorType::get(
      llvm::map_to_vector(shape,
                          [](const Extent &extent) {
                            return extent.constant().value_or(
                                ShapedType::kDynamic);
                          }),
      element);
}

LogicalResult requireEqualAxes(Operation *op, Lowering &lowering, Value a,
                               unsigned i, Value b, unsigned j) {
  const Extent &left = lowering.shape(a)[i], &right = lowering.shape(b)[j];
  if (left == right)
    return success();
  return op->emitOpError("combines axis '")
         << lowering.axes.describe(left) << "' (axis " << i << " of "
         << shapeText(a.getType()) << ") with axis '"
         << lowering.axes.describe(right) << "' (axis " << j << " of "
         << shapeText(b.getType())
         << "), whose extents may differ; give the axes of the sources one "
            "name in blocks.axes if they are equal";
}

LogicalResult requireEqualShapes(Operation *op, Lowering &lowering, Value a,
                                 Value b) {
  for (unsigned i = 0, rank = lowering.shape(a).size(); i < rank; ++i)
    if (failed(requireEqualAxes(op, lowering, a, i, b, i)))
      return failure();
  return success();
}

} // namespace blocks
