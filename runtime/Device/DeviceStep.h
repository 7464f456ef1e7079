// DeviceStep: what a device other than the processor does for the functions of
// StepABI.h. An entry compiled for it runs on the host and hands out work in
// order; all pointers are the device's. Errors are exceptions here; the
// functions of StepABI.h carry them past the compiled code.
#pragma once

#include "runtime/Device/GemmArguments.h"

#include <cstdint>

namespace blocks {

/// One launch of a kernel: see blocks_rt_launch.
struct KernelLaunch {
  int64_t kernel = 0, gridX = 1, gridY = 1, blockX = 1, blockY = 1;
  int64_t sharedBytes = 0;
  void **parameters = nullptr;
};

/// A number of equal products: elements from one's matrices to the next's.
struct GemmStack {
  int64_t strideA = 0, strideB = 0, strideC = 0, count = 1;
};

/// What is done to a product before it is written: `bias`, n numbers or null,
/// is added to each row; then numbers below 0 become 0 (NaN stays).
struct GemmEpilogue {
  const float *bias = nullptr;
  bool rectifies = false;
};

/// A product whose operands are bf16 and whose result and sums are f32; else as
/// GemmArguments.
struct RoundedGemm {
  bool transposeA, transposeB;
  int64_t m, n, k;
  float alpha;
  const uint16_t *a;
  int64_t lda;
  const uint16_t *b;
  int64_t ldb;
  float beta;
  float *c;
  int64_t ldc;
};

class DeviceStep {
public:
  virtual ~DeviceStep() = default;
  /// Scratch memory for the running entry.
  virtual void *arena(int64_t bytes) = 0;
  /// The record that kernels report to.
  virtual void *status() = 0;
  virtual void launch(const KernelLaunch &launch) = 0;
  virtual void gemm(const GemmArguments<float> &arguments,
                    const GemmStack &stack) = 0;
  virtual void gemm(const GemmArguments<double> &arguments,
                    const GemmStack &stack) = 0;
  virtual void gemm(const RoundedGemm &arguments, const GemmStack &stack) = 0;
  virtual void gemm(const GemmArguments<float> &arguments,
                    const GemmEpilogue &epilogue) = 0;
  virtual void gemm(const RoundedGemm &arguments,
                    const GemmEpilogue &epilogue) = 0;
};

} // namespace blocks
