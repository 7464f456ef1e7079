// Pointers to the first elements of memrefs in an entry, through views. Kernels
// take pointers and strides, so no memref descriptor reaches LLVM.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOCPU_ADDRESSING_H
#define BLOCKS_LIB_CONVERSION_LINALGTOCPU_ADDRESSING_H

#include "lib/Conversion/LinalgToCpu/Extents.h"

namespace blocks {

class Addressing {
public:
  explicit Addressing(Extents &extents) : extents(extents) {}

  /// An `!llvm.ptr` to the first element, created where the memref is defined;
  /// equal for views that start at the same element without an offset.
  mlir::Value getPointer(mlir::Value memref);
  /// Says where a memref lies.
  void setPointer(mlir::Value memref, mlir::Value pointer) {
    pointers[memref] = pointer;
  }

private:
  mlir::Value createPointer(mlir::Value memref);
  Extents &extents;
  llvm::DenseMap<mlir::Value, mlir::Value> pointers;
};

/// The type of an element in memory: truth values take a byte.
mlir::Type getStoredType(mlir::Type element);

/// `pointer + offset` elements; the offset is an index.
mlir::Value createElementPointer(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Type element, mlir::Value pointer,
                                 mlir::Value offset);
mlir::Value createLoad(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Type element, mlir::Value pointer);
void createStore(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Value value, mlir::Value pointer);

} // namespace blocks
#endif
