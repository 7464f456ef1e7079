// Convolutions and their gradients as products; see ConvolutionProduct.cpp.
#ifndef BLOCKS_LIB_CONVERSION_LINALGTOGPU_CONVOLUTIONPRODUCT_H
#define BLOCKS_LIB_CONVERSION_LINALGTOGPU_CONVOLUTIONPRODUCT_H

#include "lib/Conversion/LinalgToGpu/DeviceEntry.h"

#include "dialects/Blocks/Blocks.h"

namespace blocks {

/// True for a convolution, or one of its gradients, that is large enough.
bool isConvolutionProduct(ImageCallOp call);

void launchConvolutionProduct(ImageCallOp call, DeviceEntry &entry);

} // namespace blocks
#endif
