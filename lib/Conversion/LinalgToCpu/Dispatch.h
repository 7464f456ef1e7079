// One dispatch of an entry: see Dispatch.cpp.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOCPU_DISPATCH_H
#define BLOCKS_LIB_CONVERSION_LINALGTOCPU_DISPATCH_H

#include "lib/Conversion/LinalgToCpu/Addressing.h"

#include <string>
#include <unordered_map>

namespace blocks {

/// The kernels of a module: equal ones are one function.
class KernelTable {
public:
  explicit KernelTable(mlir::ModuleOp module) : module(module) {}

  /// Adds a kernel, or finds its equal and erases it.
  mlir::func::FuncOp add(mlir::func::FuncOp kernel);
  /// The function that unpacks an environment and calls the kernel.
  mlir::func::FuncOp getThunk(mlir::func::FuncOp kernel);
  mlir::func::FuncOp declare(llvm::StringRef name, mlir::TypeRange arguments,
                             mlir::TypeRange results = {});

private:
  mlir::ModuleOp module;
  std::unordered_map<std::string, mlir::func::FuncOp> kernels;
  llvm::DenseMap<mlir::Operation *, mlir::func::FuncOp> thunks;
};

/// Outlines operations that stand together in a dispatch and replaces them by
/// the call.
void outlineDispatch(llvm::ArrayRef<mlir::Operation *> ops, KernelTable &table,
                     Extents &extents, Addressing &addressing);

} // namespace blocks
#endif
