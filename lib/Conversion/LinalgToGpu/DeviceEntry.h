// An entry on its way to launches: what its kernels can read of the GPU's
// memory, room for scalars that they leave each other, and the launch itself.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOGPU_DEVICEENTRY_H
#define BLOCKS_LIB_CONVERSION_LINALGTOGPU_DEVICEENTRY_H

#include "lib/Conversion/LinalgToCpu/Addressing.h"
#include "lib/Conversion/LinalgToGpu/DeviceModule.h"
#include "lib/Conversion/LinalgToGpu/JoinLaunches.h"

#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>

namespace blocks {

class DeviceKernel;

class DeviceEntry {
public:
  DeviceEntry(mlir::func::FuncOp function, DeviceModule &module);

  mlir::Value getContext() { return function.getArgument(0); }

  /// True if a scalar of the entry depends on what stands in memory.
  bool isFromMemory(mlir::Value value);
  /// True if a kernel launched at `site` finds what `load` reads still there.
  bool isReadableAt(mlir::memref::LoadOp load, mlir::Operation *site);
  /// After operations of the entry were erased: their values may be others'.
  void forgetScalars() { fromMemory.clear(); }
  /// A pointer to where the loaded scalar is kept from its load on.
  mlir::Value getSlot(mlir::memref::LoadOp load);

  /// Room in the arena, behind what the plan has; a pointer into it.
  mlir::Value reserve(int64_t bytes);
  /// Room behind that, for one operation of the entry: the next one may have
  /// the same.
  mlir::Value getScratch(int64_t bytes);

  /// Ends the kernel and launches it where the entry stands in `builder`.
  /// `accesses`: all that the kernel touches, if neighbours may join it.
  void launch(mlir::OpBuilder &builder, DeviceKernel &kernel,
              const LaunchShape &shape,
              std::optional<llvm::SmallVector<Access>> accesses = std::nullopt);
  /// Launches a kernel of the user's, which has its number already.
  void launch(mlir::OpBuilder &builder, int64_t kernel,
              mlir::ValueRange operands, const LaunchShape &shape);

  /// After the last launch: joins launches, numbers their kernels, and gives
  /// arena and arguments their final sizes.
  void finish();

  // Host arithmetic, folded.
  mlir::Value divideUp(mlir::OpBuilder &builder, mlir::Value size, int64_t by);
  mlir::Value getConstant(mlir::OpBuilder &builder, int64_t value);

  mlir::func::FuncOp function;
  DeviceModule &module;
  Extents extents;
  Addressing addressing;

private:
  void findStableLoads();
  void findArena();
  void createParameterStorage();
  mlir::Value getParameterPlace(mlir::OpBuilder &builder, int64_t number);
  mlir::Operation *createCall(mlir::OpBuilder &builder, int64_t number,
                              const LaunchShape &shape);
  void finishLaunch(Launch &launch);

  std::vector<std::unique_ptr<Launch>> launches;
  llvm::DenseMap<mlir::Value, bool> fromMemory;
  /// Loads of what no later operation of the entry writes.
  llvm::DenseSet<mlir::Operation *> stableLoads;
  llvm::DenseMap<mlir::Operation *, mlir::Value> slots;
  mlir::func::CallOp arena;
  mlir::Operation *arenaEnd = nullptr; ///< New slots are created behind it.
  mlir::Value plannedBytes;
  int64_t reservedBytes = 0;
  mlir::Value scratch, scratchOffset; ///< Null: nobody asked for it.
  int64_t scratchBytes = 0;
  mlir::Value parameters;        ///< Eight bytes for each argument.
  mlir::Value parameterPointers; ///< Points to each of them.
  int64_t parameterCount = 0;
};

} // namespace blocks
#endif
