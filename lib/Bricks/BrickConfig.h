//===- BrickConfig.h - Reading a library brick's configuration ------------===//
//
// A library brick is configured by a dictionary: `{dims = [784, 500], …}`. This
// reads it by key and reports what is missing, unknown or of the wrong type in
// the user's terms, at the brick.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_BRICKS_BRICKCONFIG_H
#define LIB_BRICKS_BRICKCONFIG_H

#include "dialects/Blocks/Blocks.h"

namespace blocks {

/// Above this no machine can address so many elements, and sums and small
/// multiples of extents stay below 2⁶³.
constexpr int64_t largestCount = int64_t(1) << 59;

/// The setting that every brick has: the element type of its parameters and
/// its children's, f32 or f64.
constexpr llvm::StringLiteral dtypeSetting = "dtype";

class BrickConfig {
public:
  explicit BrickConfig(BrickOp brick) : brick(brick) {}

  /// Reports a key that is not among `known`, with the near ones.
  mlir::LogicalResult checkKeys(llvm::ArrayRef<llvm::StringRef> known) const;

  /// The value of a key; null if absent.
  mlir::Attribute get(llvm::StringRef key) const;

  // Each reads one key. Without a default the key must be there.
  mlir::FailureOr<int64_t> positive(llvm::StringRef key) const;
  mlir::FailureOr<llvm::SmallVector<int64_t>>
  positives(llvm::StringRef key) const;
  mlir::FailureOr<double> number(llvm::StringRef key, double otherwise) const;
  mlir::FailureOr<bool> flag(llvm::StringRef key, bool otherwise) const;
  /// One of `choices`, the first by default.
  mlir::FailureOr<llvm::StringRef>
  choice(llvm::StringRef key, llvm::ArrayRef<llvm::StringRef> choices) const;
  mlir::FailureOr<mlir::ArrayAttr> list(llvm::StringRef key) const;
  /// The element type of parameters; f32 where nothing is said.
  mlir::FailureOr<mlir::Type> elementType() const;
  /// An initializer; null if absent.
  mlir::FailureOr<InitializerAttrInterface>
  initializer(llvm::StringRef key) const;

  /// An error at the brick: "/mlp ("MLP"): …".
  mlir::InFlightDiagnostic error() const;
  /// "key must be WHAT, found …".
  mlir::LogicalResult wrong(llvm::StringRef key, llvm::StringRef what) const;

private:
  mlir::LogicalResult missing(llvm::StringRef key, llvm::StringRef what) const;

  mutable BrickOp brick;
};

} // namespace blocks

#endif
