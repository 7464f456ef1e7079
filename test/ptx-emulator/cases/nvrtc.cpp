// CUDA C++ through NVRTC, where that library is found; else the test is
// skipped. Its PTX is newer (.version 9.0) and uses other instructions than
// LLVM's: approximations, copysign, 32-bit shared addresses, f16 arithmetic.
#include "Gpu.h"

#include "../ops/Half.h"

#include <cmath>

namespace {

const char *source = R"(
#include <cuda_fp16.h>
extern "C" __global__ void activations(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = tanhf(in[i]) + expf(-in[i]) + sinf(in[i]) * __logf(1.5f + in[i] * in[i]);
}
extern "C" __global__ void rowSums(const float *in, float *out, int columns) {
  extern __shared__ float partial[];
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    sum += in[blockIdx.x * columns + i];
  for (int offset = 16; offset; offset >>= 1)
    sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < blockDim.x / 32; ++w)
      sum += partial[w];
    out[blockIdx.x] = sum;
  }
}
extern "C" __global__ void halves(const __half2 *a, const __half2 *b, __half2 *out) {
  out[threadIdx.x] = __hfma2(a[threadIdx.x], b[threadIdx.x], __float2half2_rn(0.25f));
}
__device__ unsigned total;
extern "C" __global__ void counts(const int *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool odd = i < n && in[i] % 2;
  unsigned votes = __ballot_sync(0xffffffffu, odd);
  if (threadIdx.x % 32 == 0)
    atomicAdd(&total, __popc(votes));
  __threadfence();
  __syncthreads();
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0)
    out[0] = total;
}
)";

struct Nvrtc {
  void *library = nullptr;
  int (*create)(void **, const char *, const char *, int, const char *const *,
                const char *const *) = nullptr;
  int (*compile)(void *, int, const char *const *) = nullptr;
  int (*ptxSize)(void *, size_t *) = nullptr;
  int (*ptx)(void *, char *) = nullptr;
  int (*logSize)(void *, size_t *) = nullptr;
  int (*log)(void *, char *) = nullptr;

  Nvrtc() {
    for (const char *name :
         {"libnvrtc.so.13", "libnvrtc.so.12",
          "/usr/local/cuda/lib64/libnvrtc.so.13",
          "/usr/local/cuda/lib/libnvrtc.so.13", "libnvrtc.so"})
      if (!library)
        library = dlopen(name, RTLD_NOW);
    if (!library)
      return;
    resolve(create, "nvrtcCreateProgram");
    resolve(compile, "nvrtcCompileProgram");
    resolve(ptxSize, "nvrtcGetPTXSize");
    resolve(ptx, "nvrtcGetPTX");
    resolve(logSize, "nvrtcGetProgramLogSize");
    resolve(log, "nvrtcGetProgramLog");
  }
  template <class F> void resolve(F &function, const char *name) {
    function = reinterpret_cast<F>(dlsym(library, name));
  }

  std::string run() const {
    void *program;
    create(&program, source, "test.cu", 0, nullptr, nullptr);
    const char *options[] = {"--gpu-architecture=compute_80",
                             "-I/usr/local/cuda/include"};
    int result = compile(program, 2, options);
    size_t size = 0;
    logSize(program, &size);
    std::string text(size, 0);
    log(program, text.data());
    if (result)
      throw std::runtime_error("NVRTC: " + text);
    ptxSize(program, &size);
    text.resize(size);
    ptx(program, text.data());
    return text;
  }
};

std::vector<float> ramp(size_t count) {
  std::vector<float> result(count);
  for (size_t i = 0; i < count; ++i)
    result[i] = float(int(i) - int(count) / 2) * 0.02f;
  return result;
}

void activations(const Gpu &gpu, CUmodule module) {
  auto x = ramp(500);
  Buffer<float> in(gpu, x), out(gpu, x.size());
  gpu.run(gpu.function(module, "activations"), 4, 128, 0, in.get(), out.get(),
          500);
  const auto &found = out.read();
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    double v = x[i], wanted = std::tanh(v) + std::exp(-v) +
                              std::sin(v) * std::log(1.5 + v * v);
    worst =
        std::max(worst, std::fabs(found[i] - wanted) / (1 + std::fabs(wanted)));
  }
  CHECK_NEAR(worst, 0, 1e-6);
}

void rowSums(const Gpu &gpu, CUmodule module) {
  auto x = ramp(3 * 200);
  Buffer<float> in(gpu, x), out(gpu, size_t(3));
  gpu.run(gpu.function(module, "rowSums"), 3, 64, 8, in.get(), out.get(), 200);
  for (int row = 0; row < 3; ++row) {
    double sum = 0;
    for (int i = 0; i < 200; ++i)
      sum += x[size_t(row * 200 + i)];
    CHECK_NEAR(out.read()[size_t(row)], sum, 1e-3);
  }
}

void halves(const Gpu &gpu, CUmodule module) {
  std::vector<uint16_t> a, b;
  for (float x : ramp(128))
    a.push_back(ptxemu::floatToHalf(x)),
        b.push_back(ptxemu::floatToHalf(1 - x * 3));
  Buffer<uint16_t> da(gpu, a), db(gpu, b), out(gpu, size_t(128));
  gpu.run(gpu.function(module, "halves"), 1, 64, 0, da.get(), db.get(),
          out.get());
  int wrong = 0;
  for (size_t i = 0; i < 128; ++i) {
    float exact = ptxemu::halfToFloat(a[i]) * ptxemu::halfToFloat(b[i]) + 0.25f;
    wrong += out.read()[i] != ptxemu::floatToHalf(exact);
  }
  CHECK_EQ(wrong, 0);
}

void counts(const Gpu &gpu, CUmodule module) {
  std::vector<int> values;
  for (int i = 0; i < 300; ++i)
    values.push_back(i * 3);
  Buffer<int> in(gpu, values);
  Buffer<uint32_t> out(gpu, size_t(1));
  gpu.run(gpu.function(module, "counts"), 5, 64, 0, in.get(), out.get(), 300);
  CHECK_EQ(out.read()[0], 150u);
}

} // namespace

int main(int, char **argv) {
  Nvrtc nvrtc;
  if (!nvrtc.library) {
    std::printf("skipped: no libnvrtc\n");
    return 77;
  }
  Gpu gpu(argv[1]);
  CUmodule module = gpu.load(nvrtc.run());
  activations(gpu, module);
  rowSums(gpu, module);
  halves(gpu, module);
  counts(gpu, module);
  return checkSummary();
}
