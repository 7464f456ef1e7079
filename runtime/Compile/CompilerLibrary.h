// CompilerLibrary: libBlocksCompiler, opened on demand. Kept open for the life
// of the process: LLVM's globals do not survive being unloaded.
#pragma once

#include "blocks/abi/CompilerABI.h"

#include <cstddef>
#include <string>
#include <vector>

namespace blocks {

struct CompileOutput {
  std::string manifest;
  std::vector<std::byte> object;
  std::string deviceText; ///< PTX of a program for GPUs; else empty.
  std::string text;
};

/// Where the library is: beside the program (build tree and installed tree) or
/// $BLOCKS_COMPILER_LIBRARY. Empty if there is none.
std::string findCompilerLibrary();

/// Opens the library if need be and compiles. Throws what the compiler
/// reported, or UnsupportedError if there is no compiler.
CompileOutput compileWithLibrary(const std::string &requestJson);

} // namespace blocks
