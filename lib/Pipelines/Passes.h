//===- Passes.h - Passes about whole entries ------------------------------===//
#ifndef LIB_PIPELINES_PASSES_H
#define LIB_PIPELINES_PASSES_H

#include <mlir/IR/BuiltinOps.h>
#include <mlir/Pass/Pass.h>

namespace blocks {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/Pipelines/Passes.h.inc"
} // namespace blocks

#endif
