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

/// Deeper than any model, and far from what the parser's stack holds.
static constexpr unsigned maxNesting = 512;

/// The line where brackets nest too deeply, or 0. Strings and comments do not
/// count.
static unsigned findTooDeep(StringRef text) {
  unsigned depth = 0, line = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"')
      while (++i < text.size() && text[i] != '"' && text[i] != '\n')
        i += text[i] == '\\';
    else if (text.substr(i).starts_with("//"))
      i = std::min(text.find('\n', i), text.size()) - 1;
    else if (c == '\n')
      ++line;
    else if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if (depth && (c == ')' || c == ']' || c == '}'))
      --depth;
    if (depth > maxNesting)
      return line;
  }
  return 0;
}

/// Parses a buffer, with the source lines in the diagnostics.
static OwningOpRef<ModuleOp> parse(MLIRContext &context,
                                   std::unique_ptr<llvm::MemoryBuffer> buffer,
                                   StringRef name) {
  context.loadDialect<BlocksDialect>();
  if (unsigned line = findTooDeep(buffer->getBuffer())) {
    emitError(FileLineColLoc::get(&context, name, line, 1))
        << "brackets are nested more than " << maxNesting
        << " deep; write the inner bricks as bricks of their own and refer to "
           "them by @name";
    return {};
  }
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
