//===- BrickExpander.h - Library bricks → parameters and applications -----===//
//
// Works on one module: declares the bodies of library bricks, and builds an
// application for each signature that it is asked for. Used by the pass
// `blocks-expand-bricks`, and by the verifier on a scratch copy.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_BRICKS_BRICKEXPANDER_H
#define LIB_BRICKS_BRICKEXPANDER_H

#include "lib/Bricks/InitialValues.h"

#include <mlir/IR/BuiltinOps.h>

#include <string>

namespace blocks {

class BrickLibrary;

/// The attributes of a call that are options of the application; null if there
/// are none.
mlir::DictionaryAttr optionsOf(ApplyOp apply);

class BrickExpander {
public:
  BrickExpander(mlir::ModuleOp module, const BrickLibrary &library,
                InitUsage &usage)
      : module(module), library(library), usage(usage) {}

  /// Fills the bodies of all library bricks of the module.
  mlir::LogicalResult declareAll();
  /// Fills the body of one brick, and of its children.
  mlir::LogicalResult declare(BrickOp brick);

  /// The application `name` of a brick for arguments of these types, built when
  /// it is not there yet. `call` is where the errors point to, `origin` says
  /// what the argument is ("the output of /mlp/linear_0"), or is empty.
  /// `options` are those of the call: each set of them has its own application.
  mlir::FailureOr<ApplicationOp>
  instantiate(mlir::SymbolRefAttr brick, llvm::StringRef name,
              mlir::TypeRange types, mlir::Location call,
              llvm::StringRef origin = "", mlir::DictionaryAttr options = {});

  /// Points every `blocks.apply` to an application of its types.
  mlir::LogicalResult expandCalls();

  BrickOp lookupBrick(mlir::SymbolRefAttr reference);
  const BrickLibrary &getLibrary() const { return library; }

private:
  BrickOp findBrick(mlir::SymbolRefAttr reference, mlir::Location call);
  mlir::FailureOr<ApplicationOp>
  build(BrickOp brick, mlir::SymbolRefAttr reference, llvm::StringRef name,
        mlir::TypeRange types, mlir::Location call, llvm::StringRef origin,
        mlir::DictionaryAttr options);

  mlir::ModuleOp module;
  const BrickLibrary &library;
  InitUsage &usage;
  /// Applications that are being built, outermost first: to find cycles.
  llvm::SmallVector<std::string> open;
};

} // namespace blocks

#endif
