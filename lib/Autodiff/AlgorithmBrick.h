//===- AlgorithmBrick.h - The state of the training algorithm -------------===//
//
// Optimizers keep their state as parameters of the brick @algorithm: learning
// rates, buffers, seed and step. So state is one list, whoever made it.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_AUTODIFF_ALGORITHMBRICK_H
#define LIB_AUTODIFF_ALGORITHMBRICK_H

#include "dialects/Blocks/Blocks.h"

#include <mlir/IR/BuiltinOps.h>

namespace blocks {

class AlgorithmBrick {
public:
  /// Finds the brick or makes an empty one at the module's end.
  static AlgorithmBrick getOrCreate(mlir::ModuleOp module);

  /// The child brick at the end of `path`, made where missing.
  BrickOp child(llvm::ArrayRef<llvm::StringRef> path);
  BrickOp top() { return brick; }

  /// The parameter `name` of `owner`; made as a constant if missing.
  static ParameterOp state(BrickOp owner, llvm::StringRef name,
                           mlir::RankedTensorType type, Role role,
                           double initial,
                           mlir::SymbolRefAttr forParameter = {});

  /// "/algorithm.seed" and "/algorithm.step", which random operations read.
  ParameterOp seed();
  ParameterOp step();

private:
  explicit AlgorithmBrick(BrickOp brick) : brick(brick) {}
  ParameterOp counter(llvm::StringRef name);

  BrickOp brick;
};

} // namespace blocks

#endif
