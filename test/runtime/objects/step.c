/* A compiled program written by hand, for the loader's tests: what the compiler
 * would make of y = x W, with a table of constants, kernels in parallel, a
 * report, and an update of the state. Built as an object and never linked. */
#include "blocks/abi/StepABI.h"

#include <string.h>

typedef struct {
  float *base, *aligned;
  int64_t offset, sizes[2], strides[2];
} Matrix;
typedef struct {
  float *base, *aligned;
  int64_t offset;
} Scalar;

static const float factors[8] = {1, 2, 3, 5, 7, 11, 13, 17};

typedef struct {
  const Matrix *x, *w, *y;
  float *scratch;
  int64_t rowsPerBlock;
} Environment;

static void product(BlocksStepContext *context, void *data, int64_t begin,
                    int64_t end) {
  Environment *e = data;
  int64_t n = e->w->sizes[1], k = e->w->sizes[0], m = e->x->sizes[0];
  for (int64_t block = begin; block < end; ++block) {
    int64_t row = block * e->rowsPerBlock;
    int64_t rows = m - row < e->rowsPerBlock ? m - row : e->rowsPerBlock;
    blocks_rt_gemm_f32(context, 0, 0, rows, n, k, 1.0f,
                       e->x->aligned + row * k, k, e->w->aligned, n, 0.0f,
                       e->scratch + row * n, n);
    memcpy(e->y->aligned + row * n, e->scratch + row * n,
           (size_t)(rows * n) * sizeof(float));
  }
}

/* (W: 3x2, x: ?x3) -> y: ?x2, and W is multiplied by factors[m % 8]. */
void blocks_entry_train(BlocksStepContext *context, void **args) {
  Matrix *w = args[0], *x = args[1], *y = args[2];
  int64_t m = x->sizes[0];
  Environment e = {x, w, y, 0, 0};
  e.scratch = blocks_rt_arena(context, m * w->sizes[1] * 4);
  e.rowsPerBlock = 2;
  blocks_rt_parallel_for(context, product, &e, (m + 1) / 2);
  for (int64_t i = 0; i < w->sizes[0] * w->sizes[1]; ++i)
    w->aligned[i] *= factors[m & 7];
}

/* x: ?x3 -> sum; reports rows that begin with a negative number. */
void blocks_entry_eval(BlocksStepContext *context, void **args) {
  Matrix *x = args[0];
  Scalar *sum = args[1];
  float total = 0;
  for (int64_t i = x->sizes[0]; i-- > 0;) {
    const float *row = x->aligned + i * x->strides[0];
    if (row[0] < 0)
      blocks_rt_report(context, 1, i, (int64_t)row[0], 10);
    for (int64_t j = 0; j < x->sizes[1]; ++j)
      total += row[j];
  }
  sum->aligned[0] = total;
}
