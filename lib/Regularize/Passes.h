//===- Passes.h - Regularizers: passes over the training graph ------------===//
#ifndef LIB_REGULARIZE_PASSES_H
#define LIB_REGULARIZE_PASSES_H

#include <mlir/IR/BuiltinOps.h>
#include <mlir/Pass/Pass.h>

namespace blocks {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/Regularize/Passes.h.inc"

} // namespace blocks

#endif
