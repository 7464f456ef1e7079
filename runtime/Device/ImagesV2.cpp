// Convolutions and pools for x86-64-v2: see ImageRoutines.h.
#include "runtime/Device/ImageRoutines.h"
#include "runtime/Device/VectorV2.h"

void blocks::imagesV2(ImageRoutine routine,
                      const ImageArguments<float> &arguments) {
  runImages<Vector128<float>>(routine, arguments);
}
void blocks::imagesV2(ImageRoutine routine,
                      const ImageArguments<double> &arguments) {
  runImages<Vector128<double>>(routine, arguments);
}
