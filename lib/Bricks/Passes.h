//===- Passes.h - Passes from bricks to one graph of tensor operations ----===//
#ifndef LIB_BRICKS_PASSES_H
#define LIB_BRICKS_PASSES_H

#include <mlir/IR/BuiltinOps.h>
#include <mlir/Pass/Pass.h>

namespace blocks {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/Bricks/Passes.h.inc"

} // namespace blocks

#endif
