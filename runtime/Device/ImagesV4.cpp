// Convolutions and pools for x86-64-v4: see ConvolutionKernel.h, PoolKernel.h.
#include "runtime/Device/ConvolutionKernel.h"
#include "runtime/Device/PoolKernel.h"
#include "runtime/Device/VectorV4.h"

namespace {

template <typename Vec>
void run(blocks::ImageRoutine routine,
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

void blocks::imagesV4(ImageRoutine routine,
                      const ImageArguments<float> &arguments) {
  run<Float512>(routine, arguments);
}
void blocks::imagesV4(ImageRoutine routine,
                      const ImageArguments<double> &arguments) {
  run<Double512>(routine, arguments);
}
