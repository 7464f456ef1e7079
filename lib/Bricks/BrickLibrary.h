//===- BrickLibrary.h - The kinds of bricks that can be named -------------===//
//
// The registry of library bricks, attached to the dialect: through it modules
// with unexpanded bricks verify (dialects/Blocks asks BrickLibraryInterface),
// and the expanding pass finds the kinds. Filled once, then only read.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_BRICKS_BRICKLIBRARY_H
#define LIB_BRICKS_BRICKLIBRARY_H

#include "lib/Bricks/BrickKind.h"

#include <map>

namespace blocks {

class BrickLibrary : public BrickLibraryInterface {
public:
  explicit BrickLibrary(mlir::Dialect *dialect);

  /// Adds a kind; replaces one of the same name.
  void add(std::unique_ptr<BrickKind> kind);
  /// The kind of this name, or null.
  const BrickKind *find(llvm::StringRef name) const;
  /// The names of all kinds, in order.
  std::vector<std::string> getNames() const;
  /// The kind of `brick`; null after an error that lists near names.
  const BrickKind *kindOf(BrickOp brick) const;

  /// The library of a context in which the dialect is loaded.
  static const BrickLibrary &get(mlir::MLIRContext *context);

  mlir::LogicalResult verifyBrick(BrickOp brick) const override;
  mlir::LogicalResult
  verifyCall(ApplyOp apply, BrickOp brick,
             llvm::ArrayRef<mlir::FlatSymbolRefAttr> rest) const override;

private:
  std::map<std::string, std::unique_ptr<BrickKind>, std::less<>> kinds;
};

/// Attaches the library to the dialect when it is loaded.
void registerBrickLibrary(mlir::DialectRegistry &registry);

// The families, each in its own file.
void addFeedforwardBricks(BrickLibrary &library);
void addActivationBricks(BrickLibrary &library);
void addSoftmaxBricks(BrickLibrary &library);
void addSequenceBricks(BrickLibrary &library);
void addCostBricks(BrickLibrary &library);
void addLookupBricks(BrickLibrary &library);
void addMaxoutBricks(BrickLibrary &library);
void addNormalizationBricks(BrickLibrary &library);
void addParallelBricks(BrickLibrary &library);
void addPermutationBricks(BrickLibrary &library);
void addRecurrentBricks(BrickLibrary &library);
void addConvolutionBricks(BrickLibrary &library);
void addPoolBricks(BrickLibrary &library);
void addConvolutionSequenceBrick(BrickLibrary &library);
void addAttentionBricks(BrickLibrary &library);
void addGeneratorBricks(BrickLibrary &library);
void addDrawBricks(BrickLibrary &library);

} // namespace blocks

#endif
