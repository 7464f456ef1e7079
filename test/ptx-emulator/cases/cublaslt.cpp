// The cuBLASLt stand-in: products with epilogues, and what it refuses: matrices
// that do not fit together, an algorithm for another product or without its
// workspace, addresses that are less aligned than was said, a bias out of
// bounds.
#include "Gpu.h"

#include <cmath>

namespace {

struct Algorithm {
  uint64_t data[8];
};
struct Choice {
  Algorithm algorithm;
  size_t workspaceBytes;
  int state;
  float waves;
  int reserved[4];
};

constexpr int invalid = 7, unsupported = 15;

struct CublasLt {
  int (*create)(void **);
  int (*destroy)(void *);
  int (*createProduct)(void **, int, int);
  int (*destroyProduct)(void *);
  int (*setProduct)(void *, int, const void *, size_t);
  int (*createLayout)(void **, int, uint64_t, uint64_t, int64_t);
  int (*destroyLayout)(void *);
  int (*createPreference)(void **);
  int (*destroyPreference)(void *);
  int (*setPreference)(void *, int, const void *, size_t);
  int (*choose)(void *, void *, void *, void *, void *, void *, void *, int,
                Choice *, int *);
  int (*multiply)(void *, void *, const void *, CUdeviceptr, void *,
                  CUdeviceptr, void *, const void *, CUdeviceptr, void *,
                  CUdeviceptr, void *, const Algorithm *, CUdeviceptr, size_t,
                  CUstream);

  explicit CublasLt(const Gpu &gpu) {
    resolve(gpu, create, "cublasLtCreate");
    resolve(gpu, destroy, "cublasLtDestroy");
    resolve(gpu, createProduct, "cublasLtMatmulDescCreate");
    resolve(gpu, destroyProduct, "cublasLtMatmulDescDestroy");
    resolve(gpu, setProduct, "cublasLtMatmulDescSetAttribute");
    resolve(gpu, createLayout, "cublasLtMatrixLayoutCreate");
    resolve(gpu, destroyLayout, "cublasLtMatrixLayoutDestroy");
    resolve(gpu, createPreference, "cublasLtMatmulPreferenceCreate");
    resolve(gpu, destroyPreference, "cublasLtMatmulPreferenceDestroy");
    resolve(gpu, setPreference, "cublasLtMatmulPreferenceSetAttribute");
    resolve(gpu, choose, "cublasLtMatmulAlgoGetHeuristic");
    resolve(gpu, multiply, "cublasLtMatmul");
  }
  template <class F>
  void resolve(const Gpu &gpu, F &function, const char *name) {
    function = reinterpret_cast<F>(gpu.symbol(name));
  }
};

/// A product of m×k and k×n, dense, by columns, with what it is described by.
struct Product {
  const CublasLt &lt;
  void *handle = nullptr, *product = nullptr, *a = nullptr, *b = nullptr,
       *c = nullptr, *preference = nullptr;
  Choice choice{};
  int found = 0;

  Product(const CublasLt &lt, void *handle, int m, int n, int k, int type = 0)
      : lt(lt), handle(handle) {
    CHECK_EQ(lt.createProduct(&product, 68, 0), 0);
    CHECK_EQ(lt.createLayout(&a, type, uint64_t(m), uint64_t(k), m), 0);
    CHECK_EQ(lt.createLayout(&b, type, uint64_t(k), uint64_t(n), k), 0);
    CHECK_EQ(
        lt.createLayout(&c, type == 1 ? 1 : 0, uint64_t(m), uint64_t(n), m), 0);
    CHECK_EQ(lt.createPreference(&preference), 0);
  }
  ~Product() {
    CHECK_EQ(lt.destroyProduct(product), 0);
    for (void *layout : {a, b, c})
      CHECK_EQ(lt.destroyLayout(layout), 0);
    CHECK_EQ(lt.destroyPreference(preference), 0);
  }
  Product(const Product &) = delete;
  Product &operator=(const Product &) = delete;

  template <class T> int set(int attribute, T value) {
    return lt.setProduct(product, attribute, &value, sizeof value);
  }
  template <class T> int prefer(int attribute, T value) {
    return lt.setPreference(preference, attribute, &value, sizeof value);
  }
  int choose() {
    return lt.choose(handle, product, a, b, c, c, preference, 1, &choice,
                     &found);
  }
  int run(CUdeviceptr left, CUdeviceptr right, CUdeviceptr out, float beta = 0,
          CUdeviceptr workspace = 0, size_t bytes = 0) {
    float one = 1;
    return lt.multiply(handle, product, &one, left, a, right, b, &beta, out, c,
                       out, c, &choice.algorithm, workspace, bytes, nullptr);
  }
};

void epilogues(const Gpu &gpu, const CublasLt &lt, void *handle) {
  Buffer<float> a(gpu, {1, 2, 3, 4, 5, 6}); // 3×2 by columns
  Buffer<float> b(gpu, {1, -1, 2, 1});      // 2×2
  Buffer<float> bias(gpu, {10, 0, -20});
  Buffer<float> c(gpu, size_t(6));
  // a b = (-3 -3 -3), (6 9 12)
  for (uint32_t epilogue : {1u, 2u, 4u, 6u}) {
    Product p(lt, handle, 3, 2, 2);
    CHECK_EQ(p.set(7, epilogue), 0);
    if (epilogue & 4)
      CHECK_EQ(p.set(8, bias.get()), 0);
    CHECK_EQ(p.choose(), 0);
    CHECK_EQ(p.found, 1);
    CHECK_EQ(p.run(a.get(), b.get(), c.get()), 0);
    std::vector<float> wanted = {-3, -3, -3, 6, 9, 12};
    for (size_t i = 0; i < 6; ++i) {
      if (epilogue & 4)
        wanted[i] += std::vector<float>{10, 0, -20}[i % 3];
      if (epilogue & 2)
        wanted[i] = std::max(wanted[i], 0.0f);
    }
    CHECK(c.read() == wanted);
  }
}

void refused(const Gpu &gpu, const CublasLt &lt, void *handle) {
  Buffer<float> a(gpu, size_t(1024)), bias(gpu, size_t(4)), c(gpu, size_t(64));
  void *layout = nullptr;
  CHECK_EQ(lt.createLayout(&layout, 0, 4, 2, 3), invalid); // columns overlap
  {
    Product p(lt, handle, 4, 2, 2);
    CHECK_EQ(p.set(7, uint32_t(32)), unsupported); // GELU
    CHECK_EQ(p.set(7, uint64_t(4)), invalid);      // a value of 4 bytes
    CHECK_EQ(p.set(7, uint32_t(4)), 0);
    CHECK_EQ(p.choose(), invalid); // without a bias
    CHECK_EQ(p.set(8, bias.get()), 0);
    CHECK_EQ(p.prefer(5, uint32_t(3)), invalid); // no power of two
    CHECK_EQ(p.choose(), 0);
    CHECK_EQ(p.run(a.get() + 4, a.get(), c.get()), invalid); // 256 was said
    CHECK_EQ(p.run(a.get(), a.get(), c.get()), 0);
    CHECK_EQ(p.set(3, int32_t(1)), 0); // now 2×4 and 2×2: do not fit
    CHECK_EQ(p.run(a.get(), a.get(), c.get()), invalid);
  }
  {
    Product p(lt, handle, 2, 2, 2);
    CHECK_EQ(p.choose(), 0);
    CHECK_EQ(p.set(4, int32_t(1)), 0); // fits, but another product
    CHECK_EQ(p.run(a.get(), a.get(), c.get()), invalid);
  }
  {
    Product p(lt, handle, 1, 1, 300);
    CHECK_EQ(p.choose(), unsupported); // no room was offered
    CHECK_EQ(p.prefer(1, uint64_t(4 << 20)), 0);
    CHECK_EQ(p.choose(), 0);
    CHECK(p.choice.workspaceBytes > 0);
    CHECK_EQ(p.run(a.get(), a.get(), c.get()), invalid); // none given
    Buffer<float> room(gpu, size_t(1 << 20));
    CHECK_EQ(p.run(a.get(), a.get(), c.get(), 0, room.get(), 4096), invalid);
    CHECK_EQ(p.run(a.get(), a.get(), c.get(), 0, room.get(), 4 << 20), 0);
  }
  Product wide(lt, handle, 2, 2, 2, 1);
  CHECK_EQ(wide.choose(), unsupported); // f64
  CHECK_EQ(lt.destroyProduct(nullptr), invalid);
  CHECK_EQ(lt.destroyLayout(wide.product), invalid);
}

void outOfBounds(const Gpu &gpu, const CublasLt &lt, void *handle) {
  Buffer<float> a(gpu, size_t(4)), bias(gpu, size_t(1)), c(gpu, size_t(4));
  Product p(lt, handle, 2, 2, 2);
  CHECK_EQ(p.set(7, uint32_t(4)), 0);
  CHECK_EQ(p.set(8, bias.get()), 0);
  CHECK_EQ(p.choose(), 0);
  CHECK_EQ(p.run(a.get(), a.get(), c.get()), 0);
  CHECK_EQ(gpu.cuStreamSynchronize(nullptr), CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_CONTAINS(std::string(gpu.ptxemuLastReport()), "matrix bias");
}

} // namespace

int main(int, char **argv) {
  Gpu gpu(argv[1]);
  CublasLt lt(gpu);
  void *handle = nullptr;
  CHECK_EQ(lt.create(&handle), 0);
  epilogues(gpu, lt, handle);
  refused(gpu, lt, handle);
  outOfBounds(gpu, lt, handle);
  CHECK_EQ(lt.destroy(handle), 0);
  CHECK_EQ(lt.destroy(handle), invalid);
  return checkSummary();
}
