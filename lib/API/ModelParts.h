//===- ModelParts.h - Fingerprints of a model's text ----------------------===//
//
// A checkpoint must notice that it goes on with another model, also where all
// parameters kept their names and shapes. So the manifest of a training program
// has a hash for each brick and for the graph of the cost, taken right after
// loading: what regularizers, step rule and monitoring make of the model are
// options of their own, and other graphs are not trained.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_API_MODELPARTS_H
#define LIB_API_MODELPARTS_H

#include "blocks/Program.h"

#include <mlir/IR/BuiltinOps.h>

namespace blocks {

/// The bricks, and the graphs with an output called `cost`, in order. Equal for
/// texts that differ in layout, comments, and names of values.
std::vector<ModelPart> modelParts(mlir::ModuleOp module, llvm::StringRef cost);

} // namespace blocks

#endif
