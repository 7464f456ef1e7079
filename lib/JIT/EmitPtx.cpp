// See EmitPtx.h. The kernels stand in the nested module `@device` (see
// lib/Conversion/LinalgToGpu). A short pipeline, as for the processor: the code
// generator itself brings what pointers and loops on a GPU need.
#include "lib/JIT/EmitPtx.h"
#include "lib/JIT/CodeGeneration.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Target/LLVMIR/Export.h>
#include <mutex>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace blocks {

namespace {

constexpr const char *kTriple = "nvptx64-nvidia-cuda";
constexpr const char *kDeviceModule = "device";

void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const GpuTarget &target) {
  initializeTarget();
  llvm::Triple triple(kTriple);
  auto found = findTarget(triple);
  if (!found)
    return found.takeError();
  return std::unique_ptr<llvm::TargetMachine>((*found)->createTargetMachine(
      triple, target.architecture, target.features, llvm::TargetOptions(),
      std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Default));
}

llvm::FunctionPassManager createPipeline() {
  llvm::FunctionPassManager passes;
  addSimplification(passes);
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  return passes;
}

mlir::ModuleOp findDeviceModule(mlir::ModuleOp module) {
  for (auto nested : module.getOps<mlir::ModuleOp>())
    if (nested.getSymName() == kDeviceModule)
      return nested;
  return {};
}

std::vector<std::string> getKernels(mlir::ModuleOp device) {
  std::vector<std::string> names;
  for (auto function : device.getOps<mlir::LLVM::LLVMFuncOp>())
    if (function->hasAttr("nvvm.kernel"))
      names.push_back(function.getSymName().str());
  return names;
}

} // namespace

llvm::Expected<DeviceText> emitPtx(mlir::ModuleOp module,
                                   const GpuTarget &target, EmitTimes *times) {
  EmitTimes ignored;
  EmitTimes &measured = times ? *times : ignored;
  Stopwatch watch;
  mlir::ModuleOp device = findDeviceModule(module);
  if (!device)
    return llvm::createStringError("internal error: the compiled module has no "
                                   "part for the GPU");
  DeviceText text;
  text.kernels = getKernels(device);
  llvm::LLVMContext context;
  context.setDiscardValueNames(true);
  std::unique_ptr<llvm::Module> code = mlir::translateModuleToLLVMIR(
      device, context, "blocks", /*disableVerification=*/true);
  device.erase();
  if (!code)
    return llvm::createStringError(
        "internal error: the kernels cannot become LLVM IR");
  auto machine = createMachine(target);
  if (!machine)
    return machine.takeError();
  setTarget(*code, **machine);
  measured.translate = watch.lap();
  runPasses(*code, **machine, createPipeline());
  measured.optimize = watch.lap();
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  if (llvm::Error error = writeCode(*code, **machine, stream,
                                    llvm::CodeGenFileType::AssemblyFile))
    return error;
  measured.generate = watch.lap();
  text.ptx.assign(buffer.begin(), buffer.end());
  return text;
}

} // namespace blocks
