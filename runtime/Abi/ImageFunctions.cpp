// The routines over images of StepABI.h: thin, the work is in
// runtime/Device/Images.h.
#include "blocks/abi/StepABI.h"

#include "runtime/Abi/StepContext.h"
#include "runtime/Device/Images.h"

using blocks::ImageRoutine;

#define BLOCKS_DEFINE_IMAGES(NAME, ROUTINE, T)                                 \
  BLOCKS_RT_IMAGES(NAME, T) {                                                  \
    blocks::runImages(context->level, ImageRoutine::ROUTINE,                   \
                      blocks::ImageArguments<T>{                               \
                          begin,                                               \
                          end,                                                 \
                          rows,                                                \
                          batch,                                               \
                          a,                                                   \
                          b,                                                   \
                          out,                                                 \
                          {channels, height, width, filters, kernelHeight,     \
                           kernelWidth, outHeight, outWidth, strideHeight,     \
                           strideWidth, padTop, padLeft, option}});            \
  }

BLOCKS_DEFINE_IMAGES(blocks_rt_convolution_f32, Convolution, float)
BLOCKS_DEFINE_IMAGES(blocks_rt_convolution_f64, Convolution, double)
BLOCKS_DEFINE_IMAGES(blocks_rt_convolution_input_grad_f32, ConvolutionInputGrad,
                     float)
BLOCKS_DEFINE_IMAGES(blocks_rt_convolution_input_grad_f64, ConvolutionInputGrad,
                     double)
BLOCKS_DEFINE_IMAGES(blocks_rt_convolution_filter_grad_f32,
                     ConvolutionFilterGrad, float)
BLOCKS_DEFINE_IMAGES(blocks_rt_convolution_filter_grad_f64,
                     ConvolutionFilterGrad, double)
BLOCKS_DEFINE_IMAGES(blocks_rt_pool_f32, Pool, float)
BLOCKS_DEFINE_IMAGES(blocks_rt_pool_f64, Pool, double)
BLOCKS_DEFINE_IMAGES(blocks_rt_pool_grad_f32, PoolGrad, float)
BLOCKS_DEFINE_IMAGES(blocks_rt_pool_grad_f64, PoolGrad, double)
