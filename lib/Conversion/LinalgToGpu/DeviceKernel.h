// A kernel for the GPU under construction. Scalars that the entry would have
// loaded are loaded in the kernel, at its start.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOGPU_DEVICEKERNEL_H
#define BLOCKS_LIB_CONVERSION_LINALGTOGPU_DEVICEKERNEL_H

#include "lib/Conversion/LinalgToCpu/KernelArguments.h"
#include "lib/Conversion/LinalgToGpu/DeviceEntry.h"

namespace blocks {

class DeviceKernel : public Kernel {
public:
  /// `site`: the operation in whose place the kernel is launched.
  DeviceKernel(mlir::Operation *site, DeviceEntry &entry);

  mlir::Value getScalar(mlir::Value value) override;
  mlir::Value getPointer(mlir::Value memref) override;

  /// Sets what the kernel has for a value of the entry, or for a view.
  void bind(mlir::Value value, mlir::Value inKernel);

  /// Clones a scalar operation of the entry, which reads memory or computes, at
  /// the builder, and binds its result.
  void cloneHere(mlir::Operation *op);

  /// An argument for a size, even of a small constant: then operations of
  /// other sizes share the kernel.
  mlir::Value getSize(mlir::OpFoldResult size);
  /// What the kernel loads scalars of the entry from.
  llvm::ArrayRef<mlir::Value> getLoaded() const { return loaded; }

  // The thread's place, as index.
  mlir::Value getThreadX() { return threadX; }
  mlir::Value getThreadY();
  mlir::Value getBlock();
  void emitBarrier();
  /// A pointer to the shared memory's 8-byte word number `word`.
  mlir::Value getShared(mlir::Value word);

  /// Says that the threads of a block hand each other results in memory that
  /// they all can see, so that pointers to it must not be marked as unaliased.
  void shareWrites(llvm::ArrayRef<mlir::Value> written);

  mlir::func::FuncOp finish();

private:
  mlir::Value emitScalar(mlir::Value value);
  mlir::Value addScalarArgument(mlir::Value value);
  mlir::Value emitLoad(mlir::OpBuilder &at, mlir::memref::LoadOp load,
                       llvm::function_ref<mlir::Value(mlir::Value)> lookup);

  DeviceEntry &entry;
  mlir::Operation *site;
  mlir::Value threadX;
  mlir::Operation *prologueEnd; ///< Scalars are emitted before it.
  llvm::DenseMap<mlir::Value, mlir::Value> bound;
  llvm::DenseSet<mlir::Value> shared; ///< Pointers of the entry.
  llvm::SmallVector<mlir::Value> loaded;
};

} // namespace blocks
#endif
