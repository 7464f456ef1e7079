// The functions that compiled code may call: see StepABI.h for what each
// promises. They are thin; the work is in runtime/Device. No exception may pass
// here, since compiled code has no unwind tables.
#include "blocks/abi/StepABI.h"

#include "runtime/Abi/StepContext.h"
#include "runtime/Abi/SymbolTable.h"
#include "runtime/Device/Gemm.h"

#include <cstring>
#include <tuple>

bool BlocksStepContext::run(BlocksEntry entry, void **args) {
  report = {};
  failure = nullptr;
  if (setjmp(entryStart)) {
    if (failure)
      std::rethrow_exception(failure);
    return false;
  }
  entry(this, args);
  return true;
}

void *blocks_rt_arena(BlocksStepContext *context, int64_t bytes) {
  void *memory = context->arena.reserve(bytes);
  if (!memory) // At its start an entry has done nothing yet.
    context->leave();
  return memory;
}

void blocks_rt_parallel_for(BlocksStepContext *context, BlocksKernel kernel,
                            void *environment, int64_t count) {
  // BlocksKernel's first argument is a pointer, too, but of another type.
  struct Call {
    BlocksKernel kernel;
    void *environment;
  } call{kernel, environment};
  auto body = [](void *step, void *data, int64_t begin, int64_t end) {
    auto &call = *static_cast<Call *>(data);
    call.kernel(static_cast<BlocksStepContext *>(step), call.environment, begin,
                end);
  };
  context->pool.parallelFor(body, context, &call, count);
}

void blocks_rt_gemm_f32(BlocksStepContext *context, int64_t transposeA,
                        int64_t transposeB, int64_t m, int64_t n, int64_t k,
                        float alpha, const float *a, int64_t lda,
                        const float *b, int64_t ldb, float beta, float *c,
                        int64_t ldc) {
  blocks::gemm(context->level, blocks::GemmArguments<float>{
                                   transposeA != 0, transposeB != 0, m, n, k,
                                   alpha, a, lda, b, ldb, beta, c, ldc});
}

void blocks_rt_gemm_f64(BlocksStepContext *context, int64_t transposeA,
                        int64_t transposeB, int64_t m, int64_t n, int64_t k,
                        double alpha, const double *a, int64_t lda,
                        const double *b, int64_t ldb, double beta, double *c,
                        int64_t ldc) {
  blocks::gemm(context->level, blocks::GemmArguments<double>{
                                   transposeA != 0, transposeB != 0, m, n, k,
                                   alpha, a, lda, b, ldb, beta, c, ldc});
}

void blocks_rt_gemm_pack_f32(BlocksStepContext *context, int64_t transposeB,
                             int64_t low, int64_t high, int64_t n, int64_t k,
                             const float *b, int64_t ldb, float *packed,
                             int64_t padded) {
  blocks::packForGemm(context->level, blocks::PackArguments<float>{
                                          transposeB != 0, low, high, n, k, b,
                                          ldb, packed, padded});
}

void blocks_rt_gemm_pack_f64(BlocksStepContext *context, int64_t transposeB,
                             int64_t low, int64_t high, int64_t n, int64_t k,
                             const double *b, int64_t ldb, double *packed,
                             int64_t padded) {
  blocks::packForGemm(context->level, blocks::PackArguments<double>{
                                          transposeB != 0, low, high, n, k, b,
                                          ldb, packed, padded});
}

void blocks_rt_gemm_packed_f32(BlocksStepContext *context, int64_t transposeA,
                               int64_t m, int64_t n, int64_t k, float alpha,
                               const float *a, int64_t lda, const float *packed,
                               int64_t padded, int64_t column, float beta,
                               float *c, int64_t ldc) {
  blocks::gemm(context->level,
               blocks::GemmArguments<float>{transposeA != 0, false, m, n, k,
                                            alpha, a, lda, packed, padded, beta,
                                            c, ldc, true, column});
}

void blocks_rt_gemm_packed_f64(BlocksStepContext *context, int64_t transposeA,
                               int64_t m, int64_t n, int64_t k, double alpha,
                               const double *a, int64_t lda,
                               const double *packed, int64_t padded,
                               int64_t column, double beta, double *c,
                               int64_t ldc) {
  blocks::gemm(context->level,
               blocks::GemmArguments<double>{transposeA != 0, false, m, n, k,
                                             alpha, a, lda, packed, padded,
                                             beta, c, ldc, true, column});
}

int64_t blocks_rt_gemm_rows(int64_t m, int64_t n, int64_t k) {
  return blocks::gemmRows(m, n, k);
}

int64_t blocks_rt_gemm_grid_rows(int64_t m, int64_t n, int64_t k) {
  return blocks::gemmGrid(m, n, k).rows;
}

int64_t blocks_rt_gemm_grid_columns(int64_t m, int64_t n, int64_t k) {
  return blocks::gemmGrid(m, n, k).columns;
}

void blocks_rt_report(BlocksStepContext *context, int64_t site, int64_t row,
                      int64_t value, int64_t limit) {
  std::lock_guard lock(context->reportMutex);
  BlocksReport &kept = context->report;
  if (!kept.present || std::tie(site, row) < std::tie(kept.site, kept.row))
    kept = {true, site, row, value, limit};
}

namespace blocks {

std::span<const RuntimeSymbol> runtimeSymbols() {
  static const RuntimeSymbol table[] = {
      {"blocks_rt_arena", reinterpret_cast<void *>(&blocks_rt_arena)},
      {"blocks_rt_gemm_f32", reinterpret_cast<void *>(&blocks_rt_gemm_f32)},
      {"blocks_rt_gemm_f64", reinterpret_cast<void *>(&blocks_rt_gemm_f64)},
      {"blocks_rt_gemm_grid_columns",
       reinterpret_cast<void *>(&blocks_rt_gemm_grid_columns)},
      {"blocks_rt_gemm_grid_rows",
       reinterpret_cast<void *>(&blocks_rt_gemm_grid_rows)},
      {"blocks_rt_gemm_pack_f32",
       reinterpret_cast<void *>(&blocks_rt_gemm_pack_f32)},
      {"blocks_rt_gemm_pack_f64",
       reinterpret_cast<void *>(&blocks_rt_gemm_pack_f64)},
      {"blocks_rt_gemm_packed_f32",
       reinterpret_cast<void *>(&blocks_rt_gemm_packed_f32)},
      {"blocks_rt_gemm_packed_f64",
       reinterpret_cast<void *>(&blocks_rt_gemm_packed_f64)},
      {"blocks_rt_gemm_rows", reinterpret_cast<void *>(&blocks_rt_gemm_rows)},
      {"blocks_rt_parallel_for",
       reinterpret_cast<void *>(&blocks_rt_parallel_for)},
      {"blocks_rt_report", reinterpret_cast<void *>(&blocks_rt_report)},
      {"blocks_rt_acos_f64", reinterpret_cast<void *>(&blocks_rt_acos_f64)},
      {"blocks_rt_asin_f64", reinterpret_cast<void *>(&blocks_rt_asin_f64)},
      {"blocks_rt_atan_f64", reinterpret_cast<void *>(&blocks_rt_atan_f64)},
      {"blocks_rt_atan2_f64", reinterpret_cast<void *>(&blocks_rt_atan2_f64)},
      {"blocks_rt_cbrt_f64", reinterpret_cast<void *>(&blocks_rt_cbrt_f64)},
      {"blocks_rt_cos_f64", reinterpret_cast<void *>(&blocks_rt_cos_f64)},
      {"blocks_rt_erf_f64", reinterpret_cast<void *>(&blocks_rt_erf_f64)},
      {"blocks_rt_erfc_f64", reinterpret_cast<void *>(&blocks_rt_erfc_f64)},
      {"blocks_rt_exp_f64", reinterpret_cast<void *>(&blocks_rt_exp_f64)},
      {"blocks_rt_expm1_f64", reinterpret_cast<void *>(&blocks_rt_expm1_f64)},
      {"blocks_rt_log_f64", reinterpret_cast<void *>(&blocks_rt_log_f64)},
      {"blocks_rt_log10_f64", reinterpret_cast<void *>(&blocks_rt_log10_f64)},
      {"blocks_rt_log1p_f64", reinterpret_cast<void *>(&blocks_rt_log1p_f64)},
      {"blocks_rt_log2_f64", reinterpret_cast<void *>(&blocks_rt_log2_f64)},
      {"blocks_rt_pow_f64", reinterpret_cast<void *>(&blocks_rt_pow_f64)},
      {"blocks_rt_rem_f64", reinterpret_cast<void *>(&blocks_rt_rem_f64)},
      {"blocks_rt_round_f64", reinterpret_cast<void *>(&blocks_rt_round_f64)},
      {"blocks_rt_sin_f64", reinterpret_cast<void *>(&blocks_rt_sin_f64)},
      {"blocks_rt_tanh_f64", reinterpret_cast<void *>(&blocks_rt_tanh_f64)},
      {"blocks_rt_convolution_f32",
       reinterpret_cast<void *>(&blocks_rt_convolution_f32)},
      {"blocks_rt_convolution_f64",
       reinterpret_cast<void *>(&blocks_rt_convolution_f64)},
      {"blocks_rt_convolution_input_grad_f32",
       reinterpret_cast<void *>(&blocks_rt_convolution_input_grad_f32)},
      {"blocks_rt_convolution_input_grad_f64",
       reinterpret_cast<void *>(&blocks_rt_convolution_input_grad_f64)},
      {"blocks_rt_convolution_filter_grad_f32",
       reinterpret_cast<void *>(&blocks_rt_convolution_filter_grad_f32)},
      {"blocks_rt_convolution_filter_grad_f64",
       reinterpret_cast<void *>(&blocks_rt_convolution_filter_grad_f64)},
      {"blocks_rt_pool_f32", reinterpret_cast<void *>(&blocks_rt_pool_f32)},
      {"blocks_rt_pool_f64", reinterpret_cast<void *>(&blocks_rt_pool_f64)},
      {"blocks_rt_pool_grad_f32",
       reinterpret_cast<void *>(&blocks_rt_pool_grad_f32)},
      {"blocks_rt_pool_grad_f64",
       reinterpret_cast<void *>(&blocks_rt_pool_grad_f64)},
      {"memcpy", reinterpret_cast<void *>(&std::memcpy)},
      {"memmove", reinterpret_cast<void *>(&std::memmove)},
      {"memset", reinterpret_cast<void *>(&std::memset)},
  };
  return table;
}

} // namespace blocks
