// Products on a GPU against plain loops, through cuBLAS (the emulator's) and
// through the own kernel: both types, transposes, strides, factors, stacks,
// empty ones; and that they repeat bit for bit. Epilogues through cuBLASLt (the
// emulator's) and as a kernel behind the product.
#include "test/Check.h"
#include "test/runtime/CountAllocations.h"
#include "test/runtime/CudaTestProgram.h"

#include "runtime/Device/Cuda/Products.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace blocks;
using namespace blocks::cuda;

namespace {

/// One case; `c` begins with values, so that beta shows.
struct Case {
  int64_t m, n, k;
  bool transposeA = false, transposeB = false;
  double alpha = 1, beta = 0;
  int64_t count = 1;
  bool sharedB = false; ///< One B for the whole stack.
  int64_t padding = 0;  ///< Of the leading dimensions.
};

/// A matrix for each product: elements in host memory and on the GPU.
template <typename T> class Matrices {
public:
  Matrices(const std::shared_ptr<CudaDevice> &device, int64_t elements,
           int64_t seed)
      : host(size_t(elements)), device(device), gpu(device) {
    for (size_t i = 0; i < host.size(); ++i)
      host[i] = T((int64_t(i) * 7 + seed) % 11 - 5) / 4;
    gpu.reserve(host.size() * sizeof(T), "a test");
    upload();
  }
  void upload() {
    device->driver().copyToDevice(gpu.address(), host.data(),
                                  host.size() * sizeof(T), device->compute());
  }
  std::vector<T> read() const {
    std::vector<T> values(host.size());
    device->driver().copyToHost(values.data(), gpu.address(),
                                host.size() * sizeof(T), device->compute());
    CHECK_EQ(int(device->driver().streamSynchronize(device->compute())), 0);
    return values;
  }
  T *pointer() const { return reinterpret_cast<T *>(gpu.address()); }
  std::vector<T> host;

private:
  std::shared_ptr<CudaDevice> device;
  DeviceBuffer gpu;
};

template <typename T>
void checkCase(const std::shared_ptr<CudaDevice> &device, Products &products,
               const Case &c) {
  int64_t lda = (c.transposeA ? c.m : c.k) + c.padding;
  int64_t ldb = (c.transposeB ? c.k : c.n) + c.padding, ldc = c.n + c.padding;
  int64_t sizeA = (c.transposeA ? c.k : c.m) * lda;
  int64_t sizeB = (c.transposeB ? c.n : c.k) * ldb, sizeC = c.m * ldc;
  Matrices<T> a(device, sizeA * c.count, 1), b(device, sizeB * c.count, 5),
      d(device, sizeC * c.count, 3);
  GemmStack stack{sizeA, c.sharedB ? 0 : sizeB, sizeC, c.count};
  GemmArguments<T> p{c.transposeA, c.transposeB, c.m, c.n,         c.k,
                     T(c.alpha),   a.pointer(),  lda, b.pointer(), ldb,
                     T(c.beta),    d.pointer(),  ldc};
  products.run(p, stack);
  std::vector<T> first = d.read();
  d.upload();
  products.run(p, stack);
  std::vector<T> second = d.read();
  CHECK(std::memcmp(first.data(), second.data(), first.size() * sizeof(T)) ==
        0);
  for (int64_t z = 0; z < c.count; ++z)
    for (int64_t i = 0; i < c.m; ++i)
      for (int64_t j = 0; j < ldc; ++j) {
        size_t at = size_t(z * sizeC + i * ldc + j);
        if (j >= c.n) { // Padding stays.
          CHECK_EQ(first[at], d.host[at]);
          continue;
        }
        double sum = 0;
        for (int64_t l = 0; l < c.k; ++l) {
          int64_t ai = c.transposeA ? l * lda + i : i * lda + l;
          int64_t bi = c.transposeB ? j * ldb + l : l * ldb + j;
          sum += double(a.host[size_t(z * sizeA + ai)]) *
                 double(b.host[size_t(z * stack.strideB + bi)]);
        }
        double expected = c.alpha * sum + c.beta * double(d.host[at]);
        CHECK_NEAR(first[at], expected, 1e-5 * (1 + std::fabs(expected)));
      }
}

void checkAll(const std::shared_ptr<CudaDevice> &device, Products &products) {
  const Case cases[] = {
      {1, 1, 1},
      {5, 7, 3},
      {16, 16, 16},
      {33, 20, 17},
      {33, 20, 17, true},
      {33, 20, 17, false, true},
      {18, 35, 40, true, true, 0.5, 2},
      {9, 5, 21, false, false, -1.5, 1, 1, false, 3},
      {4, 6, 0, false, false, 1, 2},
      {4, 6, 0},
      {3, 4, 5, false, true, 1, 0, 6},
      {3, 4, 5, true, false, 2, 1, 4, true, 1},
      {0, 4, 5},
      {4, 0, 5},
  };
  for (const Case &c : cases) {
    checkCase<float>(device, products, c);
    checkCase<double>(device, products, c);
  }
}

// --- Epilogues --------------------------------------------------------------

struct EpilogueCase {
  int64_t m, n, k;
  bool transposeA = false, transposeB = false;
  double beta = 0;
  bool bias = true, rectifies = false;
  int64_t padding = 0; ///< Of the leading dimensions.
  int64_t shift = 0;   ///< Of all matrices and the bias, in elements.
};

/// The product alone, and then by hand what the epilogue does.
void checkEpilogue(const std::shared_ptr<CudaDevice> &device,
                   Products &products, const EpilogueCase &c) {
  int64_t lda = (c.transposeA ? c.m : c.k) + c.padding;
  int64_t ldb = (c.transposeB ? c.k : c.n) + c.padding, ldc = c.n + c.padding;
  int64_t sizeC = c.m * ldc + c.shift;
  Matrices<float> a(device, (c.transposeA ? c.k : c.m) * lda + c.shift, 1),
      b(device, (c.transposeB ? c.n : c.k) * ldb + c.shift, 5),
      bias(device, c.n + c.shift, 2), d(device, sizeC, 3);
  GemmArguments<float> p{c.transposeA,
                         c.transposeB,
                         c.m,
                         c.n,
                         c.k,
                         1.5f,
                         a.pointer() + c.shift,
                         lda,
                         b.pointer() + c.shift,
                         ldb,
                         float(c.beta),
                         d.pointer() + c.shift,
                         ldc};
  products.run(p, GemmStack{});
  std::vector<float> plain = d.read();
  GemmEpilogue epilogue{c.bias ? bias.pointer() + c.shift : nullptr,
                        c.rectifies};
  for (int run = 0; run < 2; ++run) {
    d.upload();
    products.run(p, epilogue);
    std::vector<float> found = d.read();
    for (int64_t i = 0; i < c.m; ++i)
      for (int64_t j = 0; j < ldc; ++j) {
        size_t at = size_t(c.shift + i * ldc + j);
        float expected = plain[at];
        if (j < c.n && c.bias)
          expected += bias.host[size_t(c.shift + j)];
        if (j < c.n && c.rectifies)
          expected = std::max(expected, 0.0f);
        CHECK_EQ(found[at], expected);
      }
  }
}

void checkEpilogues(const std::shared_ptr<CudaDevice> &device,
                    Products &products) {
  const EpilogueCase cases[] = {
      {1, 1, 1},
      {5, 7, 3},
      {1, 35, 40, false, false, 0, true, true},
      {33, 20, 300, true, false, 0, true, true},
      {33, 65, 17, false, true, 1, true, true},
      {9, 5, 21, true, true, 1, true, false, 3},
      {9, 5, 21, false, false, 0, true, true, 3, 1},
      {4, 6, 5, false, false, 0, false, true},
      {4, 6, 5, false, false, 0, false, false},
      {4, 6, 0, false, false, 1, true, true},
      {4, 6, 0},
      {0, 4, 5},
      {4, 0, 5},
  };
  for (const EpilogueCase &c : cases)
    checkEpilogue(device, products, c);
}

/// A number that is none passes the rectifier.
void checkNaN(const std::shared_ptr<CudaDevice> &device, Products &products) {
  Matrices<float> a(device, 1, 0), bias(device, 1, 0), c(device, 1, 0);
  bias.host = {std::nanf("")};
  bias.upload();
  products.run(GemmArguments<float>{false, false, 1, 1, 1, 1, a.pointer(), 1,
                                    a.pointer(), 1, 0, c.pointer(), 1},
               GemmEpilogue{bias.pointer(), true});
  CHECK(std::isnan(c.read()[0]));
}

/// The bits of a number that bf16 has exactly.
uint16_t toBf16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return uint16_t(bits >> 16);
}

/// Small multiples of 1/4: all sums are exact.
float roundedElement(int64_t i) { return float((i * 5 + 2) % 9 - 4) / 4; }

/// c = a·bᵀ + c, three times, with operands of bf16.
void checkRounded(const std::shared_ptr<CudaDevice> &device,
                  Products &products) {
  const int64_t m = 5, n = 7, k = 9, count = 3;
  Matrices<uint16_t> a(device, m * k * count, 0), b(device, n * k, 0);
  Matrices<float> c(device, m * n * count, 3);
  for (auto *matrices : {&a, &b}) {
    for (size_t i = 0; i < matrices->host.size(); ++i)
      matrices->host[i] = toBf16(roundedElement(int64_t(i)));
    matrices->upload();
  }
  products.run(RoundedGemm{false, true, m, n, k, 1, a.pointer(), k, b.pointer(),
                           k, 1, c.pointer(), n},
               GemmStack{m * k, 0, m * n, count});
  std::vector<float> result = c.read();
  for (int64_t z = 0; z < count; ++z)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        size_t at = size_t((z * m + i) * n + j);
        float expected = c.host[at];
        for (int64_t l = 0; l < k; ++l)
          expected +=
              roundedElement((z * m + i) * k + l) * roundedElement(j * k + l);
        CHECK_EQ(result[at], expected);
      }
}

/// c = max(a·bᵀ + bias, 0), with operands of bf16.
void checkRoundedEpilogue(const std::shared_ptr<CudaDevice> &device,
                          Products &products) {
  const int64_t m = 5, n = 7, k = 9;
  Matrices<uint16_t> a(device, m * k, 0), b(device, n * k, 0);
  Matrices<float> bias(device, n, 2), c(device, m * n, 3);
  for (auto *matrices : {&a, &b}) {
    for (size_t i = 0; i < matrices->host.size(); ++i)
      matrices->host[i] = toBf16(roundedElement(int64_t(i)));
    matrices->upload();
  }
  products.run(RoundedGemm{false, true, m, n, k, 1, a.pointer(), k, b.pointer(),
                           k, 0, c.pointer(), n},
               GemmEpilogue{bias.pointer(), true});
  std::vector<float> result = c.read();
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float expected = bias.host[size_t(j)];
      for (int64_t l = 0; l < k; ++l)
        expected += roundedElement(i * k + l) * roundedElement(j * k + l);
      CHECK_EQ(result[size_t(i * n + j)], std::max(expected, 0.0f));
    }
}

/// Two launches in place of one.
void checkWithoutLt(const std::shared_ptr<CudaDevice> &device) {
  WithEnvironment none("BLOCKS_CUDA_CUBLASLT", "/nowhere/libcublasLt.so");
  Products products(device, false);
  CHECK_EQ(products.notice(), "");
  CHECK_CONTAINS(products.epilogueNotice(), "$BLOCKS_CUDA_CUBLASLT names");
  checkEpilogues(device, products);
  checkNaN(device, products);
  checkRoundedEpilogue(device, products);
}

/// One plan for a shape, whatever the addresses, and no more than are kept.
void checkPlans(const std::shared_ptr<CudaDevice> &device) {
  DeviceBuffer workspace(device);
  workspace.reserve(1 << 20, "a test");
  EpilogueProducts products(device, workspace.address(), 1 << 20, false);
  CHECK_EQ(products.notice(), "");
  Matrices<float> a(device, 4096, 0), bias(device, 256, 0), c(device, 4096, 0);
  auto run = [&](int64_t m, int64_t shift, int64_t k = 1) {
    return products.run(GemmArguments<float>{false, false, m, 1, k, 1,
                                             a.pointer() + shift, k,
                                             a.pointer(), 1, 0, c.pointer(), 1},
                        GemmEpilogue{bias.pointer(), false});
  };
  CHECK(run(3, 0));
  CHECK(run(3, 64));
  CHECK_EQ(products.plans(), size_t(1));
  CHECK(run(3, 1)); // Another alignment.
  CHECK_EQ(products.plans(), size_t(2));
  for (int64_t m = 4; m < 1030; ++m)
    CHECK(run(m, 0));
  CHECK(products.plans() < 1025);
  run(4, 0);
  run(5, 0);
  int64_t before = allocations;
  for (int i = 0; i < 20; ++i)
    run(4 + i % 2, 0);
  CHECK_EQ(allocations - before, 0);
  // A sum so long that the algorithm wants room, of which there is too little.
  EpilogueProducts narrow(device, workspace.address(), 4096, false);
  CHECK(run(1, 0, 300));
  CHECK(
      !narrow.run(GemmArguments<float>{false, false, 1, 1, 300, 1, a.pointer(),
                                       300, a.pointer(), 1, 0, c.pointer(), 1},
                  GemmEpilogue{bias.pointer(), false}));
  CHECK_EQ(narrow.plans(), size_t(1));
}

/// With TF32 the operands are rounded to 10 bits of mantissa.
void checkTf32(const std::shared_ptr<CudaDevice> &device) {
  Products products(device, true);
  Matrices<float> a(device, 1, 0), bias(device, 1, 0), c(device, 1, 0);
  a.host = {1 + 1.0f / 4096};
  a.upload();
  products.run(GemmArguments<float>{false, false, 1, 1, 1, 1, a.pointer(), 1,
                                    a.pointer(), 1, 0, c.pointer(), 1},
               GemmEpilogue{bias.pointer(), false});
  CHECK_EQ(c.read()[0], 1 + bias.host[0]);
}

/// Not without cuBLAS.
void checkNotRounded(Products &products) {
  CHECK_THROWS(products.run(RoundedGemm{}, GemmStack{}),
               "products of bf16 need cuBLAS, which is not used: "
               "$BLOCKS_CUDA_CUBLAS names");
}

} // namespace

int main(int argc, char **argv) {
  auto device = std::make_shared<CudaDevice>(0);
  device->makeCurrent();
  {
    Products products(device, false);
    CHECK_EQ(products.notice(), "");
    checkAll(device, products);
    checkRounded(device, products);
    CHECK_EQ(products.epilogueNotice(), "");
    checkEpilogues(device, products);
    checkNaN(device, products);
    checkRoundedEpilogue(device, products);
  }
  checkWithoutLt(device);
  checkPlans(device);
  checkTf32(device);
  WithEnvironment none("BLOCKS_CUDA_CUBLAS", "/nowhere/libcublas.so");
  Products own(device, false);
  CHECK_CONTAINS(own.notice(), "$BLOCKS_CUDA_CUBLAS names /nowhere");
  CHECK_EQ(own.epilogueNotice(), own.notice());
  checkAll(device, own);
  checkEpilogues(device, own);
  checkNaN(device, own);
  checkNotRounded(own);
  return checkSummary();
}
