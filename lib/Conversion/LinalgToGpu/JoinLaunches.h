// The launches of an entry before their kernels have numbers, and how
// neighbours become one; see JoinLaunches.cpp.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOGPU_JOINLAUNCHES_H
#define BLOCKS_LIB_CONVERSION_LINALGTOGPU_JOINLAUNCHES_H

#include "lib/Conversion/LinalgToCpu/Access.h"

#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/IR/OwningOpRef.h>

#include <memory>
#include <optional>
#include <vector>

namespace blocks {

/// How many threads run a kernel: blocks in a row, and threads in a block.
struct LaunchShape {
  mlir::Value blocks;
  int64_t x = 1, y = 1;
  int64_t sharedBytes = 0;
};

/// A launch that has not got its final form.
struct Launch {
  mlir::OwningOpRef<mlir::func::FuncOp> kernel;
  /// In its place: the number of a kernel of the user's.
  std::optional<int64_t> userKernel = std::nullopt;
  llvm::SmallVector<mlir::Value> operands;
  LaunchShape shape;
  /// What the kernel touches, if the launch may be joined with others.
  std::optional<llvm::SmallVector<Access>> accesses;
  /// The call in the entry, which is made again at the end.
  mlir::Operation *place = nullptr;
};

/// Joins launches that stand together in the function and do not touch what
/// another one of them writes. Joined ones disappear from the list; what they
/// become stands in the place of the last one. Its kernel has one argument, a
/// table of eight-byte words, which are the launch's operands.
void joinLaunches(mlir::func::FuncOp function,
                  std::vector<std::unique_ptr<Launch>> &launches);

} // namespace blocks
#endif
