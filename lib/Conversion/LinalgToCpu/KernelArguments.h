// A kernel under construction: its function and the values of the entry that it
// takes as arguments. Asking for the same value twice gives the same argument.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOCPU_KERNELARGUMENTS_H
#define BLOCKS_LIB_CONVERSION_LINALGTOCPU_KERNELARGUMENTS_H

#include "lib/Conversion/LinalgToCpu/Addressing.h"

namespace blocks {

class Kernel {
public:
  /// Starts a function with the context and `leading` indices as arguments.
  Kernel(mlir::Operation *site, Extents &extents, Addressing &addressing,
         unsigned leading);
  virtual ~Kernel() = default;

  mlir::Value getContext() { return body->getArgument(0); }
  mlir::Value getLeading(unsigned i) { return body->getArgument(1 + i); }

  /// A pointer to the first element of a memref of the entry.
  virtual mlir::Value getPointer(mlir::Value memref);
  /// Small constants stay constants, which LLVM unrolls; large ones become
  /// arguments, so that layers of other widths share the kernel.
  mlir::Value getExtent(mlir::OpFoldResult extent);
  /// Strides are arguments of their own, even where they equal an extent.
  mlir::Value getStride(mlir::OpFoldResult stride);
  /// An extent or stride of one use alone, even where another has the same
  /// value: then products of other shapes share the kernel.
  mlir::Value getOwn(mlir::OpFoldResult size);
  /// A scalar of the entry, or a copy of a constant.
  virtual mlir::Value getScalar(mlir::Value value);
  mlir::Value getConstant(int64_t value);

  Extents &getExtents() { return extents; }

  /// Marks pointers as not aliasing, sets the type, and detaches the function.
  mlir::func::FuncOp finish(llvm::ArrayRef<mlir::Value> aliased);
  /// The entry's values for the arguments after the leading ones.
  llvm::ArrayRef<mlir::Value> getOperands() const { return operands; }

  mlir::OpBuilder builder;
  mlir::Location loc;

protected:
  /// Starts a function without arguments.
  Kernel(mlir::Operation *site, Extents &extents, Addressing &addressing);
  mlir::Value addArgument(mlir::Value operand);
  /// Ends the body and sets the type.
  mlir::func::FuncOp close();

  Extents &extents;
  Addressing &addressing;
  mlir::OpBuilder outside; ///< Where the entry calls the kernel.
  mlir::func::FuncOp function;
  mlir::Block *body;

private:
  mlir::Value getIndex(mlir::OpFoldResult index, char kind);

  unsigned leading = 0;
  llvm::SmallVector<mlir::Value> operands;
  std::map<std::pair<char, void *>, mlir::Value> known;
};

} // namespace blocks
#endif
