/* The kernels of the hand-written program cuda-step.c. cuda-kernels.ptx is made
 * from this file, and stored, since a C compiler with NVPTX may be missing:
 *   clang --target=nvptx64-nvidia-cuda -march=sm_75 -O1 -S -emit-llvm \
 *     cuda-kernels.c -o - | sed 's/"target-features"="[^"]*"//' | \
 *     llc -march=nvptx64 -mcpu=sm_75 -mattr=+ptx63 -o cuda-kernels.ptx
 */
typedef long long i64;
#define KERNEL __attribute__((device_kernel)) void

static i64 position(void) {
  return (i64)__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +
         __nvvm_read_ptx_sreg_tid_x();
}

/* y = x * factor[0] */
KERNEL scale(const float *x, const float *factor, float *y, i64 n) {
  i64 i = position();
  if (i < n)
    y[i] = x[i] * factor[0];
}

/* One step of a loop over time: after[i] = before[i] / 2 + x[i]. */
KERNEL advance(const float *before, const float *x, float *after, i64 n) {
  i64 i = position();
  if (i < n)
    after[i] = before[i] * 0.5f + x[i];
}

/* One thread: the sum, in order. */
KERNEL total(const float *x, float *sum, i64 n) {
  float value = 0;
  for (i64 i = 0; i < n; ++i)
    value += x[i];
  *sum = value;
}

/* W += 1, and one more step; thread 0 counts. */
KERNEL update(float *w, i64 *step, i64 n) {
  i64 i = position();
  if (i < n)
    w[i] += 1.0f;
  if (i == 0)
    step[0] += 1;
}

/* One thread: the smallest row with a bad label. */
KERNEL check(const i64 *labels, i64 *status, i64 n, i64 site, i64 limit) {
  for (i64 i = 0; i < n; ++i)
    if (labels[i] < 0 || labels[i] >= limit) {
      if (!status[0] || site < status[1]) {
        status[0] = 1;
        status[1] = site;
        status[2] = i;
        status[3] = labels[i];
        status[4] = limit;
      }
      return;
    }
}

/* Writes far outside of any buffer. */
KERNEL wild(float *x) { x[(i64)1 << 40] = 1; }
