// Convolutions and pools for x86-64-v4: see ImageRoutines.h.
#include "runtime/Device/ImageRoutines.h"
#include "runtime/Device/VectorV4.h"

void blocks::imagesV4(ImageRoutine routine,
                      const ImageArguments<float> &arguments) {
  runImages<Float512>(routine, arguments);
}
void blocks::imagesV4(ImageRoutine routine,
                      const ImageArguments<double> &arguments) {
  runImages<Double512>(routine, arguments);
}
