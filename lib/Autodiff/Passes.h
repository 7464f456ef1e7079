//===- Passes.h - Passes of automatic differentiation ---------------------===//
#ifndef LIB_AUTODIFF_PASSES_H
#define LIB_AUTODIFF_PASSES_H

#include "dialects/Blocks/Blocks.h"

#include <mlir/IR/BuiltinOps.h>
#include <mlir/Pass/Pass.h>

namespace blocks {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/Autodiff/Passes.h.inc"

} // namespace blocks

#endif
