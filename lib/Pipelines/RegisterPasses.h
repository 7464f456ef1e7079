//===- RegisterPasses.h - All dialects and passes of the compiler ---------===//
//
// One place that knows every part of lib/. A new library with passes adds its
// header and its line in RegisterPasses.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_PIPELINES_REGISTERPASSES_H
#define LIB_PIPELINES_REGISTERPASSES_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace blocks {

/// The blocks dialect with the brick library, and the upstream dialects that
/// the stages produce, with their external models.
void registerBlocksDialects(mlir::DialectRegistry &registry);

/// The passes of all folders of lib/. Call once in a process.
void registerBlocksPasses();

/// The upstream passes that are handy in blocks-opt: canonicalize, cse and
/// those of linalg, scf, memref and bufferization.
void registerUpstreamPasses();

} // namespace blocks

#endif
