//===- Lowering.h - The lowering of one entry, in progress ----------------===//
//
// What the lowering functions of this folder share: the builder, the value and
// the extents that stand for each value of the original function, the named
// axes, and the table of label checks. The function is walked once, in order;
// each operation family has a file with one small function per operation.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_CONVERSION_BLOCKSTOLINALG_LOWERING_H
#define LIB_CONVERSION_BLOCKSTOLINALG_LOWERING_H

#include "dialects/Blocks/Blocks.h"
#include "lib/Conversion/BlocksToLinalg/Axes.h"

#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/IR/IRMapping.h>

namespace blocks {

/// Operations that check labels, by site number; shared by a module's entries.
class LabelSites {
public:
  explicit LabelSites(mlir::ModuleOp module) : module(module) {}
  int64_t add(llvm::StringRef operation, llvm::StringRef brick);
  /// The function that reports a label out of range, declared on first use.
  mlir::func::FuncOp reportFunction();
  /// Writes the module attribute `blocks.sites`.
  void write();

private:
  mlir::ModuleOp module;
  llvm::SmallVector<mlir::Attribute> sites;
};

/// The CUDA functions that a module's entries start, by number.
class CudaKernels {
public:
  explicit CudaKernels(mlir::ModuleOp module) : module(module) {}
  int64_t numberOf(KernelOp kernel);
  /// Writes the module attribute `blocks.cuda_kernels`.
  void write();

private:
  mlir::ModuleOp module;
  llvm::SmallVector<KernelOp> kernels;
};

/// exp(x - max) of each energy of a softmax, and their sum over each row.
struct Exponentials {
  mlir::Value each, total;
};

/// What must hold of the sources' extents in a run.
struct Requirement {
  std::string formula; ///< Must not be negative: "(time - 5)".
  std::string text;    ///< "tensor.extract_slice (line 7) takes …".
};

class Lowering {
public:
  /// Builds at the start of `body`, which has the context as first argument.
  Lowering(mlir::Block &body, LabelSites &sites, CudaKernels &kernels);

  mlir::OpBuilder builder;
  Axes axes;
  LabelSites &sites;
  CudaKernels &kernels;
  mlir::Value context;
  /// Seed and step as i64, null if the function has no such state.
  mlir::Value seed, step;

  /// Whether rounded operands of products are stored as bf16, and what there is
  /// of them, by operand; see RoundedOperands.cpp.
  bool storesRounded = false;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> rounded;

  /// In the order of the operations, each formula once.
  std::vector<Requirement> requirements;

  /// What a cross-entropy leaves to its gradient, by its log-probabilities.
  llvm::DenseMap<mlir::Value, Exponentials> exponentials;

  /// The value that stands for `original`: a tensor of signless elements, or
  /// the scalar itself.
  mlir::Value get(mlir::Value original) { return values.lookup(original); }
  /// True if something stands for `original` already.
  bool has(mlir::Value original) { return values.contains(original); }
  /// The extents of an original tensor.
  const SymbolicShape &shape(mlir::Value original);
  /// An original index value as an extent, if it is one.
  std::optional<Extent> extent(mlir::Value originalIndex);
  std::optional<Extent> extent(mlir::OpFoldResult originalIndex);
  void set(mlir::Value original, mlir::Value lowered, SymbolicShape shape);
  void setScalar(mlir::Value original, mlir::Value lowered) {
    values.map(original, lowered);
  }

  /// tensor.empty of that shape.
  mlir::Value empty(mlir::Location loc, const SymbolicShape &shape,
                    mlir::Type element);
  /// The same, filled with a scalar.
  mlir::Value filled(mlir::Location loc, const SymbolicShape &shape,
                     mlir::Value scalar);

  /// The extent that a tensor of `op` is to have, which must not be negative:
  /// known, or required where only the run knows; reports what is no extent.
  /// `does` says what the operation does with it, for the messages.
  mlir::FailureOr<Extent> size(mlir::Operation *op, mlir::OpFoldResult value,
                               llvm::StringRef does = "makes an axis of");
  /// Requires that `natural` is not negative in a run; `does` and `shown` say
  /// what the operation does else.
  mlir::LogicalResult require(mlir::Operation *op, const Extent &natural,
                              const llvm::Twine &does, const Extent &shown);

  /// Lowers the operations of `block` except its terminator.
  mlir::LogicalResult lowerBlock(mlir::Block &block);

private:
  mlir::LogicalResult lower(mlir::Operation *op);

  mlir::IRMapping values;
  llvm::DenseMap<mlir::Value, SymbolicShape> shapes;
};

/// The signless type for a signed or unsigned one; tensors by element.
mlir::Type signless(mlir::Type type);
/// The tensor type of that shape, static where it is constant.
mlir::RankedTensorType tensorType(const SymbolicShape &shape,
                                  mlir::Type element);
inline mlir::RankedTensorType tensorTypeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}
inline mlir::Type elementType(mlir::Value value) {
  return mlir::getElementTypeOrSelf(value.getType());
}

/// Checks that axis `i` of `a` and axis `j` of `b` have one extent.
mlir::LogicalResult requireEqualAxes(mlir::Operation *op, Lowering &lowering,
                                     mlir::Value a, unsigned i, mlir::Value b,
                                     unsigned j);
/// Checks all axes of two tensors.
mlir::LogicalResult requireEqualShapes(mlir::Operation *op, Lowering &lowering,
                                       mlir::Value a, mlir::Value b);

/// The index of the current element in a tensor of that shape, row-major, as
/// i64; inside the body of a linalg.generic with one loop per axis.
mlir::Value linearIndex(mlir::OpBuilder &builder, mlir::Location loc,
                        Lowering &lowering, const SymbolicShape &shape);

/// Reports the first of `labels` outside 0 … limit-1, if any, for the operation
/// `name` of the brick `brick`.
void checkLabels(Lowering &lowering, mlir::Location loc, mlir::Value labels,
                 bool isUnsigned, const SymbolicShape &shape,
                 const Extent &limit, llvm::StringRef name,
                 llvm::StringRef brick);
/// A label widened to i64 by its signedness.
mlir::Value labelIndex(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value label, bool isUnsigned);
/// True if 0 ≤ label < limit, both i64.
mlir::Value labelValid(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value label, mlir::Value limit);
/// Whether a label is below `limit` (an index), and a place that always is if
/// there is any: the label's, else the first.
struct LabelPlace {
  mlir::Value valid, place;
};
LabelPlace labelPlace(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value label, bool isUnsigned, mlir::Value limit);

// The lowering of each operation, by family.
mlir::LogicalResult lowerConstant(mlir::arith::ConstantOp op, Lowering &);
mlir::LogicalResult lowerElementwise(mlir::Operation *op, Lowering &);
mlir::LogicalResult lowerScalar(mlir::Operation *op, Lowering &);
mlir::LogicalResult lowerRectifier(RectifierOp op, Lowering &);
mlir::LogicalResult lowerLogistic(LogisticOp op, Lowering &);
mlir::LogicalResult lowerCast(CastOp op, Lowering &);
mlir::LogicalResult lowerBroadcast(BroadcastOp op, Lowering &);
mlir::LogicalResult lowerExtent(ExtentOp op, Lowering &);
mlir::LogicalResult lowerDim(mlir::tensor::DimOp op, Lowering &);
mlir::LogicalResult lowerEmpty(mlir::tensor::EmptyOp op, Lowering &);
mlir::LogicalResult lowerSplat(mlir::tensor::SplatOp op, Lowering &);
mlir::LogicalResult lowerCollapse(mlir::tensor::CollapseShapeOp op, Lowering &);
mlir::LogicalResult lowerExpand(mlir::tensor::ExpandShapeOp op, Lowering &);
mlir::LogicalResult lowerTensorCast(mlir::tensor::CastOp op, Lowering &);
mlir::LogicalResult lowerReduce(ReduceOp op, Lowering &);
mlir::LogicalResult lowerArgmax(ArgmaxOp op, Lowering &);
mlir::LogicalResult lowerMatmul(MatmulOp op, Lowering &);
mlir::LogicalResult lowerConvolution(ConvolutionOp op, Lowering &);
mlir::LogicalResult lowerConvolutionInputGrad(ConvolutionInputGradOp op,
                                              Lowering &);
mlir::LogicalResult lowerConvolutionFilterGrad(ConvolutionFilterGradOp op,
                                               Lowering &);
mlir::LogicalResult lowerPool(PoolOp op, Lowering &);
mlir::LogicalResult lowerPoolGrad(PoolGradOp op, Lowering &);
mlir::LogicalResult lowerBatchMatmul(BatchMatmulOp op, Lowering &);
mlir::LogicalResult lowerSoftmax(SoftmaxOp op, Lowering &);
mlir::LogicalResult lowerLogSoftmax(LogSoftmaxOp op, Lowering &);
mlir::LogicalResult lowerCrossEntropy(SoftmaxCrossEntropyOp op, Lowering &);
mlir::LogicalResult lowerCrossEntropyGrad(SoftmaxCrossEntropyGradOp op,
                                          Lowering &);
mlir::LogicalResult lowerPick(PickOp op, Lowering &);
mlir::LogicalResult lowerUnpick(UnpickOp op, Lowering &);
mlir::LogicalResult lowerRandom(RandomOp op, Lowering &);
mlir::LogicalResult lowerScan(ScanOp op, Lowering &);
mlir::LogicalResult lowerTag(TagOp op, Lowering &);
mlir::LogicalResult lowerCallKernel(CallKernelOp op, Lowering &);

/// Replaces `function` (materialized form) by one over memrefs.
mlir::LogicalResult lowerEntry(mlir::func::FuncOp function, LabelSites &sites,
                               CudaKernels &kernels, bool storesRounded);

/// An operand of a product, rounded if the product is marked so; stored as bf16
/// where that may be.
mlir::Value getOperand(Lowering &lowering, mlir::Operation *product,
                       mlir::Value original, bool mayBeStored);

/// Puts forward and backward first, then each update with what only it needs.
void orderUpdates(mlir::func::FuncOp function);

} // namespace blocks

#endif
