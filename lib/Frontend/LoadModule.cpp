//===- LoadModule.cpp - A model's text → a verified module ----------------===//
//
// Parsing verifies: bricks, calls (through the brick library) and types are
// right when this returns. A module without a graph is an error here, since
// nothing could be done with it.
//
//===----------------------------------------------------------------------===//
#include "lib/Frontend/LoadModule.h"

#include "dialects/Blocks/Blocks.h"

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <mlir/Parser/Parser.h>

using namespace mlir;

namespace blocks {

/// Parses a buffer, with the source lines in the diagnostics.
static OwningOpRef<ModuleOp> parse(MLIRContext &context,
                                   std::unique_ptr<llvm::MemoryBuffer> buffer,
                                   StringRef name) {
  context.loadDialect<BlocksDialect>();
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  if (module && module->getOps<GraphOp>().empty()) {
    emitError(FileLineColLoc::get(&context, name, 1, 1))
        << "the model has no graph; add blocks.graph @cost(…) with outputs";
    return {};
  }
  return module;
}

OwningOpRef<ModuleOp> loadModule(MLIRContext &context, StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (buffer)
    return parse(context, std::move(*buffer), path);
  emitError(UnknownLoc::get(&context)) << "cannot read the model '" << path
                                       << "': " << buffer.getError().message();
  return {};
}

OwningOpRef<ModuleOp> loadModuleText(MLIRContext &context, StringRef text,
                                     StringRef name) {
  return parse(context, llvm::MemoryBuffer::getMemBufferCopy(text, name), name);
}

} // namespace blocks
