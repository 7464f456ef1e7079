//===- Pipeline.h - The stages of the compiler, in order ------------------===//
//
// One table of stages, each with a name for --stop-after and the passes it
// runs. blocks-opt, blocks-run and the C++ API all take them from here. What a
// stage hands to the next is described in docs/architecture.md.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_PIPELINES_PIPELINE_H
#define LIB_PIPELINES_PIPELINE_H

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <mlir/Pass/PassManager.h>

#include <string>
#include <vector>

namespace blocks {

struct PipelineOptions {
  /// Which entries to derive from the graph whose output is `cost`.
  bool train = false, eval = false;
  std::string cost = "cost";
  /// Graphs to keep beside them, each with its outputs (empty: all).
  std::vector<std::pair<std::string, std::vector<std::string>>> graphs;
  /// Outputs of train and eval to keep; empty: all.
  std::vector<std::string> outputs;
  std::string stepRule = "scale(learning_rate=0.1)";
  std::vector<std::string> regularizers;
  /// What the program runs on: "cpu" or "cuda".
  std::string device = "cpu";
  /// What f32 products round their operands to: "bf16", or "f32" (nothing).
  std::string precision = "f32";
  /// On a GPU the user's kernels run their CUDA C++ source, not their bodies.
  bool kernelSources = true;
};

/// Adds a stage's passes; fails with `error` set if an option is wrong.
using PopulateStage = mlir::LogicalResult (*)(mlir::OpPassManager &,
                                              const PipelineOptions &,
                                              std::string &error);

struct Stage {
  llvm::StringRef name;
  PopulateStage populate;
};

/// All stages in order, "expand-bricks" … "llvm".
llvm::ArrayRef<Stage> stages();

/// Adds the stages after `from` (empty: from the start) up to and including
/// `to` (empty: to the end). An unknown name fails with `error` listing them.
mlir::LogicalResult populateStages(mlir::OpPassManager &passes,
                                   const PipelineOptions &options,
                                   llvm::StringRef from, llvm::StringRef to,
                                   std::string &error);

/// Registers the pipeline `--blocks-compile="stop-after=… step-rule=…"`.
void registerBlocksPipeline();

} // namespace blocks

#endif
