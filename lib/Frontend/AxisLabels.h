//===- AxisLabels.h - Names of axes, followed through a graph -------------===//
//
// Forward propagation over one graph: what a source calls its axes is what an
// operation's result calls its own. Used by blocks-check-axes.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_FRONTEND_AXISLABELS_H
#define LIB_FRONTEND_AXISLABELS_H

#include "dialects/Blocks/Blocks.h"

namespace blocks {

class AxisLabels {
public:
  /// Follows the names through a graph; reports the first two that clash.
  mlir::LogicalResult follow(GraphOp graph);

private:
  /// One name for each axis; "" where none is known.
  using Names = llvm::SmallVector<llvm::StringRef>;

  mlir::LogicalResult follow(mlir::Block &block);
  mlir::LogicalResult visit(mlir::Operation *op);
  mlir::LogicalResult visitElementwise(mlir::Operation *op);
  mlir::LogicalResult visitBroadcast(BroadcastOp op);
  mlir::LogicalResult visitProduct(mlir::Operation *op, bool transposeLhs,
                                   bool transposeRhs);
  mlir::LogicalResult visitRows(mlir::Operation *op, mlir::Value rows,
                                mlir::ValueRange perRow);
  mlir::LogicalResult visitConcat(mlir::tensor::ConcatOp op);
  mlir::LogicalResult visitScan(ScanOp op);
  mlir::LogicalResult visitKernel(CallKernelOp op);
  void visitReduce(ReduceOp op);
  void visitTranspose(TransposeOp op);
  void visitReshape(mlir::Operation *op);
  void visitSlice(mlir::tensor::ExtractSliceOp op);
  void visitGather(GatherOp op);

  const Names &names(mlir::Value value);
  void set(mlir::Value value, Names names) { known[value] = std::move(names); }
  /// Axis `i` of `a` and axis `j` of `b` must be one.
  mlir::LogicalResult join(mlir::Operation *op, mlir::Value a, int64_t i,
                           mlir::Value b, int64_t j);

  llvm::DenseMap<mlir::Value, Names> known;
};

} // namespace blocks

#endif
