// Picks the version for the CPU level: see Images.h.
#include "runtime/Device/Images.h"

namespace blocks {

namespace {
template <typename T>
void run(CpuLevel level, ImageRoutine routine,
         const ImageArguments<T> &arguments) {
  if (level == CpuLevel::V4)
    return imagesV4(routine, arguments);
  if (level == CpuLevel::V3)
    return imagesV3(routine, arguments);
  return imagesV2(routine, arguments);
}
} // namespace

void runImages(CpuLevel level, ImageRoutine routine,
               const ImageArguments<float> &arguments) {
  run(level, routine, arguments);
}
void runImages(CpuLevel level, ImageRoutine routine,
               const ImageArguments<double> &arguments) {
  run(level, routine, arguments);
}

} // namespace blocks
