//===- ParameterSize.h - Extents that a parameter can have ----------------===//
//
// Used by the verifier of blocks.parameter, and by library bricks, which know
// the setting that an impossible extent comes from.
//
//===----------------------------------------------------------------------===//
#ifndef DIALECTS_BLOCKS_PARAMETERSIZE_H
#define DIALECTS_BLOCKS_PARAMETERSIZE_H

#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/Diagnostics.h>

namespace blocks {

/// Reports a type whose extents are 0, or too large for any machine's memory:
/// "… would take 4.00e+18 bytes …" after what `emitError` starts with.
mlir::LogicalResult
checkSize(mlir::RankedTensorType type,
          llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace blocks

#endif
