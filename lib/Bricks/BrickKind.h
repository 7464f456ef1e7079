//===- BrickKind.h - What a library brick is ------------------------------===//
//
// A kind of brick ("Linear", "MLP") is one small class: which settings and
// applications it has, which parameters and children it declares, and how an
// application's body is built for the types that it is called with. There are
// no signatures apart: the type of a result is that of the body's result.
// Register a new kind with BrickLibrary::add.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_BRICKS_BRICKKIND_H
#define LIB_BRICKS_BRICKKIND_H

#include "lib/Bricks/ApplicationBuilder.h"
#include "lib/Bricks/BrickConfig.h"
#include "lib/Bricks/BrickDeclaration.h"

#include <memory>
#include <string>
#include <vector>

namespace blocks {

class AttentionBrick;
class RecurrentBrick;

class BrickKind {
public:
  virtual ~BrickKind() = default;

  /// The name in the text, Blocks' class name.
  virtual llvm::StringRef getName() const = 0;
  /// Every setting that the configuration may have.
  virtual std::vector<llvm::StringRef> getSettings() const { return {}; }
  /// Every application that can be called.
  virtual std::vector<llvm::StringRef> getApplications() const {
    return {"apply"};
  }
  /// Every option that a call of the application may have: the attributes of
  /// `blocks.apply`.
  virtual std::vector<llvm::StringRef>
  getOptions(llvm::StringRef application) const {
    return {};
  }
  /// This kind if it steps over sequences, else null.
  virtual const RecurrentBrick *asRecurrent() const { return nullptr; }
  /// This kind if it looks at a sequence, else null.
  virtual const AttentionBrick *asAttention() const { return nullptr; }
  /// Adds parameters and children to the brick's empty body.
  virtual mlir::LogicalResult declare(BrickDeclaration &) const {
    return mlir::success();
  }
  /// Builds the body of an application; the builder holds its arguments and
  /// takes its results. Failures have been reported.
  virtual mlir::LogicalResult build(llvm::StringRef application,
                                    ApplicationBuilder &builder) const = 0;
};

} // namespace blocks

#endif
