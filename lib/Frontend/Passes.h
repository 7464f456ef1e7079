//===- Passes.h - From a model's graphs to entries ------------------------===//
#ifndef LIB_FRONTEND_PASSES_H
#define LIB_FRONTEND_PASSES_H

#include <mlir/IR/BuiltinOps.h>
#include <mlir/Pass/Pass.h>

namespace blocks {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/Frontend/Passes.h.inc"

} // namespace blocks

#endif
