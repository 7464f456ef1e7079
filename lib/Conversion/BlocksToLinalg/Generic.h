//===- Generic.h - Short ways to write linalg.generic ---------------------===//
#ifndef LIB_CONVERSION_BLOCKSTOLINALG_GENERIC_H
#define LIB_CONVERSION_BLOCKSTOLINALG_GENERIC_H

#include "lib/Conversion/BlocksToLinalg/Lowering.h"

#include <mlir/Dialect/Linalg/IR/Linalg.h>

namespace blocks {

using GenericBody = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// A tensor and how the loops address it; the identity where the map is null.
struct Operand {
  mlir::Value tensor;
  mlir::AffineMap map = {};
};

/// One element at a time: result[i…] = body(inputs…), of shape `shape`.
mlir::Value elementwise(Lowering &lowering, mlir::Location loc,
                        llvm::ArrayRef<Operand> inputs,
                        const SymbolicShape &shape, mlir::Type element,
                        GenericBody body);

/// Reduces the axes `dims` of loops over `shape`: accumulator = body(inputs…,
/// accumulator), starting from the scalar `init`.
mlir::Value reduction(Lowering &lowering, mlir::Location loc,
                      llvm::ArrayRef<Operand> inputs,
                      const SymbolicShape &shape, llvm::ArrayRef<int64_t> dims,
                      mlir::Value init, GenericBody body);

/// Over `rank` loops the map to all of them but the last: one value a row.
mlir::AffineMap rowMap(mlir::MLIRContext *context, unsigned rank);
/// Over `rank` loops the map to those not in `dims`.
mlir::AffineMap mapWithout(mlir::MLIRContext *context, unsigned rank,
                           llvm::ArrayRef<int64_t> dims);
/// The shape without the axes `dims`.
SymbolicShape shapeWithout(const SymbolicShape &shape,
                           llvm::ArrayRef<int64_t> dims);

/// A floating-point or integer constant of type `type`.
mlir::Value number(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Type type, double value);
/// a + b that may be reassociated: for the bodies of reductions.
mlir::Value sum(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value a,
                mlir::Value b);

} // namespace blocks

#endif
