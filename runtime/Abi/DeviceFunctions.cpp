// The functions of StepABI.h for programs on a GPU: they hand everything to the
// context's DeviceStep, and carry its errors past the compiled code, which has
// no unwind tables.
#include "blocks/abi/StepABI.h"

#include "blocks/Error.h"
#include "runtime/Abi/StepContext.h"
#include "runtime/Abi/SymbolTable.h"

#include <cstring>

using blocks::DeviceStep;
using blocks::GemmArguments;

/// Calls `work` with the device; an error is kept and ends the entry.
template <typename Work>
static bool callDevice(BlocksStepContext *context, Work work) {
  try {
    if (!context->device)
      throw blocks::UnsupportedError(
          "the compiled program wants a GPU, but it was loaded for the "
          "processor; compile the model again");
    work(*context->device);
    return true;
  } catch (...) {
    context->failure = std::current_exception();
    return false;
  }
}

/// The same, for the functions themselves: nothing that must be destroyed lives
/// in a frame that `leave` jumps over.
template <typename Work>
static void onDevice(BlocksStepContext *context, Work work) {
  if (!callDevice(context, work))
    context->leave();
}

/// blocks_rt_arena of a program on a device.
static void *deviceArena(BlocksStepContext *context, int64_t bytes) {
  void *memory = nullptr;
  onDevice(context, [&](DeviceStep &step) { memory = step.arena(bytes); });
  return memory;
}

void *blocks_rt_status(BlocksStepContext *context) {
  void *record = nullptr;
  onDevice(context, [&](DeviceStep &step) { record = step.status(); });
  return record;
}

void blocks_rt_launch(BlocksStepContext *context, int64_t kernel, int64_t gridX,
                      int64_t gridY, int64_t blockX, int64_t blockY,
                      int64_t sharedBytes, void **parameters) {
  onDevice(context, [&](DeviceStep &step) {
    step.launch(
        {kernel, gridX, gridY, blockX, blockY, sharedBytes, parameters});
  });
}

#define BLOCKS_DEFINE_DEVICE_GEMM(NAME, STACK_NAME, T)                         \
  void NAME(BlocksStepContext *context, int64_t transposeA,                    \
            int64_t transposeB, int64_t m, int64_t n, int64_t k, T alpha,      \
            const T *a, int64_t lda, const T *b, int64_t ldb, T beta, T *c,    \
            int64_t ldc) {                                                     \
    onDevice(context, [&](DeviceStep &step) {                                  \
      step.gemm(GemmArguments<T>{transposeA != 0, transposeB != 0, m, n, k,    \
                                 alpha, a, lda, b, ldb, beta, c, ldc},         \
                blocks::GemmStack{});                                          \
    });                                                                        \
  }                                                                            \
  void STACK_NAME(BlocksStepContext *context, int64_t transposeA,              \
                  int64_t transposeB, int64_t m, int64_t n, int64_t k,         \
                  T alpha, const T *a, int64_t lda, const T *b, int64_t ldb,   \
                  T beta, T *c, int64_t ldc, int64_t strideA, int64_t strideB, \
                  int64_t strideC, int64_t count) {                            \
    onDevice(context, [&](DeviceStep &step) {                                  \
      step.gemm(GemmArguments<T>{transposeA != 0, transposeB != 0, m, n, k,    \
                                 alpha, a, lda, b, ldb, beta, c, ldc},         \
                blocks::GemmStack{strideA, strideB, strideC, count});          \
    });                                                                        \
  }

BLOCKS_DEFINE_DEVICE_GEMM(blocks_rt_device_gemm_f32,
                          blocks_rt_device_gemm_stack_f32, float)
BLOCKS_DEFINE_DEVICE_GEMM(blocks_rt_device_gemm_f64,
                          blocks_rt_device_gemm_stack_f64, double)

static void gemmRounded(BlocksStepContext *context,
                        const blocks::RoundedGemm &product,
                        const blocks::GemmStack &stack) {
  onDevice(context, [&](DeviceStep &step) { step.gemm(product, stack); });
}

void blocks_rt_device_gemm_bf16(BlocksStepContext *context, int64_t transposeA,
                                int64_t transposeB, int64_t m, int64_t n,
                                int64_t k, float alpha, const uint16_t *a,
                                int64_t lda, const uint16_t *b, int64_t ldb,
                                float beta, float *c, int64_t ldc) {
  gemmRounded(context,
              {transposeA != 0, transposeB != 0, m, n, k, alpha, a, lda, b, ldb,
               beta, c, ldc},
              {});
}

void blocks_rt_device_gemm_stack_bf16(
    BlocksStepContext *context, int64_t transposeA, int64_t transposeB,
    int64_t m, int64_t n, int64_t k, float alpha, const uint16_t *a,
    int64_t lda, const uint16_t *b, int64_t ldb, float beta, float *c,
    int64_t ldc, int64_t strideA, int64_t strideB, int64_t strideC,
    int64_t count) {
  gemmRounded(context,
              {transposeA != 0, transposeB != 0, m, n, k, alpha, a, lda, b, ldb,
               beta, c, ldc},
              {strideA, strideB, strideC, count});
}

void blocks_rt_device_gemm_epilogue_f32(
    BlocksStepContext *context, int64_t transposeA, int64_t transposeB,
    int64_t m, int64_t n, int64_t k, float alpha, const float *a, int64_t lda,
    const float *b, int64_t ldb, float beta, float *c, int64_t ldc,
    const float *bias, int64_t rectifies) {
  onDevice(context, [&](DeviceStep &step) {
    step.gemm(GemmArguments<float>{transposeA != 0, transposeB != 0, m, n, k,
                                   alpha, a, lda, b, ldb, beta, c, ldc},
              blocks::GemmEpilogue{bias, rectifies != 0});
  });
}

void blocks_rt_device_gemm_epilogue_bf16(
    BlocksStepContext *context, int64_t transposeA, int64_t transposeB,
    int64_t m, int64_t n, int64_t k, float alpha, const uint16_t *a,
    int64_t lda, const uint16_t *b, int64_t ldb, float beta, float *c,
    int64_t ldc, const float *bias, int64_t rectifies) {
  onDevice(context, [&](DeviceStep &step) {
    step.gemm(blocks::RoundedGemm{transposeA != 0, transposeB != 0, m, n, k,
                                  alpha, a, lda, b, ldb, beta, c, ldc},
              blocks::GemmEpilogue{bias, rectifies != 0});
  });
}

namespace blocks {

std::span<const RuntimeSymbol> deviceSymbols() {
  static const RuntimeSymbol table[] = {
      {"blocks_rt_arena", reinterpret_cast<void *>(&deviceArena)},
      {"blocks_rt_device_gemm_bf16",
       reinterpret_cast<void *>(&blocks_rt_device_gemm_bf16)},
      {"blocks_rt_device_gemm_epilogue_bf16",
       reinterpret_cast<void *>(&blocks_rt_device_gemm_epilogue_bf16)},
      {"blocks_rt_device_gemm_epilogue_f32",
       reinterpret_cast<void *>(&blocks_rt_device_gemm_epilogue_f32)},
      {"blocks_rt_device_gemm_f32",
       reinterpret_cast<void *>(&blocks_rt_device_gemm_f32)},
      {"blocks_rt_device_gemm_f64",
       reinterpret_cast<void *>(&blocks_rt_device_gemm_f64)},
      {"blocks_rt_device_gemm_stack_bf16",
       reinterpret_cast<void *>(&blocks_rt_device_gemm_stack_bf16)},
      {"blocks_rt_device_gemm_stack_f32",
       reinterpret_cast<void *>(&blocks_rt_device_gemm_stack_f32)},
      {"blocks_rt_device_gemm_stack_f64",
       reinterpret_cast<void *>(&blocks_rt_device_gemm_stack_f64)},
      {"blocks_rt_gemm_grid_columns",
       reinterpret_cast<void *>(&blocks_rt_gemm_grid_columns)},
      {"blocks_rt_gemm_grid_rows",
       reinterpret_cast<void *>(&blocks_rt_gemm_grid_rows)},
      {"blocks_rt_gemm_rows", reinterpret_cast<void *>(&blocks_rt_gemm_rows)},
      {"blocks_rt_launch", reinterpret_cast<void *>(&blocks_rt_launch)},
      {"blocks_rt_status", reinterpret_cast<void *>(&blocks_rt_status)},
      {"memcpy", reinterpret_cast<void *>(&std::memcpy)},
      {"memmove", reinterpret_cast<void *>(&std::memmove)},
      {"memset", reinterpret_cast<void *>(&std::memset)},
  };
  return table;
}

} // namespace blocks
