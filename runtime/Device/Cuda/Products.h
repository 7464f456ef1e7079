// Products: matrix products on a GPU, through cuBLAS where it is installed,
// else through the runtime's own kernel. They repeat bit for bit: cuBLAS has
// one stream, a workspace of fixed size, and no atomic additions.
#pragma once

#include "runtime/Device/Cuda/Cublas.h"
#include "runtime/Device/Cuda/CudaBuffers.h"
#include "runtime/Device/Cuda/CudaModule.h"
#include "runtime/Device/Cuda/EpilogueProducts.h"
#include "runtime/Device/DeviceStep.h"

#include <optional>

namespace blocks::cuda {

class Products {
public:
  /// `tf32` lets cuBLAS round the operands of f32 products.
  Products(std::shared_ptr<CudaDevice> device, bool tf32);
  ~Products();
  Products(const Products &) = delete;
  Products &operator=(const Products &) = delete;

  void run(const GemmArguments<float> &arguments, const GemmStack &stack);
  void run(const GemmArguments<double> &arguments, const GemmStack &stack);
  /// cuBLAS's alone, from sm_80 on; else an UnsupportedError.
  void run(const RoundedGemm &arguments, const GemmStack &stack);

  /// A product and what is done to it before it is written: at once through
  /// cuBLASLt where it can do it, else in a kernel behind the product.
  void run(const GemmArguments<float> &arguments, const GemmEpilogue &epilogue);
  void run(const RoundedGemm &arguments, const GemmEpilogue &epilogue);

  /// Why cuBLAS is not used, or empty.
  const std::string &notice() const { return reason; }
  /// Why cuBLASLt is not used, or empty.
  const std::string &epilogueNotice() const;

private:
  void open(bool tf32);
  void checkCublas(int status, const char *what) const;
  template <typename T>
  void runCublas(const GemmArguments<T> &arguments, const GemmStack &stack);
  template <typename T>
  void runOwn(const GemmArguments<T> &arguments, const GemmStack &stack);
  void requireRounded() const;
  template <typename Product>
  void runWith(const Product &product, const GemmEpilogue &epilogue);
  void runEpilogue(int64_t m, int64_t n, float *c, int64_t ldc,
                   const GemmEpilogue &epilogue);
  const CudaModule &ownKernels();

  std::shared_ptr<CudaDevice> device;
  Cublas cublas;
  CublasHandle handle = nullptr; ///< Null: the own kernel runs.
  DeviceBuffer workspace;
  std::optional<EpilogueProducts> together; ///< With cuBLAS.
  std::optional<CudaModule> own;            ///< When they are needed.
  std::string reason;
};

} // namespace blocks::cuda
