// The matrix product for any x86-64: 128-bit vectors, and a multiplication and
// an addition instead of one fused step (so the last bits differ from the other
// levels'). See GemmKernel.h.
#include "runtime/Device/GemmKernel.h"
#include "runtime/Device/VectorV2.h"

void blocks::gemmV2(const GemmArguments<float> &arguments) {
  multiply<Vector128<float>>(arguments);
}
void blocks::gemmV2(const GemmArguments<double> &arguments) {
  multiply<Vector128<double>>(arguments);
}
void blocks::packV2(const PackArguments<float> &arguments) {
  packWhole<Vector128<float>>(arguments);
}
void blocks::packV2(const PackArguments<double> &arguments) {
  packWhole<Vector128<double>>(arguments);
}
