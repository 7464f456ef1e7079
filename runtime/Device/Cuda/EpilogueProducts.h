// EpilogueProducts: products with an epilogue (bias, rectifier), each as one
// call of cuBLASLt. For each shape it asks the library once which algorithm to
// take, and keeps the answer with the descriptors, so that a steady step
// allocates nothing. Algorithms get by with the fixed workspace, and add up in
// a fixed order.
#pragma once

#include "runtime/Device/Cuda/CublasLt.h"
#include "runtime/Device/Cuda/CudaDevice.h"
#include "runtime/Device/DeviceStep.h"

#include <map>
#include <memory>

namespace blocks::cuda {

class EpilogueProducts {
public:
  /// `workspace` is the GPU's, and outlives this.
  EpilogueProducts(std::shared_ptr<CudaDevice> device, DevicePointer workspace,
                   size_t workspaceBytes, bool tf32);
  ~EpilogueProducts();
  EpilogueProducts(const EpilogueProducts &) = delete;
  EpilogueProducts &operator=(const EpilogueProducts &) = delete;

  /// False if cuBLASLt is not there, or has no algorithm for the product:
  /// nothing was done. m, n and k are positive and fit 32 bits.
  bool run(const GemmArguments<float> &product, const GemmEpilogue &epilogue);
  bool run(const RoundedGemm &product, const GemmEpilogue &epilogue);

  /// Why cuBLASLt is not used, or empty.
  const std::string &notice() const { return reason; }
  size_t plans() const { return known.size(); }

private:
  /// What the choice of an algorithm depends on; matrices as cuBLASLt has them,
  /// by columns. An alignment is that of an address, in bytes, at most 256.
  struct Shape {
    int type = 0; ///< Of A and B.
    int transposeA = 0, transposeB = 0;
    int64_t m = 0, n = 0, k = 0, lda = 0, ldb = 0, ldc = 0;
    uint32_t alignments[3] = {}; ///< Of A, B and C.
    uint32_t biasAlignment = 0;  ///< 0: no bias.
    bool rectifies = false;
    auto operator<=>(const Shape &) const = default;
  };

  using Object = std::unique_ptr<void, int (*)(void *)>;
  struct Plan {
    Object product, a, b, c;
    LtAlgorithm algorithm{};
    bool isThere = false; ///< An algorithm was found.
  };
  struct Operands {
    const void *a, *b;
    float alpha, beta;
    float *c;
    const float *bias;
  };

  template <typename Product>
  bool runAs(int type, const Product &product, const GemmEpilogue &epilogue);
  bool multiply(const Shape &shape, const Operands &operands);
  Plan &planFor(const Shape &shape, const float *bias);
  Plan makePlan(const Shape &shape, const float *bias);
  void chooseAlgorithm(const Shape &shape, Plan &plan);
  Object layout(int type, int64_t rows, int64_t columns, int64_t leading);
  template <typename T> void set(const Object &product, int attribute, T value);
  void check(int status, const char *what) const;

  std::shared_ptr<CudaDevice> device;
  DevicePointer workspace;
  size_t workspaceBytes;
  bool tf32;
  CublasLt library;
  LtHandle handle = nullptr; ///< Null: not used.
  std::string reason;
  std::map<Shape, Plan> known;
};

} // namespace blocks::cuda
