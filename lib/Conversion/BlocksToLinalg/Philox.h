//===- Philox.h - The counter-based generator in arith operations ---------===//
#ifndef LIB_CONVERSION_BLOCKSTOLINALG_PHILOX_H
#define LIB_CONVERSION_BLOCKSTOLINALG_PHILOX_H

#include <mlir/IR/Builders.h>

#include <array>

namespace blocks {

/// philox4x32 of include/blocks/Philox.h: counter words and the two halves of
/// the key are i32.
std::array<mlir::Value, 4> emitPhilox(mlir::OpBuilder &builder,
                                      mlir::Location loc,
                                      std::array<mlir::Value, 4> counter,
                                      std::array<mlir::Value, 2> key);

/// normalQuantile of runtime/Parameters: f64 in, f64 out, the same operations
/// in the same order, so equal bits.
mlir::Value emitNormalQuantile(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value probability);

} // namespace blocks

#endif
