// Buffers for functions that take pointers alone: a view with gaps is copied.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOCPU_CONTIGUOUS_H
#define BLOCKS_LIB_CONVERSION_LINALGTOCPU_CONTIGUOUS_H

#include <mlir/IR/PatternMatch.h>

namespace blocks {

/// `buffer`, or a copy of it, whose elements lie one behind the other in
/// row-major order.
mlir::Value makeContiguous(mlir::RewriterBase &rewriter, mlir::Location loc,
                           mlir::Value buffer);

} // namespace blocks
#endif
