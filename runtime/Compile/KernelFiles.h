// KernelFiles: what a compile request needs for the user's kernels: the files
// of their CUDA C++, which are part of the cache key, and whether this machine
// has the compiler for it.
#pragma once

#include "blocks/Compiler.h"

namespace blocks {

/// Reads the files that the model names by `cuda_file = "…"` from its folder,
/// as far as they can be read: the compiler misses the others if it needs them.
void readKernelFiles(CompileRequest &request);

/// On a GPU the user's kernels want NVRTC; without it their bodies take the
/// place of their sources.
void decideKernels(CompileRequest &request);

} // namespace blocks
