// Which kernel an image routine is, for one width of vectors. ImagesV2.cpp,
// ImagesV3.cpp and ImagesV4.cpp include this file, each compiled for its CPU
// level; like GemmKernel.h it keeps everything in an unnamed namespace.
#pragma once

#include "runtime/Device/ConvolutionKernel.h"
#include "runtime/Device/PoolKernel.h"

namespace {

template <typename Vec>
void runImages(blocks::ImageRoutine routine,
               const ImageArguments<typename Vec::Element> &arguments) {
  switch (routine) {
  case blocks::ImageRoutine::Convolution:
    return ConvolutionForward<Vec>(arguments).run();
  case blocks::ImageRoutine::ConvolutionInputGrad:
    return ConvolutionInputGrad<Vec>(arguments).run();
  case blocks::ImageRoutine::ConvolutionFilterGrad:
    return ConvolutionFilterGrad<Vec>(arguments).run();
  case blocks::ImageRoutine::Pool:
    return pool<Vec>(arguments);
  case blocks::ImageRoutine::PoolGrad:
    return poolGrad<Vec>(arguments);
  }
}

} // namespace
