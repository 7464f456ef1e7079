// The cuBLAS stand-in: products against plain loops, roundings of the compute
// types, batches, stream order, capture, and matrices out of bounds.
#include "Gpu.h"

#include "../ops/Half.h"

#include <cmath>

namespace {

using Handle = void *;

struct Cublas {
  int (*create)(Handle *);
  int (*destroy)(Handle);
  int (*setStream)(Handle, CUstream);
  int (*setMathMode)(Handle, int);
  int (*sgemm)(Handle, int, int, int, int, int, const float *, CUdeviceptr, int,
               CUdeviceptr, int, const float *, CUdeviceptr, int);
  int (*gemmBatched)(Handle, int, int, int, int, int, const void *, CUdeviceptr,
                     int, int, long long, CUdeviceptr, int, int, long long,
                     const void *, CUdeviceptr, int, int, long long, int, int,
                     int);

  explicit Cublas(const Gpu &gpu) {
    resolve(gpu, create, "cublasCreate_v2");
    resolve(gpu, destroy, "cublasDestroy_v2");
    resolve(gpu, setStream, "cublasSetStream_v2");
    resolve(gpu, setMathMode, "cublasSetMathMode");
    resolve(gpu, sgemm, "cublasSgemm_v2");
    resolve(gpu, gemmBatched, "cublasGemmStridedBatchedEx");
  }
  template <class F>
  void resolve(const Gpu &gpu, F &function, const char *name) {
    function = reinterpret_cast<F>(gpu.symbol(name));
  }
};

std::vector<float> numbers(size_t count, unsigned seed) {
  std::vector<float> result(count);
  for (float &value : result) {
    seed = seed * 1664525u + 1013904223u;
    value = float(int(seed >> 8)) / float(1 << 23) - 1;
  }
  return result;
}

/// C of the plain definition, column-major, with inputs through `round`.
template <class R>
std::vector<double> expected(const std::vector<float> &a,
                             const std::vector<float> &b, bool ta, bool tb,
                             int m, int n, int k, R round) {
  std::vector<double> c(size_t(m * n));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      for (int p = 0; p < k; ++p)
        c[size_t(i + j * m)] +=
            double(round(a[size_t(ta ? p + i * k : i + p * m)])) *
            round(b[size_t(tb ? j + p * n : p + j * k)]);
  return c;
}

double worst(const std::vector<float> &found, const std::vector<double> &wanted,
             double scale = 1) {
  double result = 0;
  for (size_t i = 0; i < wanted.size(); ++i)
    result = std::max(result, std::fabs(found[i] - scale * wanted[i]));
  return result;
}

float plain(float x) { return x; }
float tf32(float x) {
  return std::bit_cast<float>(ptxemu::roundToTf32(std::bit_cast<uint32_t>(x)));
}

void products(const Gpu &gpu, const Cublas &blas, Handle handle) {
  int m = 70, n = 33, k = 141;
  auto a = numbers(size_t(m * k), 1), b = numbers(size_t(k * n), 2);
  Buffer<float> da(gpu, a), db(gpu, b), dc(gpu, size_t(m * n));
  float one = 1, zero = 0, half = 0.5f;
  for (int ta = 0; ta < 2; ++ta)
    for (int tb = 0; tb < 2; ++tb) {
      CHECK_EQ(blas.sgemm(handle, ta, tb, m, n, k, &one, da.get(), ta ? k : m,
                          db.get(), tb ? n : k, &zero, dc.get(), m),
               0);
      CHECK_NEAR(worst(dc.read(), expected(a, b, ta, tb, m, n, k, plain)), 0,
                 1e-4);
    }
  // beta: C becomes 0.5 C + 0.5 C.
  auto before = expected(a, b, true, true, m, n, k, plain);
  blas.sgemm(handle, 1, 1, m, n, k, &half, da.get(), k, db.get(), n, &half,
             dc.get(), m);
  CHECK_NEAR(worst(dc.read(), before), 0, 1e-4);
  // TF32 by the math mode: other numbers, those of rounded inputs.
  blas.setMathMode(handle, 3);
  blas.sgemm(handle, 0, 0, m, n, k, &one, da.get(), m, db.get(), k, &zero,
             dc.get(), m);
  CHECK_NEAR(worst(dc.read(), expected(a, b, false, false, m, n, k, tf32)), 0,
             1e-4);
  CHECK(worst(dc.read(), expected(a, b, false, false, m, n, k, plain)) > 1e-4);
  blas.setMathMode(handle, 0);
  CHECK_EQ(blas.sgemm(handle, 0, 0, m, n, k, &one, da.get(), m - 1, db.get(), k,
                      &zero, dc.get(), m),
           7);
}

/// bf16 in and out, a batch of three.
void batched(const Gpu &gpu, const Cublas &blas, Handle handle) {
  int m = 8, n = 5, k = 16, batch = 3;
  auto a = numbers(size_t(m * k * batch), 3), b = numbers(size_t(k * n), 4);
  std::vector<uint16_t> ha, hb;
  for (float &x : a) {
    ha.push_back(ptxemu::floatToBfloat(x));
    x = ptxemu::bfloatToFloat(ha.back());
  }
  for (float &x : b) {
    hb.push_back(ptxemu::floatToBfloat(x));
    x = ptxemu::bfloatToFloat(hb.back());
  }
  Buffer<uint16_t> da(gpu, ha), db(gpu, hb);
  Buffer<float> dc(gpu, size_t(m * n * batch));
  float one = 1, zero = 0;
  CHECK_EQ(blas.gemmBatched(handle, 0, 0, m, n, k, &one, da.get(), 14, m, m * k,
                            db.get(), 14, k, 0, &zero, dc.get(), 0, m, m * n,
                            batch, 68, -1),
           0);
  const auto &found = dc.read();
  for (int i = 0; i < batch; ++i) {
    std::vector<float> ai(a.begin() + i * m * k, a.begin() + (i + 1) * m * k);
    std::vector<float> ci(found.begin() + i * m * n,
                          found.begin() + (i + 1) * m * n);
    CHECK_NEAR(worst(ci, expected(ai, b, false, false, m, n, k, plain)), 0,
               1e-5);
  }
}

void capturedAndBounds(const Gpu &gpu, const Cublas &blas, Handle handle) {
  CUstream stream;
  gpu.cuStreamCreate(&stream, 1);
  blas.setStream(handle, stream);
  Buffer<float> a(gpu, std::vector<float>(16, 1)), c(gpu, size_t(16));
  float one = 1;
  gpu.cuStreamBeginCapture_v2(stream, 0);
  CHECK_EQ(blas.sgemm(handle, 0, 0, 4, 4, 4, &one, a.get(), 4, a.get(), 4, &one,
                      c.get(), 4),
           0);
  CUgraph graph;
  gpu.check(gpu.cuStreamEndCapture(stream, &graph), "end");
  CUgraphExec executable;
  gpu.check(gpu.cuGraphInstantiateWithFlags(&executable, graph, 0),
            "instantiate");
  gpu.cuGraphLaunch(executable, stream);
  gpu.cuGraphLaunch(executable, stream);
  gpu.check(gpu.cuStreamSynchronize(stream), "cuStreamSynchronize");
  CHECK_EQ(c.read()[0], 8.0f);
  blas.sgemm(handle, 0, 0, 4, 4, 5, &one, a.get(), 4, a.get(), 5, &one, c.get(),
             4);
  CHECK_EQ(gpu.cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_CONTAINS(std::string(gpu.ptxemuLastReport()), "matrix A");
}

} // namespace

int main(int, char **argv) {
  Gpu gpu(argv[1]);
  Cublas blas(gpu);
  Handle handle;
  CHECK_EQ(blas.create(&handle), 0);
  products(gpu, blas, handle);
  batched(gpu, blas, handle);
  capturedAndBounds(gpu, blas, handle);
  blas.destroy(handle);
  return checkSummary();
}
