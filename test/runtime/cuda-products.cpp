// Products on a GPU against plain loops, through cuBLAS (the emulator's) and
// through the own kernel: both types, transposes, strides, factors, stacks,
// empty ones; and that they repeat bit for bit.
#include "test/Check.h"
#include "test/runtime/CudaTestProgram.h"

#include "runtime/Device/Cuda/Products.h"

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
               {m * k, 0, m * n, count});
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

/// Not without cuBLAS.
void checkNotRounded(Products &products) {
  CHECK_THROWS(products.run(RoundedGemm{}, {}),
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
  }
  WithEnvironment none("BLOCKS_CUDA_CUBLAS", "/nowhere/libcublas.so");
  Products own(device, false);
  CHECK_CONTAINS(own.notice(), "$BLOCKS_CUDA_CUBLAS names /nowhere");
  checkAll(device, own);
  checkNotRounded(own);
  return checkSummary();
}
