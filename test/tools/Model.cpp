//===- Model.cpp - Reads a test's module and runs passes on it ------------===//
#include "test/tools/Model.h"

#include "blocks/Error.h"
#include "dialects/Blocks/Blocks.h"
#include "lib/Pipelines/RegisterPasses.h"

#include <llvm/Support/InitLLVM.h>
#include <llvm/Support/SourceMgr.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Parser/Parser.h>
#include <mlir/Pass/PassManager.h>
#include <mlir/Pass/PassRegistry.h>
#include <mlir/Support/FileUtilities.h>

using namespace mlir;

namespace blocks::testing {

std::pair<std::string, std::string> splitPair(const std::string &text) {
  size_t equals = text.find('=');
  if (equals == std::string::npos)
    throw UsageError("'" + text + "' is not of the form NAME=VALUE");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

Extents ModelOptions::extents() const {
  Extents result;
  for (const std::string &option : shape) {
    auto [axis, extent] = splitPair(option);
    if (StringRef(extent).getAsInteger(10, result[axis]))
      throw UsageError("--shape " + option + " is not of the form AXIS=N");
  }
  return result;
}

int runTool(int argc, char **argv, const char *overview,
            const ModelOptions &options,
            llvm::function_ref<int(ModuleOp)> action) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::ParseCommandLineOptions(argc, argv, overview);
  try {
    auto context = makeContext();
    auto modules = readModules(*context, options.file);
    int status = modules.empty() ? 1 : 0;
    for (auto &module : modules)
      status |= action(*module);
    return status;
  } catch (const Error &error) {
    llvm::errs() << "error: " << error.what() << "\n";
    return error.exitStatus();
  }
}

std::unique_ptr<MLIRContext> makeContext() {
  DialectRegistry registry;
  registerBlocksDialects(registry);
  registerBlocksPasses();
  registerUpstreamPasses();
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->allowUnregisteredDialects();
  context->loadAllAvailableDialects();
  return context;
}

std::vector<OwningOpRef<ModuleOp>> readModules(MLIRContext &context,
                                               const std::string &path) {
  std::string error;
  auto buffer = openInputFile(path, &error);
  if (!buffer) {
    llvm::errs() << error << "\n";
    return {};
  }
  SmallVector<StringRef> parts;
  StringRef text = buffer->getBuffer();
  text.split(parts, "// -----");
  std::vector<OwningOpRef<ModuleOp>> modules;
  for (StringRef part : parts) {
    llvm::SourceMgr sources;
    SourceMgrDiagnosticHandler printer(sources, &context);
    // Blank lines keep the line numbers of the file.
    size_t lines =
        text.take_front(size_t(part.data() - text.data())).count('\n');
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(
                                   std::string(lines, '\n') + part.str(), path),
                               llvm::SMLoc());
    auto module = parseSourceFile<ModuleOp>(sources, &context);
    if (!module)
      return {};
    modules.push_back(std::move(module));
  }
  return modules;
}

LogicalResult runPasses(ModuleOp module, const std::string &pipeline) {
  if (pipeline.empty())
    return success();
  PassManager passes(module.getContext());
  if (failed(parsePassPipeline(pipeline, passes)))
    return failure();
  return passes.run(module);
}

std::vector<FunctionOpInterface> entriesOf(ModuleOp module) {
  std::vector<FunctionOpInterface> entries;
  for (Operation &op : *module.getBody())
    if (isa<GraphOp, func::FuncOp>(op))
      entries.push_back(cast<FunctionOpInterface>(op));
  return entries;
}

FailureOr<FunctionOpInterface> findEntry(ModuleOp module,
                                         const std::string &name) {
  for (FunctionOpInterface entry : entriesOf(module))
    if (entry.getName() == name)
      return entry;
  return module.emitError() << "there is no graph or function @" << name;
}

} // namespace blocks::testing
