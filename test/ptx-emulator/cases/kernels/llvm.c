// Kernels as LLVM's NVPTX back end writes them. llvm.ptx is made of this by
//   clang-22 --target=nvptx64-nvidia-cuda -march=sm_80 -O2 -S llvm.c -o llvm.ptx
// They use what compiled graphs use, and what makes emulation hard: shared,
// local and constant memory, calls, jump tables, loops of different lengths
// within a warp, early exits, shuffles, atomics.
#define KERNEL __attribute__((device_kernel)) void
#define SHARED __attribute__((address_space(3))) static
#define CONSTANT __attribute__((address_space(4))) static const
#define NOINLINE __attribute__((noinline)) static

static int tid(void) { return __nvvm_read_ptx_sreg_tid_x(); }
static int ntid(void) { return __nvvm_read_ptx_sreg_ntid_x(); }
static int ctaid(void) { return __nvvm_read_ptx_sreg_ctaid_x(); }
static void sync(void) { __syncthreads(); }
static float shuffleXor(float value, int offset) {
  return __nvvm_shfl_sync_bfly_f32(-1, value, offset, 31);
}
static float maximum(float a, float b) { return a > b ? a : b; }

SHARED float partials[32];

// One value from all threads of the block, in every thread.
static float blockSum(float value) {
  for (int offset = 16; offset; offset /= 2)
    value += shuffleXor(value, offset);
  if (tid() % 32 == 0)
    partials[tid() / 32] = value;
  sync();
  float sum = 0;
  for (int i = 0; i < ntid() / 32; ++i)
    sum += partials[i];
  sync();
  return sum;
}
static float blockMax(float value) {
  for (int offset = 16; offset; offset /= 2)
    value = maximum(value, shuffleXor(value, offset));
  if (tid() % 32 == 0)
    partials[tid() / 32] = value;
  sync();
  float most = partials[0];
  for (int i = 1; i < ntid() / 32; ++i)
    most = maximum(most, partials[i]);
  sync();
  return most;
}

// Softmax of rows: one block a row.
KERNEL softmax(const float *in, float *out, int columns) {
  const float *row = in + ctaid() * columns;
  float *to = out + ctaid() * columns;
  float most = -1e30f, sum = 0;
  for (int i = tid(); i < columns; i += ntid())
    most = maximum(most, row[i]);
  most = blockMax(most);
  for (int i = tid(); i < columns; i += ntid())
    sum += __nvvm_ex2_approx_f((row[i] - most) * 1.4426950408889634f);
  sum = blockSum(sum);
  for (int i = tid(); i < columns; i += ntid())
    to[i] = __nvvm_ex2_approx_f((row[i] - most) * 1.4426950408889634f) / sum;
}

SHARED float tile[32][33];

// Transposes a square matrix whose side is a multiple of 32, blocks of 32 x 8.
KERNEL transpose(const float *in, float *out, int side) {
  int x = ctaid() * 32 + tid(), row = __nvvm_read_ptx_sreg_tid_y();
  int y = __nvvm_read_ptx_sreg_ctaid_y() * 32;
  for (int i = row; i < 32; i += 8)
    tile[i][tid()] = in[(y + i) * side + x];
  sync();
  x = y + tid(), y = ctaid() * 32;
  for (int i = row; i < 32; i += 8)
    out[(y + i) * side + x] = tile[tid()][i];
}

// Steps of the Collatz sequence: loops of different lengths within a warp.
KERNEL collatz(const int *in, int *out, int count) {
  int i = ctaid() * ntid() + tid();
  if (i >= count)
    return;
  unsigned value = in[i];
  int steps = 0;
  for (; value > 1; ++steps)
    value = value % 2 ? 3 * value + 1 : value / 2;
  out[i] = steps;
}

CONSTANT int weights[8] = {3, 1, 4, 1, 5, 9, 2, 6};

NOINLINE int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

NOINLINE int mixed(int kind, int value) {
  switch (kind) {
  case 0:
    return value * 7;
  case 1:
    return value ^ 0x55;
  case 2:
    return fibonacci(value & 7);
  case 3:
    return weights[value & 7];
  case 4:
    return value << 3;
  case 5:
    return -value;
  default:
    return value - kind;
  }
}

// A jump table, recursion, constant memory, a local array that is indexed.
KERNEL dispatch(const int *in, int *out) {
  int local[16];
  int i = ctaid() * ntid() + tid();
  for (int j = 0; j < 16; ++j)
    local[(j * 5 + i) & 15] = in[i] + j;
  int sum = 0;
  for (int j = 0; j < (in[i] & 15); ++j)
    sum += local[j] * weights[j & 7];
  out[i] = mixed((in[i] >> 2) % 9, in[i]) + sum;
}

// A histogram by atomics, through shared memory.
SHARED int bins[64];
KERNEL histogram(const int *in, int *out, int count) {
  for (int b = tid(); b < 64; b += ntid())
    bins[b] = 0;
  sync();
  for (int i = ctaid() * ntid() + tid(); i < count; i += 512)
    __nvvm_atom_add_gen_i((int *)&bins[in[i] & 63], 1);
  sync();
  for (int b = tid(); b < 64; b += ntid())
    __nvvm_atom_add_gen_i(out + b, bins[b]);
}

typedef float float4 __attribute__((ext_vector_type(4)));

// A fused elementwise kernel on vectors of four.
KERNEL fused(const float4 *a, const float4 *b, float4 *out, int count) {
  int i = ctaid() * ntid() + tid();
  if (i >= count)
    return;
  float4 x = a[i], y = b[i];
  float4 d = x * y + 0.5f;
  for (int j = 0; j < 4; ++j)
    d[j] = d[j] > 0 ? d[j] * d[j] : 0.01f * d[j];
  out[i] = d;
}

// Numbers of 64 and 8 bits, divisions, doubles.
KERNEL widths(const unsigned char *bytes, const long long *wide, double *out) {
  int i = ctaid() * ntid() + tid();
  short narrow = (short)(bytes[i] * 257);
  long long q = wide[i] / (narrow | 1), r = wide[i] % (bytes[i] + 1);
  out[i] = (double)q * 0.25 + (double)r - (float)narrow;
}
