//===- ManifestOf.h - What a lowered module says about itself -------------===//
//
// The manifest is read off the module at two moments: after materialize-state,
// when parameters are still there beside the functions, and after to-linalg,
// which knows the extents of outputs and the places that check labels.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_API_MANIFESTOF_H
#define LIB_API_MANIFESTOF_H

#include "runtime/Program/Manifest.h"

#include <mlir/IR/BuiltinOps.h>

namespace blocks {

/// State, entries, sources and outputs, after materialize-state.
Manifest manifestOf(mlir::ModuleOp module);

/// Adds the axes of outputs and the table of sites, after to-linalg.
void addLoweringFacts(mlir::ModuleOp module, Manifest &manifest);

} // namespace blocks

#endif
