//===- LoadModule.h - A model's text → a verified module ------------------===//
//
// The first thing that the compiler does with a model. Diagnostics, with the
// line and column in the file, go to the context's handlers.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_FRONTEND_LOADMODULE_H
#define LIB_FRONTEND_LOADMODULE_H

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/OwningOpRef.h>

namespace blocks {

/// Reads and verifies a model file; null after diagnostics.
mlir::OwningOpRef<mlir::ModuleOp> loadModule(mlir::MLIRContext &context,
                                             llvm::StringRef path);

/// The same for text in memory; `name` stands for the file in diagnostics.
mlir::OwningOpRef<mlir::ModuleOp> loadModuleText(mlir::MLIRContext &context,
                                                 llvm::StringRef text,
                                                 llvm::StringRef name);

} // namespace blocks

#endif
