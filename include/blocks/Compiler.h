// Compiler: from a model's text to a Program. `compileOrLoad` looks in the
// object cache first; only when that misses is the compiler itself
// (libBlocksCompiler, with MLIR and LLVM behind it) opened, so a program that
// runs cached models starts in milliseconds.
#pragma once

#include "blocks/CompiledProgram.h"
#include "blocks/Program.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace blocks {

/// What to compile. Everything here but `modelName` is part of the cache key;
/// seeds, batch sizes, threads and the values of hyperparameters are not.
struct CompileRequest {
  std::string modelText; ///< The model, as MLIR text.
  std::string modelName; ///< Its file name, for error messages.
  /// Derives the entries "train" and "eval" from the graph with output `cost`.
  bool training = false;
  /// Derives only "eval" from that graph.
  bool evaluation = false;
  std::string cost = "cost";
  /// Other graphs to compile, each with the outputs wanted (empty: all).
  std::vector<std::pair<std::string, std::vector<std::string>>> graphs;
  /// Monitored outputs of train and eval; empty: all scalar ones.
  std::vector<std::string> outputs;
  std::string stepRule = "scale(learning_rate=0.1)";
  std::vector<std::string> regularizers; ///< In the order of application.
  std::string cpuLevel =
      "native";               ///< Or "x86-64-v2", "x86-64-v3", "x86-64-v4".
  std::string device = "cpu"; ///< Or "cuda".
  /// Of "cuda": the architecture, "sm_90". Empty: that of the GPU at hand.
  std::string cudaArch;
  /// "bf16": f32 products round their operands to bf16, and add in f32.
  std::string precision = "f32";
  /// Files that the model names (`cuda_file`), as {name, text}; compileOrLoad
  /// reads them from the model's folder.
  std::vector<std::pair<std::string, std::string>> files;
  /// Why the bodies of the user's kernels take the place of their CUDA C++ on a
  /// GPU; empty: they do not. compileOrLoad sets it where there is no NVRTC.
  std::string kernelBodiesBecause;
  /// Compares the annotations before and after each pass.
  bool verifyAnnotations = false;
};

struct LoadOptions : ProgramOptions {
  std::string cacheDirectory; ///< Empty: $BLOCKS_CACHE_DIR or the XDG one.
  bool cache = true;          ///< False: neither read nor fill the cache.
};

struct CompiledModel {
  std::unique_ptr<Program> program;
  double seconds = 0; ///< From the request to the callable program.
  bool cached = false;
};

/// Compiles the model, or loads it from the cache. Throws InputError with the
/// compiler's diagnostics, UsageError for an unknown step rule or option.
CompiledModel compileOrLoad(const CompileRequest &request,
                            const LoadOptions &options = {});

/// The model's IR after the stage named `stage` ("expand-bricks", …,
/// "llvm"); an unknown name is a UsageError that lists them.
std::string compileUntil(const CompileRequest &request,
                         const std::string &stage);

/// The key of the object cache: 64 hexadecimal digits.
std::string cacheKey(const CompileRequest &request);

} // namespace blocks
