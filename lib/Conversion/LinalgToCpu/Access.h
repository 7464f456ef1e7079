// What an operation reads and writes, and by which of its loops: the analysis
// that grouping, the memory plan and the kernels share. Relies on entries whose
// memref arguments do not alias (the ABI promises it).
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOCPU_ACCESS_H
#define BLOCKS_LIB_CONVERSION_LINALGTOCPU_ACCESS_H

#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <optional>

namespace blocks {

class Extents;

/// The attribute with the number of an operation's dispatch.
inline constexpr llvm::StringLiteral kDispatchAttr = "blocks.dispatch";
/// On a product: its result's old value is not read.
inline constexpr llvm::StringLiteral kOverwriteAttr = "blocks.overwrite";

/// On a product: its second operand was packed; on a copy: it packs. The rows
/// of the packed matrix are as far apart as its padded width. See
/// PackWeights.cpp.
inline constexpr llvm::StringLiteral kPackedAttr = "blocks.packed";

/// The allocation or argument that a memref is a view of.
mlir::Value getBuffer(mlir::Value memref);

/// True if two views of one buffer are known not to overlap.
bool areDisjoint(mlir::Value a, mlir::Value b);

/// One way in which an operation touches a buffer.
struct Access {
  mlir::Value view;
  bool reads = false;
  bool writes = false;
  /// The first dimension is indexed by the operation's row loop, alone.
  bool byRow = false;
};

/// The accesses of an operation, those of nested operations included.
llvm::SmallVector<Access> getAccesses(mlir::Operation *op);

/// True if the two operations must stay in order, whatever their loops.
bool conflict(llvm::ArrayRef<Access> a, llvm::ArrayRef<Access> b);

/// True if b may follow a within one block of rows: what one writes and the
/// other touches is addressed by the same rows in both; `inOneView`: of the
/// same view, so that columns are the same, too, or none.
bool shareRows(llvm::ArrayRef<Access> a, llvm::ArrayRef<Access> b,
               bool inOneView);

/// The loop over the rows of the results: parallel, and first in each result.
/// None for operations that must run as a whole.
std::optional<unsigned> getRowLoop(mlir::linalg::LinalgOp op);

/// The loop over the columns of the results of rank 2: parallel, and last in
/// each. None where a result has another rank.
std::optional<unsigned> getColumnLoop(mlir::linalg::LinalgOp op);

/// True if the operations of a dispatch may run on blocks of columns as well as
/// of rows: what one writes and another touches is addressed by the same
/// columns in both.
bool shareColumns(llvm::ArrayRef<mlir::Operation *> ops);

/// True if the operation can be cut into blocks of rows of its results.
bool hasRows(mlir::Operation *op);
/// How many rows there are.
mlir::OpFoldResult getRowCount(mlir::Operation *op, Extents &extents);

/// A matrix product that the runtime's gemm can compute.
bool isProduct(mlir::Operation *op);

/// A product whose right operand is so small that it may as well be computed in
/// blocks of any number of rows, between other operations on those rows.
bool isSmallProduct(mlir::Operation *op);

/// A stack of matrix products, each of which the runtime's gemm can compute.
bool isBatchProduct(mlir::Operation *op);

/// Operations that become part of a dispatch.
bool isDispatchable(mlir::Operation *op);

} // namespace blocks
#endif
