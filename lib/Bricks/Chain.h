//===- Chain.h - Bricks that feed each other ------------------------------===//
#ifndef LIB_BRICKS_CHAIN_H
#define LIB_BRICKS_CHAIN_H

#include "lib/Bricks/ApplicationBuilder.h"

namespace blocks {

/// One link of a chain: an application of a brick.
struct Link {
  mlir::SymbolRefAttr brick;
  std::string application = "apply";
};

/// Feeds the outputs of each link to the next; the chain has the first one's
/// inputs and the last one's outputs.
mlir::LogicalResult buildChain(ApplicationBuilder &builder,
                               llvm::ArrayRef<Link> links);

/// The chain of all children.
mlir::LogicalResult buildChainOfChildren(ApplicationBuilder &builder);

} // namespace blocks

#endif
