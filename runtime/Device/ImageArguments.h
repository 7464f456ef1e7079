// What the routines over batches of images get, and the three versions of
// them: the arguments of blocks_rt_convolution_* and blocks_rt_pool_* (see
// StepABI.h) as one structure. Included by code that is compiled for several
// CPU levels, so it includes nothing but <stdint.h>.
#pragma once

#include <stdint.h>

namespace blocks {

/// One image and what slides over it. Everything is contiguous, rows last.
struct ImageGeometry {
  int64_t channels, height, width;            ///< Of an image.
  int64_t filters, kernelHeight, kernelWidth; ///< Or a pool's window.
  int64_t outHeight, outWidth;
  int64_t strideHeight, strideWidth;
  int64_t padTop, padLeft;
  /// Of a convolution: kernels are flipped. Of a pool: its PoolMode.
  int64_t option;
};

enum PoolMode : int64_t { PoolMax = 0, PoolAverage = 1, PoolAveragePadded = 2 };

/// Rows [begin, end) of `rows`: images, or, for the gradient of the filters,
/// shares of the `batch` images.
template <typename T> struct ImageArguments {
  int64_t begin, end, rows, batch;
  const T *a, *b;
  T *out;
  ImageGeometry geometry;
};

enum class ImageRoutine {
  Convolution,
  ConvolutionInputGrad,
  ConvolutionFilterGrad,
  Pool,
  PoolGrad
};

void imagesV2(ImageRoutine routine, const ImageArguments<float> &arguments);
void imagesV2(ImageRoutine routine, const ImageArguments<double> &arguments);
void imagesV3(ImageRoutine routine, const ImageArguments<float> &arguments);
void imagesV3(ImageRoutine routine, const ImageArguments<double> &arguments);
void imagesV4(ImageRoutine routine, const ImageArguments<float> &arguments);
void imagesV4(ImageRoutine routine, const ImageArguments<double> &arguments);

} // namespace blocks
