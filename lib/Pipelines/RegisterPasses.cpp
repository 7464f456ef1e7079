//===- RegisterPasses.cpp - All dialects and passes of the compiler -------===//
//
// Part of every tool that reads or runs passes by name. BLOCKS_HAVE_<PART> is
// defined by CMake for the libraries that are there.
//
//===----------------------------------------------------------------------===//
#include "lib/Pipelines/RegisterPasses.h"

#include "lib/Pipelines/Passes.h"
#include "lib/Pipelines/Pipeline.h"

#include "dialects/Blocks/Blocks.h"

#ifdef BLOCKS_HAVE_BRICKS
#include "lib/Bricks/BrickLibrary.h"
#include "lib/Bricks/Passes.h"
#endif
#ifdef BLOCKS_HAVE_FRONTEND
#include "lib/Frontend/Passes.h"
#endif
#ifdef BLOCKS_HAVE_REGULARIZE
#include "lib/Regularize/Passes.h"
#endif
#ifdef BLOCKS_HAVE_INSPECT
#include "lib/Inspect/Passes.h"
#endif
#ifdef BLOCKS_HAVE_AUTODIFF
#include "lib/Autodiff/Passes.h"
#include "lib/Autodiff/Rules.h"
#endif
#ifdef BLOCKS_HAVE_STEPRULES
#include "lib/StepRules/Passes.h"
#endif
#ifdef BLOCKS_HAVE_BLOCKSTOLINALG
#include "lib/Conversion/BlocksToLinalg/Passes.h"
#endif
#ifdef BLOCKS_HAVE_LINALGTOCPU
#include "lib/Conversion/LinalgToCpu/Passes.h"
#endif
#ifdef BLOCKS_HAVE_LINALGTOGPU
#include "lib/Conversion/LinalgToGpu/Passes.h"
#endif
#ifdef BLOCKS_HAVE_TOLLVM
#include "lib/Conversion/ToLLVM/Passes.h"
#endif

#include <mlir/Dialect/Bufferization/Transforms/Passes.h>
#include <mlir/Dialect/Linalg/Passes.h>
#include <mlir/Dialect/MemRef/Transforms/Passes.h>
#include <mlir/Dialect/SCF/Transforms/Passes.h>
#include <mlir/InitAllDialects.h>
#include <mlir/InitAllExtensions.h>
#include <mlir/Transforms/Passes.h>

namespace blocks {

void registerBlocksDialects(mlir::DialectRegistry &registry) {
  // Upstream dialects are loaded only when something uses them.
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<BlocksDialect>();
#ifdef BLOCKS_HAVE_BRICKS
  registerBrickLibrary(registry);
  registerLinalgToCpuDialects(registry);
#endif
#ifdef BLOCKS_HAVE_LINALGTOGPU
  registerLinalgToGpuDialects(registry);
#endif
#ifdef BLOCKS_HAVE_AUTODIFF
  registerAutodiffRules(registry);
#endif
}

void registerBlocksPasses() {
  registerBlocksPipelinesPasses();
  registerBlocksPipeline();
#ifdef BLOCKS_HAVE_BRICKS
  registerBricksPasses();
#endif
#ifdef BLOCKS_HAVE_FRONTEND
  registerFrontendPasses();
#endif
#ifdef BLOCKS_HAVE_REGULARIZE
  registerRegularizePasses();
#endif
#ifdef BLOCKS_HAVE_INSPECT
  registerInspectPasses();
#endif
#ifdef BLOCKS_HAVE_AUTODIFF
  registerAutodiffPasses();
#endif
#ifdef BLOCKS_HAVE_STEPRULES
  registerStepRulesPasses();
#endif
#ifdef BLOCKS_HAVE_BLOCKSTOLINALG
  registerBlocksToLinalgPasses();
#endif
#ifdef BLOCKS_HAVE_LINALGTOCPU
  registerLinalgToCpuPasses();
#endif
#ifdef BLOCKS_HAVE_LINALGTOGPU
  registerLinalgToGpuPasses();
#endif
#ifdef BLOCKS_HAVE_TOLLVM
  registerToLLVMPasses();
#endif
}

void registerUpstreamPasses() {
  mlir::registerTransformsPasses();
  mlir::registerLinalgPasses();
  mlir::registerSCFPasses();
  mlir::memref::registerMemRefPasses();
  mlir::bufferization::registerBufferizationPasses();
}

} // namespace blocks
