// One element of a structured operation: where its operands lie for given loop
// indices, and its body as scalar operations. Loops around it, on the processor
// or over the threads of a GPU, are others' work.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOCPU_ELEMENT_H
#define BLOCKS_LIB_CONVERSION_LINALGTOCPU_ELEMENT_H

#include "lib/Conversion/LinalgToCpu/KernelArguments.h"

#include <mlir/Dialect/Linalg/IR/Linalg.h>

namespace blocks {

class Element {
public:
  Element(mlir::linalg::LinalgOp op, Kernel &kernel);

  /// A pointer to the operand's element at the indices.
  mlir::Value getPointer(mlir::OpOperand *operand);
  /// A pointer to an element of a memref of the entry.
  mlir::Value getPointer(mlir::Value memref, mlir::ValueRange position);
  mlir::Value load(mlir::OpOperand *operand);

  /// Emits the scalar operations at the kernel's builder. Results in `carriers`
  /// have the values `carried`; their next values are returned, others stored.
  llvm::SmallVector<mlir::Value>
  emitBody(llvm::ArrayRef<mlir::OpOperand *> carriers,
           mlir::ValueRange carried);

  /// The index of each loop.
  llvm::SmallVector<mlir::Value> indices;
  /// Instead of the indices, where hasElementOrder: the element's number.
  mlir::Value flat;

private:
  mlir::Value evaluate(mlir::AffineExpr expr);
  mlir::Value getOffset(mlir::Value memref, mlir::ValueRange position);
  mlir::Value lookup(mlir::Value value, mlir::IRMapping &mapping);
  void mapCaptured(mlir::Operation &scalar, mlir::IRMapping &mapping);
  void cloneScalar(mlir::Operation &scalar, mlir::IRMapping &mapping);
  void rewriteNested(mlir::Operation *nested);

  mlir::linalg::LinalgOp op;
  Kernel &kernel;
  Extents &extents;
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// True if all loops are parallel, and every operand is read or written in the
/// order of its elements, or is one element.
bool hasElementOrder(mlir::linalg::LinalgOp op);

} // namespace blocks
#endif
