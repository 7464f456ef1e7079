// The threads that work together on one row of a dispatch, as one of them sees
// them: which row, which of how many, and how their partial results are
// combined. Two arrangements: neighbouring threads on a row, for operations
// that are contiguous along it; or neighbouring threads on neighbouring rows,
// where the rows are what is contiguous.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOGPU_THREADGROUP_H
#define BLOCKS_LIB_CONVERSION_LINALGTOGPU_THREADGROUP_H

#include "lib/Conversion/LinalgToGpu/DeviceKernel.h"
#include "lib/Conversion/LinalgToGpu/Reductions.h"

namespace blocks {

/// Threads that run in step and exchange registers.
inline constexpr int64_t kWarp = 32;

struct Arrangement {
  int64_t x, y;
  /// Threads of a row are neighbours in x; else in y.
  bool isAlongRow;

  int64_t lanes() const { return isAlongRow ? x : y; }
  int64_t rows() const { return isAlongRow ? y : x; }
};

class ThreadGroup {
public:
  /// `rows`: how many there are; null for one group without rows.
  ThreadGroup(DeviceKernel &kernel, const Arrangement &arrangement,
              mlir::OpFoldResult rows);

  /// The threads beyond the last row take part in barriers, and nothing else.
  mlir::Value getRow() { return row; }
  /// Of the group's threads this one's number, and how many they are.
  mlir::Value getLane() { return lane; }
  int64_t getLanes() const { return arrangement.lanes(); }

  /// `extent`, or zero for threads without a row.
  mlir::Value limit(mlir::Value extent);
  /// Emits `work` for the first thread of each group that has a row.
  void emitForFirst(llvm::function_ref<void()> work);

  /// Combines the partial results of a group's threads, in a fixed order; every
  /// thread gets the result. All threads of the block must come here.
  llvm::SmallVector<mlir::Value> combine(const Reduction &reduction,
                                         mlir::ValueRange partial);

  /// Bytes of shared memory that the combinations need.
  int64_t getSharedBytes() const { return sharedBytes; }

private:
  mlir::Value shuffle(mlir::Value value, int64_t distance);
  llvm::SmallVector<mlir::Value> combineWarp(const Reduction &reduction,
                                             mlir::ValueRange partial);
  llvm::SmallVector<mlir::Value>
  combineShared(const Reduction &reduction, mlir::ValueRange partial,
                mlir::Value place, mlir::Value first, int64_t stride,
                int64_t count, mlir::Value isWriter);
  mlir::Value getConstant32(int64_t value);

  DeviceKernel &kernel;
  Arrangement arrangement;
  mlir::Value row, lane, other; ///< `other`: the thread's other coordinate.
  mlir::Value isValid;          ///< Null: always.
  int64_t sharedBytes = 0;
};

} // namespace blocks
#endif
