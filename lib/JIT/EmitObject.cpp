// Machine code from the llvm dialect: LLVM IR, a short pipeline around the loop
// vectorizer, and the x86 code generator. Stands at the compiler's end; the
// object goes to the runtime's loader, or to the cache. For a training and an
// evaluation entry of a three-layer network the pipeline takes half of O2's
// time, and code generation two thirds, for the same speed of a step.
#include "lib/JIT/EmitObject.h"

#include <ctime>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>
#include <mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h>
#include <mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h>
#include <mlir/Target/LLVMIR/Export.h>
#include <mutex>

extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
}

namespace blocks {

namespace {

constexpr const char *kTriple = "x86_64-unknown-linux-gnu";

/// Processor time, not wall time: other processes must not blur a profile.
class Stopwatch {
public:
  double lap() {
    double now = read(), seconds = now - last;
    last = now;
    return seconds;
  }

private:
  static double read() { return double(std::clock()) / CLOCKS_PER_SEC; }

  double last = read();
};

/// Only x86: initializing every target costs milliseconds.
void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  });
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const CpuTarget &target) {
  initializeTarget();
  llvm::Triple triple(kTriple);
  std::string message;
  const llvm::Target *found =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!found)
    return llvm::createStringError("LLVM has no x86-64 code generator: " +
                                   message);
  llvm::TargetOptions options;
  return std::unique_ptr<llvm::TargetMachine>(found->createTargetMachine(
      triple, target.processor, target.features, options, llvm::Reloc::PIC_,
      llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default, /*JIT=*/true));
}

/// The loader binds nothing of libm or libc but memcpy, memmove and memset, so
/// LLVM must not invent calls of others.
llvm::TargetLibraryInfoImpl getLibrary(const llvm::Triple &triple) {
  llvm::TargetLibraryInfoImpl library(triple);
  library.disableAllFunctions();
  for (llvm::LibFunc function :
       {llvm::LibFunc_memcpy, llvm::LibFunc_memmove, llvm::LibFunc_memset})
    library.setAvailable(function);
  return library;
}

/// A lane mask instead of a remainder loop: the body is compiled once, not
/// three times, and short rows (ten classes) run in the vector unit, too.
void preferMaskedTails(llvm::Function &function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  llvm::LLVMContext &context = function.getContext();
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost())
      continue;
    llvm::Metadata *hint[] = {
        llvm::MDString::get(context, "llvm.loop.vectorize.predicate.enable"),
        llvm::ConstantAsMetadata::get(llvm::ConstantInt::getTrue(context))};
    llvm::Metadata *operands[] = {nullptr, llvm::MDNode::get(context, hint)};
    llvm::MDNode *id = llvm::MDNode::getDistinct(context, operands);
    id->replaceOperandWith(0, id);
    loop->setLoopID(id);
  }
}

/// What kernels need, in place of O2: they hold no memory of their own, no
/// calls worth inlining and no loops worth unrolling, and the loop vectorizer
/// is the one pass that matters.
llvm::FunctionPassManager createPipeline() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LoopRotatePass());
  loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops),
                                                       /*UseMemorySSA=*/true));
  passes.addPass(llvm::LoopVectorizePass(
      llvm::LoopVectorizeOptions(/*InterleaveOnlyWhenForced=*/true,
                                 /*VectorizeOnlyWhenForced=*/false)));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  llvm::LoopPassManager invariants;
  invariants.addPass(llvm::LICMPass(llvm::LICMOptions()));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(invariants),
                                                       /*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  return passes;
}

/// The width of AVX-512 brings masks for every kind of element.
bool hasLaneMasks(llvm::TargetMachine &machine) {
  return machine.getTargetFeatureString().contains("+avx512vl") ||
         machine.getTargetCPU() == "x86-64-v4";
}

void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
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
  llvm::FunctionPassManager pipeline = createPipeline();
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (hasLaneMasks(machine))
      preferMaskedTails(function);
    pipeline.run(function, functions);
  }
}

llvm::Error generate(llvm::Module &module, llvm::TargetMachine &machine,
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

/// Tells every function what it is compiled for: the vectorizer asks there.
void setTarget(llvm::Module &module, llvm::TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  for (llvm::Function &function : module) {
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr("no-trapping-math", "true");
  }
}

/// a·b + c in two roundings, where the processor has no fused instruction: LLVM
/// would call libm for it.
void splitFusedOperations(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call || call->getIntrinsicID() != llvm::Intrinsic::fma)
        continue;
      llvm::IRBuilder<> builder(call);
      llvm::Value *product =
          builder.CreateFMul(call->getArgOperand(0), call->getArgOperand(1));
      call->replaceAllUsesWith(
          builder.CreateFAdd(product, call->getArgOperand(2)));
      call->eraseFromParent();
    }
}

struct Optimized {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::TargetMachine> machine;
};

llvm::Expected<Optimized> translateAndOptimize(mlir::ModuleOp module,
                                               const CpuTarget &target,
                                               EmitTimes &times) {
  Stopwatch watch;
  Optimized result;
  result.context = std::make_unique<llvm::LLVMContext>();
  // The reader of errors knows no value by name; not keeping names saves time.
  result.context->setDiscardValueNames(true);
  result.module = mlir::translateModuleToLLVMIR(
      module, *result.context, "blocks", /*disableVerification=*/true);
  if (!result.module)
    return llvm::createStringError(
        "internal error: the compiled module cannot become LLVM IR");
  auto machine = createMachine(target);
  if (!machine)
    return machine.takeError();
  result.machine = std::move(*machine);
  setTarget(*result.module, *result.machine);
  if (!target.hasFma)
    splitFusedOperations(*result.module);
  times.translate = watch.lap();
  optimize(*result.module, *result.machine);
  times.optimize = watch.lap();
  return result;
}

} // namespace

void registerEmitObjectDialects(mlir::DialectRegistry &registry) {
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
}

llvm::Expected<llvm::SmallVector<char, 0>>
emitObject(mlir::ModuleOp module, const CpuTarget &target, EmitTimes *times) {
  EmitTimes ignored;
  EmitTimes &measured = times ? *times : ignored;
  auto optimized = translateAndOptimize(module, target, measured);
  if (!optimized)
    return optimized.takeError();
  Stopwatch watch;
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  if (llvm::Error error = generate(*optimized->module, *optimized->machine,
                                   stream, llvm::CodeGenFileType::ObjectFile))
    return error;
  measured.generate = watch.lap();
  return object;
}

llvm::Expected<std::string> emitText(mlir::ModuleOp module,
                                     const CpuTarget &target, bool assembly) {
  EmitTimes times;
  auto optimized = translateAndOptimize(module, target, times);
  if (!optimized)
    return optimized.takeError();
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  if (!assembly)
    optimized->module->print(stream, nullptr);
  else if (llvm::Error error =
               generate(*optimized->module, *optimized->machine, stream,
                        llvm::CodeGenFileType::AssemblyFile))
    return error;
  return std::string(text.begin(), text.end());
}

} // namespace blocks
