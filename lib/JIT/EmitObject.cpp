// Machine code from the llvm dialect: LLVM IR, a short pipeline around the loop
// vectorizer, and the x86 code generator. Stands at the compiler's end; the
// object goes to the runtime's loader, or to the cache. For a training and an
// evaluation entry of a three-layer network the pipeline takes half of O2's
// time, and code generation two thirds, for the same speed of a step.
#include "lib/JIT/EmitObject.h"
#include "lib/JIT/CodeGeneration.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>
#include <mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h>
#include <mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h>
#include <mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h>
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
  auto found = findTarget(triple);
  if (!found)
    return found.takeError();
  llvm::TargetOptions options;
  return std::unique_ptr<llvm::TargetMachine>((*found)->createTargetMachine(
      triple, target.processor, target.features, options, llvm::Reloc::PIC_,
      llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default, /*JIT=*/true));
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
  addSimplification(passes);
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
  if (hasLaneMasks(machine))
    for (llvm::Function &function : module)
      if (!function.isDeclaration())
        preferMaskedTails(function);
  runPasses(module, machine, createPipeline());
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
  mlir::registerNVVMDialectTranslation(registry);
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
  if (llvm::Error error = writeCode(*optimized->module, *optimized->machine,
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
               writeCode(*optimized->module, *optimized->machine, stream,
                         llvm::CodeGenFileType::AssemblyFile))
    return error;
  return std::string(text.begin(), text.end());
}

} // namespace blocks
