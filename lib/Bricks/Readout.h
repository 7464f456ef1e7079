//===- Readout.h - What generators know of their readout ------------------===//
#ifndef LIB_BRICKS_READOUT_H
#define LIB_BRICKS_READOUT_H

#include "lib/Bricks/BrickConfig.h"

namespace blocks {

/// The names of the setting `source_names`.
llvm::SmallVector<std::string> readoutSources(const BrickConfig &config);

} // namespace blocks

#endif
