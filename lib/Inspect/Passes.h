//===- Passes.h - Passes that show a model to people ----------------------===//
#ifndef LIB_INSPECT_PASSES_H
#define LIB_INSPECT_PASSES_H

#include <mlir/IR/BuiltinOps.h>
#include <mlir/Pass/Pass.h>

namespace blocks {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/Inspect/Passes.h.inc"

} // namespace blocks

#endif
