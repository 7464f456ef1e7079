//===- Passes.h - Passes of the training program's end --------------------===//
#ifndef LIB_STEPRULES_PASSES_H
#define LIB_STEPRULES_PASSES_H

#include "dialects/Blocks/Blocks.h"

#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/Pass/Pass.h>

namespace blocks {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/StepRules/Passes.h.inc"

} // namespace blocks

#endif
