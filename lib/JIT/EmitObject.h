// Machine code from a module in the llvm dialect.
#ifndef BLOCKS_LIB_JIT_EMITOBJECT_H
#define BLOCKS_LIB_JIT_EMITOBJECT_H

#include "lib/JIT/CpuTarget.h"

#include <llvm/ADT/SmallVector.h>
#include <mlir/IR/BuiltinOps.h>

namespace blocks {

/// Seconds of processor time that the steps of emitObject took.
struct EmitTimes {
  double translate = 0, optimize = 0, generate = 0;
};

/// Registers what turns the llvm dialect into LLVM IR.
void registerEmitObjectDialects(mlir::DialectRegistry &registry);

/// Returns a relocatable x86-64 ELF object, position independent, whose
/// undefined symbols are blocks_rt_*, memcpy, memmove and memset. The module's
/// registry must hold what registerEmitObjectDialects adds.
llvm::Expected<llvm::SmallVector<char, 0>>
emitObject(mlir::ModuleOp module, const CpuTarget &target,
           EmitTimes *times = nullptr);

/// The optimized LLVM IR, or the assembly, for people to read.
llvm::Expected<std::string> emitText(mlir::ModuleOp module,
                                     const CpuTarget &target, bool assembly);

} // namespace blocks
#endif
