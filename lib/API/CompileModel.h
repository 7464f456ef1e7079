//===- CompileModel.h - From a model's text to manifest and object --------===//
//
// The whole compiler as one call: load, run the stages (lib/Pipelines), read
// the manifest off the module while its bricks are still there, emit machine
// code (lib/JIT).
//
//===----------------------------------------------------------------------===//
#ifndef LIB_API_COMPILEMODEL_H
#define LIB_API_COMPILEMODEL_H

#include "blocks/Compiler.h"

#include <string>

namespace blocks {

struct CompileArtifact {
  std::string manifest;
  std::string object;
  std::string deviceText; ///< PTX of the kernels, of a program for a GPU.
  std::string text; ///< The IR after the stage to stop at.
};

/// Throws InputError or UsageError with the diagnostics. `stopAfter` names a
/// stage, or is empty for a whole compile. `verifyEach` checks the form of the
/// program after each pass (for tests: it takes time).
CompileArtifact compileModel(const CompileRequest &request,
                             const std::string &stopAfter,
                             bool verifyEach = false);

} // namespace blocks

#endif
