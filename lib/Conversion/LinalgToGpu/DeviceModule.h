// The nested module `@device`: all kernels of a program, in the order of their
// numbers.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOGPU_DEVICEMODULE_H
#define BLOCKS_LIB_CONVERSION_LINALGTOGPU_DEVICEMODULE_H

#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/IR/BuiltinOps.h>

#include <string>
#include <unordered_map>

namespace blocks {

/// The nested module's name, and the name of the memory that the threads of a
/// block share, whose size a launch gives.
inline constexpr llvm::StringLiteral kDeviceModule = "device";
inline constexpr llvm::StringLiteral kSharedMemory = "shared";
/// The host module's attribute with the user's kernels.
inline constexpr llvm::StringLiteral kUserKernelsAttr = "blocks.cuda_kernels";
/// The attribute of kernels.
inline constexpr llvm::StringLiteral kKernelAttr = "blocks.kernel";

class DeviceModule {
public:
  explicit DeviceModule(mlir::ModuleOp host);

  /// Adds a kernel, or finds its equal and erases it; returns its number. The
  /// user's kernels have the first numbers.
  int64_t add(mlir::func::FuncOp kernel);
  /// Declares the shared memory, if it is not yet.
  void declareShared();
  /// Copies a constant array of the host's module.
  void copyGlobal(mlir::Operation *global);
  /// A function of the host's module, declared on the first call.
  mlir::func::FuncOp declareOnHost(llvm::StringRef name,
                                   mlir::TypeRange arguments,
                                   mlir::TypeRange results = {});

private:
  mlir::ModuleOp host, device;
  int64_t userKernels;
  std::unordered_map<std::string, int64_t> kernels;
};

} // namespace blocks
#endif
