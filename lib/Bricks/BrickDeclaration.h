//===- BrickDeclaration.h - Filling a brick with parameters and children --===//
//
// What BrickKind::declare works with: the configuration and the body. Settings
// for initial values and the element type are pushed down: a child takes its
// parent's unless it has its own (InitialValues.h).
//
//===----------------------------------------------------------------------===//
#ifndef LIB_BRICKS_BRICKDECLARATION_H
#define LIB_BRICKS_BRICKDECLARATION_H

#include "lib/Bricks/InitialValues.h"

namespace blocks {

class BrickKind;
class BrickLibrary;

class BrickDeclaration {
public:
  BrickDeclaration(BrickOp brick, const BrickLibrary &library, InitUsage &usage)
      : config(brick), brick(brick), library(library), usage(usage),
        builder(mlir::OpBuilder::atBlockEnd(&brick.getBodyBlock())) {}

  BrickConfig config;

  /// A parameter (or another state) initialized by what the settings say for
  /// its name and role, or by the setting `initKey`; without any, by
  /// `otherwise`, or weights by glorot_uniform and the rest by 0.
  mlir::LogicalResult parameter(llvm::StringRef name,
                                llvm::ArrayRef<int64_t> shape, Role role,
                                llvm::StringRef initKey,
                                InitializerAttrInterface otherwise = {});

  /// A child with its own settings, to which initial values are pushed.
  mlir::LogicalResult child(llvm::StringRef name, llvm::StringRef kind,
                            mlir::DictionaryAttr settings);

  /// `{kind = "Linear", name = …, settings …}` or just "Linear": the kind and
  /// the settings, with `kind` and `name` taken out.
  struct ChildSpec {
    std::string kind;
    std::string name; // empty if not given
    mlir::DictionaryAttr settings;
  };
  mlir::FailureOr<ChildSpec> childSpec(llvm::StringRef key,
                                       mlir::Attribute text) const;

  /// Sets `key`, which this brick determines; reports another value that the
  /// user gave in the setting `setting`.
  mlir::LogicalResult fix(mlir::NamedAttrList &settings,
                          llvm::StringRef setting, llvm::StringRef key,
                          mlir::Attribute value) const;

  /// True if a parameter or child of this name was declared.
  bool hasSymbol(llvm::StringRef name);

  /// The kind of this name, or null.
  const BrickKind *findKind(llvm::StringRef kind) const;
  /// Declares a child at once, for what depends on its parameters' names.
  mlir::LogicalResult declareChild(llvm::StringRef name);
  BrickOp getBrick() { return brick; }
  const BrickLibrary &getLibrary() { return library; }

  mlir::Builder &getBuilder() { return builder; }
  /// What was declared so far.
  mlir::Block &getBody() { return brick.getBodyBlock(); }

private:
  BrickOp brick;
  const BrickLibrary &library;
  InitUsage &usage;
  mlir::OpBuilder builder;
};

/// The default name of a brick: its kind in lower case, as in Blocks.
std::string defaultBrickName(llvm::StringRef kind);

} // namespace blocks

#endif
