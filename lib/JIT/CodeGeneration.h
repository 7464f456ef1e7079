// What machine code for the processor and for a GPU have in common: running
// passes over a module's functions, and writing what the code generator makes.
#ifndef BLOCKS_LIB_JIT_CODEGENERATION_H
#define BLOCKS_LIB_JIT_CODEGENERATION_H

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

namespace blocks {

/// Processor time, not wall time: other processes must not blur a profile.
class Stopwatch {
public:
  /// Seconds since the last lap.
  double lap() {
    double now = read(), seconds = now - last;
    last = now;
    return seconds;
  }

private:
  static double read();

  double last = read();
};

/// LLVM's code generator for the triple, which must have been initialized.
llvm::Expected<const llvm::Target *> findTarget(const llvm::Triple &triple);

/// Simplifies functions, and moves what does not change out of their loops.
void addSimplification(llvm::FunctionPassManager &passes);

/// Tells the module and its functions what they are compiled for: passes ask
/// there.
void setTarget(llvm::Module &module, llvm::TargetMachine &machine);

/// Runs the passes over every function with a body.
void runPasses(llvm::Module &module, llvm::TargetMachine &machine,
               llvm::FunctionPassManager passes);

llvm::Error writeCode(llvm::Module &module, llvm::TargetMachine &machine,
                      llvm::raw_pwrite_stream &stream,
                      llvm::CodeGenFileType kind);

} // namespace blocks
#endif
