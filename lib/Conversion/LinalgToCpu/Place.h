// What a late error says about an operation: the lowering remembers in
// locations which brick and application it came from, and what the user can do.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOCPU_PLACE_H
#define BLOCKS_LIB_CONVERSION_LINALGTOCPU_PLACE_H

#include <mlir/IR/Diagnostics.h>
#include <mlir/IR/Operation.h>

namespace blocks {

/// " in brick /mlp/linear_0.apply", or nothing for what stands in a graph
/// itself.
std::string brickOf(mlir::Location location);

/// Begins an internal error: "internal error: 'scf.for' in brick /table.apply:"
/// what the lowering cannot do with it. Whoever emits it ends it by
/// `noFormAdvice`.
mlir::InFlightDiagnostic emitNoForm(mlir::Operation *op);

/// The end of such an error: what to do, with `alternative` first.
std::string noFormAdvice(llvm::StringRef alternative);

} // namespace blocks
#endif
