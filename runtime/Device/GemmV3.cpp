// The matrix product for x86-64-v3: 256-bit vectors and fused multiply-add in
// 16 registers. See GemmKernel.h. With the same depths as GemmV4.cpp its bits
// are the same, too.
#include "runtime/Device/GemmKernel.h"
#include "runtime/Device/VectorV3.h"

void blocks::gemmV3(const GemmArguments<float> &arguments) {
  multiply<Float256>(arguments);
}
void blocks::gemmV3(const GemmArguments<double> &arguments) {
  multiply<Double256>(arguments);
}
void blocks::packV3(const PackArguments<float> &arguments) {
  packWhole<Float256>(arguments);
}
void blocks::packV3(const PackArguments<double> &arguments) {
  packWhole<Double256>(arguments);
}
