// PTX, the text that a GPU's driver compiles, from a module's kernels.
#ifndef BLOCKS_LIB_JIT_EMITPTX_H
#define BLOCKS_LIB_JIT_EMITPTX_H

#include "lib/JIT/EmitObject.h"
#include "lib/JIT/GpuTarget.h"

#include <vector>

namespace blocks {

struct DeviceText {
  std::string ptx;
  std::vector<std::string> kernels; ///< By their number in launches.
};

/// Takes the kernels out of a module in the llvm dialect; what is left is the
/// host's code. The text calls no library: it is all that the GPU needs.
llvm::Expected<DeviceText> emitPtx(mlir::ModuleOp module,
                                   const GpuTarget &target,
                                   EmitTimes *times = nullptr);

} // namespace blocks
#endif
