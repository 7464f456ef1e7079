// Convolutions and pools over the images of a batch: the three versions of the
// kernels behind one choice. Own code on the tiles of the matrix product, since
// at the sizes of a training step it is faster than a library's primitives, has
// no start-up cost, and an element's bits depend on the shape alone (see
// docs/decisions/0011-own-convolutions.md).
#pragma once

#include "runtime/Device/CpuInfo.h"
#include "runtime/Device/ImageArguments.h"

namespace blocks {

/// Sequential; uses up to 1.2 MB of the caller's stack and allocates nothing.
///
/// Convolution: out[n] = filters b over image a[n].
/// ConvolutionInputGrad: out[n] = the gradient of image n, where a has the
///   gradients of the results and b the filters.
/// ConvolutionFilterGrad: out[r] = the gradient of the filters from the r-th of
///   `rows` equal shares of the batch; a has the images, b the gradients.
/// Pool: out[n] = pool of a[n]. PoolGrad: of a maximum, a has the images and b
///   the gradients; of an average a has the gradients and b is not read.
void runImages(CpuLevel level, ImageRoutine routine,
               const ImageArguments<float> &arguments);
void runImages(CpuLevel level, ImageRoutine routine,
               const ImageArguments<double> &arguments);

} // namespace blocks
