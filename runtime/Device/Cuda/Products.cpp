// Products on a GPU: see Products.h.
#include "runtime/Device/Cuda/Products.h"

#include "blocks/Error.h"
#include "runtime/Device/Cuda/ProductKernel.h"

#include <algorithm>
#include <climits>

namespace blocks::cuda {

namespace {
/// What cuBLAS asks for on the largest GPUs; of one size for all, so that the
/// GPU's size does not decide how a product is cut.
constexpr size_t workspaceBytes = size_t(32) << 20;
constexpr int64_t largestGrid = 65535; ///< Of y and z.

/// The first capability with products of bf16.
constexpr int bf16Capability = 80;

template <typename P> bool isEmpty(const P &p, int64_t count) {
  return p.m <= 0 || p.n <= 0 || count <= 0;
}

[[noreturn]] void failTooLarge(int64_t m, int64_t n, int64_t k,
                               const char *what) {
  throw UnsupportedError("a product of " + std::to_string(m) + "x" +
                         std::to_string(k) + " and " + std::to_string(k) + "x" +
                         std::to_string(n) + " is too large for " + what +
                         "; use a smaller batch");
}

/// True if cuBLAS, which counts in 32 bits, can take the product.
template <typename P> bool fitsCublas(const P &p, const GemmStack &stack) {
  for (int64_t extent : {p.m, p.n, p.k, p.lda, p.ldb, p.ldc, stack.count})
    if (extent > INT_MAX)
      return false;
  return true;
}

/// A leading dimension as cuBLAS takes it: at least 1, even of an empty matrix.
int leading(int64_t extent) { return int(std::max<int64_t>(extent, 1)); }
} // namespace

Products::Products(std::shared_ptr<CudaDevice> theDevice, bool tf32)
    : device(std::move(theDevice)), workspace(device) {
  try {
    open(tf32);
  } catch (...) {
    if (handle)
      cublas.destroy(handle);
    throw;
  }
  if (!handle)
    ownKernels(); // Errors come before the first step.
}

void Products::open(bool tf32) {
  if (!cublas.usable()) {
    reason = cublas.library().problem();
    return;
  }
  int status = cublas.create(&handle);
  if (status != 0) {
    handle = nullptr;
    reason =
        cublas.library().file() + " cannot start: " + cublas.describe(status);
    return;
  }
  workspace.reserve(workspaceBytes, "cuBLAS");
  // In this order: a new stream takes the workspace away.
  checkCublas(cublas.setStream(handle, device->compute()), "take the stream");
  checkCublas(cublas.setWorkspace(handle,
                                  reinterpret_cast<void *>(workspace.address()),
                                  workspaceBytes),
              "take its workspace");
  checkCublas(
      cublas.setMathMode(handle, tf32 ? cublasTf32Math : cublasDefaultMath),
      "take its mode");
  // They may have the same workspace, since they work in one stream.
  together.emplace(device, workspace.address(), workspaceBytes, tf32);
}

Products::~Products() {
  device->settle();
  together.reset();
  if (handle)
    cublas.destroy(handle);
}

void Products::checkCublas(int status, const char *what) const {
  if (status != 0)
    throw UnsupportedError("cuBLAS cannot " + std::string(what) + ": " +
                           cublas.describe(status) +
                           "; blocks-run doctor shows the state of the GPU");
}

void Products::run(const GemmArguments<float> &p, const GemmStack &stack) {
  if (isEmpty(p, stack.count))
    return;
  handle ? runCublas(p, stack) : runOwn(p, stack);
}

void Products::run(const GemmArguments<double> &p, const GemmStack &stack) {
  if (isEmpty(p, stack.count))
    return;
  handle ? runCublas(p, stack) : runOwn(p, stack);
}

void Products::requireRounded() const {
  if (device->info().capability < bf16Capability)
    throw UnsupportedError("the GPU '" + device->info().name +
                           "' has no products of bf16, which came with sm_80; "
                           "use --precision f32");
  if (!handle)
    throw UnsupportedError("products of bf16 need cuBLAS, which is not used: " +
                           reason + "; install it or use --precision f32");
}

void Products::run(const RoundedGemm &p, const GemmStack &stack) {
  requireRounded();
  if (isEmpty(p, stack.count))
    return;
  if (!fitsCublas(p, stack))
    failTooLarge(p.m, p.n, p.k, "cuBLAS");
  // As in runCublas, operands change places.
  checkCublas(cublas.gemmStackEx(
                  handle, p.transposeB ? cublasTransposed : cublasNormal,
                  p.transposeA ? cublasTransposed : cublasNormal, int(p.n),
                  int(p.m), int(p.k), &p.alpha, p.b, cublasBf16, leading(p.ldb),
                  stack.strideB, p.a, cublasBf16, leading(p.lda), stack.strideA,
                  &p.beta, p.c, cublasF32, leading(p.ldc), stack.strideC,
                  int(stack.count), cublasComputeF32, cublasDefaultAlgorithm),
              "multiply bf16 numbers");
}

void Products::run(const GemmArguments<float> &p,
                   const GemmEpilogue &epilogue) {
  runWith(p, epilogue);
}

void Products::run(const RoundedGemm &p, const GemmEpilogue &epilogue) {
  requireRounded();
  runWith(p, epilogue);
}

/// A sum without terms is no product for cuBLASLt.
template <typename Product>
void Products::runWith(const Product &p, const GemmEpilogue &epilogue) {
  if (isEmpty(p, 1))
    return;
  if (together && p.k > 0 && fitsCublas(p, GemmStack{}) &&
      together->run(p, epilogue))
    return;
  run(p, GemmStack{});
  runEpilogue(p.m, p.n, p.c, p.ldc, epilogue);
}

const std::string &Products::epilogueNotice() const {
  return together ? together->notice() : reason;
}

// cuBLAS stores matrices by columns: what it sees of ours are their transposes,
// and Cᵀ = op(B)ᵀ op(A)ᵀ. So the operands change places and nothing is copied.
template <typename T>
void Products::runCublas(const GemmArguments<T> &p, const GemmStack &stack) {
  if (!fitsCublas(p, stack))
    failTooLarge(p.m, p.n, p.k, "cuBLAS");
  int first = p.transposeB ? cublasTransposed : cublasNormal;
  int second = p.transposeA ? cublasTransposed : cublasNormal;
  int m = int(p.n), n = int(p.m), k = int(p.k);
  int lda = leading(p.ldb), ldb = leading(p.lda), ldc = leading(p.ldc);
  int status = 0;
  if constexpr (sizeof(T) == sizeof(float))
    status = stack.count == 1
                 ? cublas.sgemm(handle, first, second, m, n, k, &p.alpha, p.b,
                                lda, p.a, ldb, &p.beta, p.c, ldc)
                 : cublas.sgemmStack(handle, first, second, m, n, k, &p.alpha,
                                     p.b, lda, stack.strideB, p.a, ldb,
                                     stack.strideA, &p.beta, p.c, ldc,
                                     stack.strideC, int(stack.count));
  else
    status = stack.count == 1
                 ? cublas.dgemm(handle, first, second, m, n, k, &p.alpha, p.b,
                                lda, p.a, ldb, &p.beta, p.c, ldc)
                 : cublas.dgemmStack(handle, first, second, m, n, k, &p.alpha,
                                     p.b, lda, stack.strideB, p.a, ldb,
                                     stack.strideA, &p.beta, p.c, ldc,
                                     stack.strideC, int(stack.count));
  checkCublas(status, "multiply");
}

template <typename T>
void Products::runOwn(const GemmArguments<T> &p, const GemmStack &stack) {
  int64_t rows = (p.m + productTile - 1) / productTile;
  int64_t columns = (p.n + productTile - 1) / productTile;
  if (rows > INT_MAX || columns > largestGrid)
    failTooLarge(p.m, p.n, p.k, "the product without cuBLAS");
  GemmArguments<T> one = p;
  GemmStack step = stack;
  int64_t aRow = p.transposeA ? 1 : p.lda, aColumn = p.transposeA ? p.lda : 1;
  int64_t bRow = p.transposeB ? 1 : p.ldb, bColumn = p.transposeB ? p.ldb : 1;
  void *parameters[] = {&one.m,   &one.n,        &one.k,        &one.alpha,
                        &one.a,   &aRow,         &aColumn,      &one.b,
                        &bRow,    &bColumn,      &one.beta,     &one.c,
                        &one.ldc, &step.strideA, &step.strideB, &step.strideC};
  Function kernel = ownKernels().function(sizeof(T) == sizeof(float) ? 0 : 1);
  for (int64_t begin = 0; begin < stack.count; begin += largestGrid) {
    int64_t count = std::min(stack.count - begin, largestGrid);
    one.a = p.a + begin * stack.strideA;
    one.b = p.b + begin * stack.strideB;
    one.c = p.c + begin * stack.strideC;
    device->driver().check(device->driver().launchKernel(
                               kernel, unsigned(rows), unsigned(columns),
                               unsigned(count), productTile, productTile, 1, 0,
                               device->compute(), parameters, nullptr),
                           "start a product on the GPU");
  }
}

/// Loaded when the first one is needed.
const CudaModule &Products::ownKernels() {
  if (!own)
    own.emplace(device, productKernelText(),
                std::vector<std::string>{productKernelF32, productKernelF64,
                                         epilogueKernel});
  return *own;
}

void Products::runEpilogue(int64_t m, int64_t n, float *c, int64_t ldc,
                           const GemmEpilogue &epilogue) {
  int64_t blocks = (m + epilogueRows - 1) / epilogueRows;
  if (blocks > INT_MAX)
    failTooLarge(m, n, 0, "a GPU");
  const float *bias = epilogue.bias;
  unsigned rectifies = epilogue.rectifies;
  void *parameters[] = {&m, &n, &c, &ldc, &bias, &rectifies};
  device->driver().check(
      device->driver().launchKernel(ownKernels().function(2), unsigned(blocks),
                                    1, 1, epilogueColumns, epilogueRows, 1, 0,
                                    device->compute(), parameters, nullptr),
      "add a bias on the GPU");
}

} // namespace blocks::cuda
