//===- Labels.h - Targets as bricks take them -----------------------------===//
#ifndef LIB_BRICKS_LABELS_H
#define LIB_BRICKS_LABELS_H

#include "lib/Bricks/ApplicationBuilder.h"

namespace blocks {

/// Argument `y` as labels for the rows of argument `x`: integers of shape
/// (batch) or (batch, 1) become one a row, a distribution stays as it is. Null
/// after an error that says what was expected.
mlir::Value labelsForRows(ApplicationBuilder &builder, unsigned y, unsigned x,
                          bool distributions);

} // namespace blocks

#endif
