/* The host half of a program for GPUs, written by hand: what the compiler would
 * make of a model with a product, a loop over time, a report and an update. Its
 * kernels are cuda-kernels.c. Built as an object and never linked. The host
 * never reads behind the pointers. */
#include "blocks/abi/StepABI.h"

typedef struct {
  float *base, *aligned;
  int64_t offset, sizes[2], strides[2];
} Matrix;
typedef struct {
  void *base, *aligned;
  int64_t offset, sizes[1], strides[1];
} Vector;
typedef struct {
  void *base, *aligned;
  int64_t offset;
} Scalar;

enum { Scale, Advance, Total, Update, Check, Wild };

static void launch(BlocksStepContext *context, int64_t kernel, int64_t threads,
                   void **parameters) {
  blocks_rt_launch(context, kernel, (threads + 31) / 32, 1, 32, 1, 0,
                   parameters);
}

/* (W: 5x2, step: i64, rate: f32, x: ?x5, labels: ?) -> y: ?x2, cost.
 * y = rate x W, summed up over the rows as a loop over time; then W += 1. */
void blocks_entry_train(BlocksStepContext *context, void **args) {
  Matrix *w = args[0], *x = args[3], *y = args[5];
  Scalar *step = args[1], *rate = args[2], *cost = args[6];
  Vector *labels = args[4];
  int64_t m = x->sizes[0], n = w->sizes[1], all = m * n, site = 1, limit = 10;
  float *product = blocks_rt_arena(context, (2 * all + n) * 4);
  float *states = product + all;
  void *status = blocks_rt_status(context);

  blocks_rt_device_gemm_f32(context, 0, 0, m, n, x->sizes[1], 1.0f, x->aligned,
                            x->sizes[1], w->aligned, n, 0.0f, product, n);
  void *scale[] = {&product, &rate->aligned, &y->aligned, &all};
  launch(context, Scale, all, scale);
  /* The first state is y's first row; there may be none. */
  for (int64_t t = 1; t < m; ++t) {
    const float *before = t == 1 ? y->aligned : states + (t - 1) * n;
    const float *row = y->aligned + t * n;
    float *after = states + t * n;
    void *advance[] = {&before, &row, &after, &n};
    launch(context, Advance, n, advance);
  }
  const float *last = m > 1 ? states + (m - 1) * n : y->aligned;
  int64_t width = m > 0 ? n : 0;
  void *total[] = {&last, &cost->aligned, &width};
  launch(context, Total, 1, total);
  void *check[] = {&labels->aligned, &status, &m, &site, &limit};
  launch(context, Check, 1, check);
  int64_t size = w->sizes[0] * n;
  void *update[] = {&w->aligned, &step->aligned, &size};
  launch(context, Update, size, update);
}

/* (W: 5x2, x: ?x5) -> sum: of the elements of 2 x W, by a stack of products
 * with one matrix for each row. */
void blocks_entry_eval(BlocksStepContext *context, void **args) {
  Matrix *w = args[0], *x = args[1];
  Scalar *sum = args[2];
  int64_t m = x->sizes[0], n = w->sizes[1], k = x->sizes[1], all = m * n;
  float *product = blocks_rt_arena(context, all * 4);
  blocks_rt_device_gemm_stack_f32(context, 0, 0, 1, n, k, 2.0f, x->aligned, k,
                                  w->aligned, n, 0.0f, product, n, k, 0, n, m);
  void *total[] = {&product, &sum->aligned, &all};
  launch(context, Total, 1, total);
}

/* x: ?x5 -> (nothing): writes where nothing is. */
void blocks_entry_wild(BlocksStepContext *context, void **args) {
  Matrix *x = args[0];
  void *wild[] = {&x->aligned};
  launch(context, Wild, 1, wild);
}

/* x: ?x5 -> (nothing): starts a kernel that the manifest has not if there is
 * one row, too many threads if there are two, and needs too much memory if there
 * are three. */
void blocks_entry_wrong(BlocksStepContext *context, void **args) {
  Matrix *x = args[0];
  int64_t rows = x->sizes[0];
  if (rows == 3)
    blocks_rt_arena(context, (int64_t)1 << 45);
  void *wild[] = {&x->aligned};
  blocks_rt_launch(context, rows == 1 ? 99 : Wild, 1, 1, 2048, 1, 0, wild);
}
