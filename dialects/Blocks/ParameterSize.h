//===- ParameterSize.h - Extents, names, numbers a parameter can have -----===//
//
// Used by the verifiers of bricks and parameters, and by library bricks, which
// know the setting that an impossible extent, name or number comes from.
//
//===----------------------------------------------------------------------===//
#ifndef DIALECTS_BLOCKS_PARAMETERSIZE_H
#define DIALECTS_BLOCKS_PARAMETERSIZE_H

#include "dialects/Blocks/Blocks.h"

namespace blocks {

/// Reports a type whose extents are 0, or too large for any machine's memory:
/// "… would take 4.00e+18 bytes …" after what `emitError` starts with.
mlir::LogicalResult
checkSize(mlir::RankedTensorType type,
          llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Reports a name that would make a path ambiguous or unreadable: an empty one,
/// or one with '/', '.', control characters or invalid UTF-8. `emitError` says
/// whose name it is: "brick /a has a child …".
mlir::LogicalResult
checkPathName(llvm::StringRef name,
              llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Checks an initializer against the parameter's shape, and that its numbers
/// are finite, its deviations not negative; so for the schemes it is made of.
mlir::LogicalResult
checkInitializer(InitializerAttrInterface init, llvm::ArrayRef<int64_t> shape,
                 llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace blocks

#endif
