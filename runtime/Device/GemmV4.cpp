// The matrix product for x86-64-v4: 512-bit vectors, 32 registers, masks. See
// GemmKernel.h.
#include "runtime/Device/GemmKernel.h"
#include "runtime/Device/VectorV4.h"

void blocks::gemmV4(const GemmArguments<float> &arguments) {
  multiply<Float512>(arguments);
}
void blocks::gemmV4(const GemmArguments<double> &arguments) {
  multiply<Double512>(arguments);
}
void blocks::packV4(const PackArguments<float> &arguments) {
  packWhole<Float512>(arguments);
}
void blocks::packV4(const PackArguments<double> &arguments) {
  packWhole<Double512>(arguments);
}
