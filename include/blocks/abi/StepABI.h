// The boundary between compiled code and the runtime. The lowering emits calls
// to exactly these functions, and runtime/Abi defines them; the loader binds
// them by name. Plain C, no LLVM. A change here changes BLOCKS_ABI_VERSION,
// which is part of the key of the object cache; a further function does not.
#ifndef BLOCKS_ABI_STEPABI_H
#define BLOCKS_ABI_STEPABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BLOCKS_ABI_VERSION 4

/// Opaque: the running step (thread pool, arena, status record). It is the
/// first argument of every entry and of every function here.
typedef struct BlocksStepContext BlocksStepContext;

/// A compiled entry point. `args[i]` points to the i-th argument of the entry:
/// a memref descriptor {base, aligned, offset, sizes[rank], strides[rank]} of
/// int64-sized words. Order: state, sources, outputs (see the manifest).
typedef void (*BlocksEntry)(BlocksStepContext *context, void **args);

/// A loop body over the half-open range of blocks [begin, end).
typedef void (*BlocksKernel)(BlocksStepContext *context, void *environment,
                             int64_t begin, int64_t end);

/// Returns 64-byte aligned scratch memory of at least `bytes`, valid until the
/// entry returns. Called once, at the start of an entry. In a program for a GPU
/// it is the GPU's memory, 256-byte aligned, and valid in the order of the
/// launches.
void *blocks_rt_arena(BlocksStepContext *context, int64_t bytes);

/// Runs `kernel` over blocks 0 … count-1, in any order and on any threads, and
/// returns when all are done. Which rows a block holds was fixed by the shape
/// alone, so results do not depend on the number of threads.
void blocks_rt_parallel_for(BlocksStepContext *context, BlocksKernel kernel,
                            void *environment, int64_t count);

/// C = alpha * op(A) * op(B) + beta * C, row-major, op(X) = X or its transpose.
/// op(A) is m×k, op(B) is k×n. Sequential: callers cut by rows or columns. With
/// k = 0 it scales C by beta.
void blocks_rt_gemm_f32(BlocksStepContext *context, int64_t transposeA,
                        int64_t transposeB, int64_t m, int64_t n, int64_t k,
                        float alpha, const float *a, int64_t lda,
                        const float *b, int64_t ldb, float beta, float *c,
                        int64_t ldc);
void blocks_rt_gemm_f64(BlocksStepContext *context, int64_t transposeA,
                        int64_t transposeB, int64_t m, int64_t n, int64_t k,
                        double alpha, const double *a, int64_t lda,
                        const double *b, int64_t ldb, double beta, double *c,
                        int64_t ldc);

/// Packs rows [low, high) of op(B), k×n, into the order in which products read
/// it, for a matrix that many products take: the steps of a loop. `packed` has
/// k·padded elements, `padded` being n rounded up to a multiple of 32; how they
/// are laid out is the runtime's affair. Sequential: callers cut by rows.
void blocks_rt_gemm_pack_f32(BlocksStepContext *context, int64_t transposeB,
                             int64_t low, int64_t high, int64_t n, int64_t k,
                             const float *b, int64_t ldb, float *packed,
                             int64_t padded);
void blocks_rt_gemm_pack_f64(BlocksStepContext *context, int64_t transposeB,
                             int64_t low, int64_t high, int64_t n, int64_t k,
                             const double *b, int64_t ldb, double *packed,
                             int64_t padded);

/// C = alpha * op(A) * B + beta * C for B packed so: C are n columns of the
/// product from `column`. The bits are those of blocks_rt_gemm_*.
void blocks_rt_gemm_packed_f32(BlocksStepContext *context, int64_t transposeA,
                               int64_t m, int64_t n, int64_t k, float alpha,
                               const float *a, int64_t lda, const float *packed,
                               int64_t padded, int64_t column, float beta,
                               float *c, int64_t ldc);
void blocks_rt_gemm_packed_f64(BlocksStepContext *context, int64_t transposeA,
                               int64_t m, int64_t n, int64_t k, double alpha,
                               const double *a, int64_t lda,
                               const double *packed, int64_t padded,
                               int64_t column, double beta, double *c,
                               int64_t ldc);

/// Rows of a block for a product whose result has m rows, n columns, and a
/// contracted dimension of k; depends on the shape alone.
int64_t blocks_rt_gemm_rows(int64_t m, int64_t n, int64_t k);
/// The same for a product that may be cut by columns, too: rows and columns of
/// a block.
int64_t blocks_rt_gemm_grid_rows(int64_t m, int64_t n, int64_t k);
int64_t blocks_rt_gemm_grid_columns(int64_t m, int64_t n, int64_t k);

/// Reports a label out of range: `site` indexes the manifest's table of sites.
/// Of several reports in a step the one with the smallest (site, row) is kept.
void blocks_rt_report(BlocksStepContext *context, int64_t site, int64_t row,
                      int64_t value, int64_t limit);

/// The functions of programs for a GPU. Their entries run on the host, compute
/// sizes and addresses, and hand out work in order; all pointers to numbers are
/// the GPU's, and the host never reads behind them. A failure ends the entry.
///
/// Starts kernel number `kernel` of the manifest's list. `parameters[i]` points
/// to the kernel's i-th argument. A grid without blocks does nothing.
void blocks_rt_launch(BlocksStepContext *context, int64_t kernel, int64_t gridX,
                      int64_t gridY, int64_t blockX, int64_t blockY,
                      int64_t sharedBytes, void **parameters);

/// C = alpha * op(A) * op(B) + beta * C, as blocks_rt_gemm_f32.
void blocks_rt_device_gemm_f32(BlocksStepContext *context, int64_t transposeA,
                               int64_t transposeB, int64_t m, int64_t n,
                               int64_t k, float alpha, const float *a,
                               int64_t lda, const float *b, int64_t ldb,
                               float beta, float *c, int64_t ldc);
void blocks_rt_device_gemm_f64(BlocksStepContext *context, int64_t transposeA,
                               int64_t transposeB, int64_t m, int64_t n,
                               int64_t k, double alpha, const double *a,
                               int64_t lda, const double *b, int64_t ldb,
                               double beta, double *c, int64_t ldc);

/// `count` such products; from one to the next the matrices lie the strides (in
/// elements) apart. A stride of 0 uses one A or B for all.
void blocks_rt_device_gemm_stack_f32(
    BlocksStepContext *context, int64_t transposeA, int64_t transposeB,
    int64_t m, int64_t n, int64_t k, float alpha, const float *a, int64_t lda,
    const float *b, int64_t ldb, float beta, float *c, int64_t ldc,
    int64_t strideA, int64_t strideB, int64_t strideC, int64_t count);
void blocks_rt_device_gemm_stack_f64(
    BlocksStepContext *context, int64_t transposeA, int64_t transposeB,
    int64_t m, int64_t n, int64_t k, double alpha, const double *a, int64_t lda,
    const double *b, int64_t ldb, double beta, double *c, int64_t ldc,
    int64_t strideA, int64_t strideB, int64_t strideC, int64_t count);

/// Products of bf16 numbers, whose bits A and B have, that are added up in f32.
void blocks_rt_device_gemm_bf16(BlocksStepContext *context, int64_t transposeA,
                                int64_t transposeB, int64_t m, int64_t n,
                                int64_t k, float alpha, const uint16_t *a,
                                int64_t lda, const uint16_t *b, int64_t ldb,
                                float beta, float *c, int64_t ldc);
void blocks_rt_device_gemm_stack_bf16(
    BlocksStepContext *context, int64_t transposeA, int64_t transposeB,
    int64_t m, int64_t n, int64_t k, float alpha, const uint16_t *a,
    int64_t lda, const uint16_t *b, int64_t ldb, float beta, float *c,
    int64_t ldc, int64_t strideA, int64_t strideB, int64_t strideC,
    int64_t count);

/// act(alpha * op(A) * op(B) + beta * C + bias): `bias`, n numbers or null, is
/// added to each row, and with `rectifies` numbers below 0 become 0. One launch
/// where cuBLASLt can do it, else two.
void blocks_rt_device_gemm_epilogue_f32(
    BlocksStepContext *context, int64_t transposeA, int64_t transposeB,
    int64_t m, int64_t n, int64_t k, float alpha, const float *a, int64_t lda,
    const float *b, int64_t ldb, float beta, float *c, int64_t ldc,
    const float *bias, int64_t rectifies);
void blocks_rt_device_gemm_epilogue_bf16(
    BlocksStepContext *context, int64_t transposeA, int64_t transposeB,
    int64_t m, int64_t n, int64_t k, float alpha, const uint16_t *a,
    int64_t lda, const uint16_t *b, int64_t ldb, float beta, float *c,
    int64_t ldc, const float *bias, int64_t rectifies);

/// The GPU's status record, five int64 words {present, site, row, value,
/// limit}, zero when the entry starts. Of several reports kernels keep the one
/// with the smallest (site, row).
void *blocks_rt_status(BlocksStepContext *context);

/// Functions of f64 numbers. f32 ones are compiled in place; in f64, which
/// gradient checks and counters use, accuracy counts more than speed.
double blocks_rt_acos_f64(double x);
double blocks_rt_asin_f64(double x);
double blocks_rt_atan_f64(double x);
double blocks_rt_cbrt_f64(double x);
double blocks_rt_erfc_f64(double x);
double blocks_rt_exp_f64(double x);
double blocks_rt_log10_f64(double x);
double blocks_rt_log2_f64(double x);
double blocks_rt_round_f64(double x);
double blocks_rt_log_f64(double x);
double blocks_rt_log1p_f64(double x);
double blocks_rt_expm1_f64(double x);
double blocks_rt_tanh_f64(double x);
double blocks_rt_erf_f64(double x);
double blocks_rt_sin_f64(double x);
double blocks_rt_cos_f64(double x);
double blocks_rt_atan2_f64(double y, double x);
double blocks_rt_pow_f64(double x, double y);
/// The remainder of x/y towards zero, with the sign of x.
double blocks_rt_rem_f64(double x, double y);

/// The routines over batches of images. They work on rows [begin, end) of
/// `rows`: images, or, for the gradient of filters, equal shares of the `batch`
/// images, each with a result of its own. Images are (channels, height, width),
/// filters (filters, channels, kernel height, kernel width), all contiguous.
/// `option`: of a convolution 1 if kernels are flipped; of a pool 0 for the
/// maximum, 1 for the average, 2 for the average that counts padding. What a, b
/// and out are is in runtime/Device/Images.h. Sequential: callers cut by rows.
#define BLOCKS_RT_IMAGES(NAME, T)                                              \
  void NAME(BlocksStepContext *context, int64_t begin, int64_t end,            \
            int64_t rows, int64_t batch, const T *a, const T *b, T *out,       \
            int64_t channels, int64_t height, int64_t width, int64_t filters,  \
            int64_t kernelHeight, int64_t kernelWidth, int64_t outHeight,      \
            int64_t outWidth, int64_t strideHeight, int64_t strideWidth,       \
            int64_t padTop, int64_t padLeft, int64_t option)
BLOCKS_RT_IMAGES(blocks_rt_convolution_f32, float);
BLOCKS_RT_IMAGES(blocks_rt_convolution_f64, double);
BLOCKS_RT_IMAGES(blocks_rt_convolution_input_grad_f32, float);
BLOCKS_RT_IMAGES(blocks_rt_convolution_input_grad_f64, double);
BLOCKS_RT_IMAGES(blocks_rt_convolution_filter_grad_f32, float);
BLOCKS_RT_IMAGES(blocks_rt_convolution_filter_grad_f64, double);
BLOCKS_RT_IMAGES(blocks_rt_pool_f32, float);
BLOCKS_RT_IMAGES(blocks_rt_pool_f64, double);
BLOCKS_RT_IMAGES(blocks_rt_pool_grad_f32, float);
BLOCKS_RT_IMAGES(blocks_rt_pool_grad_f64, double);

#ifdef __cplusplus
}
#endif
#endif
