//===- KernelSources.cpp - The CUDA C++ text of the user's kernels --------===//
#include "lib/Frontend/KernelSources.h"

#include "dialects/Blocks/Blocks.h"

using namespace mlir;

namespace blocks {

namespace {

/// Reads the model's text from a kernel on, as far as it must be understood to
/// find the strings of `cuda = [ … ]`.
class LineFinder {
public:
  LineFinder(StringRef text, unsigned startLine) : text(text) {
    while (line < startLine && at < text.size())
      advance();
  }

  /// The lines on which the strings of the array begin.
  SmallVector<int64_t> find() {
    SmallVector<int64_t> lines;
    if (!findArray())
      return lines;
    while (at < text.size() && text[at] != ']') {
      if (text[at] == '"')
        lines.push_back(line);
      skipToken();
    }
    return lines;
  }

private:
  void advance() { line += text[at++] == '\n'; }

  /// A string, a comment, or one character.
  void skipToken() {
    if (text[at] == '"') {
      for (advance(); at < text.size() && text[at] != '"'; advance())
        if (text[at] == '\\' && at + 1 < text.size())
          advance();
      if (at < text.size())
        advance();
    } else if (text.substr(at).starts_with("//")) {
      while (at < text.size() && text[at] != '\n')
        advance();
    } else {
      advance();
    }
  }

  /// Stops behind the bracket of `cuda = [`.
  bool findArray() {
    while (at < text.size()) {
      StringRef rest = text.substr(at);
      if (rest.consume_front("cuda") && rest.ltrim().consume_front("=")) {
        while (at < text.size() && text[at] != '[')
          advance();
        return at < text.size();
      }
      skipToken();
    }
    return false;
  }

  StringRef text;
  size_t at = 0;
  unsigned line = 1;
};

SmallVector<int64_t> linesOf(KernelOp kernel, StringRef text) {
  auto place = kernel.getLoc()->findInstanceOf<FileLineColLoc>();
  if (!place)
    return {};
  SmallVector<int64_t> lines = LineFinder(text, place.getLine()).find();
  if (lines.size() != kernel.getCudaAttr().size())
    lines.clear(); // An alias stands for the array.
  return lines;
}

ArrayAttr splitLines(StringRef text, MLIRContext *context) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  return Builder(context).getStrArrayAttr(lines);
}

} // namespace

void placeKernelSources(ModuleOp module, StringRef modelText,
                        const SourceFiles &files) {
  for (KernelOp kernel : module.getOps<KernelOp>()) {
    if (kernel.getCudaFile()) {
      for (const auto &[name, text] : files)
        if (name == *kernel.getCudaFile())
          kernel.setCudaAttr(splitLines(text, module.getContext()));
    } else if (kernel.getCuda()) {
      if (SmallVector<int64_t> lines = linesOf(kernel, modelText);
          !lines.empty())
        kernel.setCudaLines(lines);
    }
  }
}

} // namespace blocks
