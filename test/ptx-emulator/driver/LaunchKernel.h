// A kernel with its configuration, as work for a stream or a graph.
#pragma once

#include "Emulator.h"

namespace ptxemu {

struct KernelShape {
  CUfunction function;
  uint32_t grid[3], block[3];
  uint32_t dynamicShared;
};

/// Copies the parameters. Throws DriverError on a bad configuration.
WorkPtr kernelWork(const KernelShape &shape, void **params, void **extra);

} // namespace ptxemu
