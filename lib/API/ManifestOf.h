//===- ManifestOf.h - What a lowered module says about itself -------------===//
#ifndef LIB_API_MANIFESTOF_H
#define LIB_API_MANIFESTOF_H

#include "runtime/Program/Manifest.h"

#include <mlir/IR/BuiltinOps.h>

namespace blocks {

/// The state of a program, from its parameters: after materialize-state, while
/// the bricks are still there. In the order of definition.
std::vector<StateSpec> stateOf(mlir::ModuleOp module);

/// Entries and sites, from the functions after to-linalg. `state` resolves the
/// paths that arguments name.
void addEntriesOf(mlir::ModuleOp module, Manifest &manifest);

} // namespace blocks

#endif
