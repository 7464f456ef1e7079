//===- KernelSources.h - The CUDA C++ text of the user's kernels ----------===//
//
// A kernel has its source as lines in the model, or in a file beside it. When a
// model is loaded, each kernel learns where its lines stand and what its file
// holds, so that the errors of NVRTC show the user's place.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_FRONTEND_KERNELSOURCES_H
#define LIB_FRONTEND_KERNELSOURCES_H

#include <mlir/IR/BuiltinOps.h>

#include <string>
#include <utility>
#include <vector>

namespace blocks {

/// Files by the name that the model has for them.
using SourceFiles = std::vector<std::pair<std::string, std::string>>;

/// Sets `cuda_lines` of kernels whose source stands in the model's text, and
/// `cuda` of those that have it in one of `files`.
void placeKernelSources(mlir::ModuleOp module, llvm::StringRef modelText,
                        const SourceFiles &files);

} // namespace blocks

#endif
