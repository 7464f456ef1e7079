// Convolutions and pools for x86-64-v3: see ImageRoutines.h.
#include "runtime/Device/ImageRoutines.h"
#include "runtime/Device/VectorV3.h"

void blocks::imagesV3(ImageRoutine routine,
                      const ImageArguments<float> &arguments) {
  runImages<Float256>(routine, arguments);
}
void blocks::imagesV3(ImageRoutine routine,
                      const ImageArguments<double> &arguments) {
  runImages<Double256>(routine, arguments);
}
