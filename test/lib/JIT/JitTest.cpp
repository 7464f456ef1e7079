// See JitTest.h.
#include "test/lib/JIT/JitTest.h"

#include "lib/Conversion/LinalgToCpu/Passes.h"
#include "lib/Conversion/ToLLVM/Passes.h"
#include "lib/JIT/EmitObject.h"
#include "lib/Pipelines/Pipeline.h"
#include "lib/Pipelines/RegisterPasses.h"

#include <cstdlib>
#include <mlir/Parser/Parser.h>
#include <mlir/Pass/PassManager.h>

namespace blocks {

[[noreturn]] static void giveUp(const std::string &why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

std::vector<std::byte> compileFile(const std::string &path,
                                   const std::string &level) {
  static const bool registered = (registerBlocksPasses(), true);
  (void)registered;
  mlir::DialectRegistry registry;
  registerBlocksDialects(registry);
  registerToLLVMDialects(registry);
  registerEmitObjectDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(path, &context);
  mlir::PassManager passes(&context);
  std::string error;
  if (!module || mlir::failed(populateStages(passes, {}, "fuse", "", error)) ||
      mlir::failed(passes.run(*module)))
    giveUp(path + " does not compile: " + error);
  auto target = findCpuTarget(level);
  if (!target)
    giveUp(llvm::toString(target.takeError()));
  auto object = emitObject(*module, *target);
  if (!object)
    giveUp(llvm::toString(object.takeError()));
  auto *begin = reinterpret_cast<const std::byte *>(object->data());
  return {begin, begin + object->size()};
}

} // namespace blocks
