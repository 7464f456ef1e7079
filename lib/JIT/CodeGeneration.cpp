// See CodeGeneration.h.
#include "lib/JIT/CodeGeneration.h"

#include <ctime>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

namespace blocks {

double Stopwatch::read() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// The loader binds nothing of libm or libc but memcpy, memmove and memset, and
/// a GPU has no library at all, so LLVM must not invent calls of others.
static llvm::TargetLibraryInfoImpl getLibrary(const llvm::Triple &triple) {
  llvm::TargetLibraryInfoImpl library(triple);
  library.disableAllFunctions();
  if (triple.isX86())
    for (llvm::LibFunc function :
         {llvm::LibFunc_memcpy, llvm::LibFunc_memmove, llvm::LibFunc_memset})
      library.setAvailable(function);
  return library;
}

llvm::Expected<const llvm::Target *> findTarget(const llvm::Triple &triple) {
  std::string message;
  if (auto *found = llvm::TargetRegistry::lookupTarget(triple, message))
    return found;
  return llvm::createStringError("LLVM has no code generator for " +
                                 triple.str() + ": " + message);
}

void addSimplification(llvm::FunctionPassManager &passes) {
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LoopRotatePass());
  loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops),
                                                       /*UseMemorySSA=*/true));
}

void setTarget(llvm::Module &module, llvm::TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  for (llvm::Function &function : module) {
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr("no-trapping-math", "true");
  }
}

void runPasses(llvm::Module &module, llvm::TargetMachine &machine,
               llvm::FunctionPassManager passes) {
  llvm::PassBuilder builder(&machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::TargetLibraryInfoImpl library = getLibrary(machine.getTargetTriple());
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      passes.run(function, functions);
}

llvm::Error writeCode(llvm::Module &module, llvm::TargetMachine &machine,
                      llvm::raw_pwrite_stream &stream,
                      llvm::CodeGenFileType kind) {
  llvm::legacy::PassManager passes;
  passes.add(new llvm::TargetLibraryInfoWrapperPass(
      getLibrary(machine.getTargetTriple())));
  if (machine.addPassesToEmitFile(passes, stream, nullptr, kind,
                                  /*DisableVerify=*/true))
    return llvm::createStringError("LLVM cannot write this kind of file");
  passes.run(module);
  return llvm::Error::success();
}

} // namespace blocks
