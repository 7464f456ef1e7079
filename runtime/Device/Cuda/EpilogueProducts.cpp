// Calls of cuBLASLt: see EpilogueProducts.h.
#include "runtime/Device/Cuda/EpilogueProducts.h"

#include "blocks/Error.h"

#include <algorithm>

namespace blocks::cuda {

namespace {
/// When there are more, all are made again, with the same algorithms: programs
/// with axes of many extents, such as time, have a shape for each.
constexpr size_t mostPlans = 1024;

/// As far as algorithms care.
uint32_t alignmentOf(const void *address) {
  auto bits = reinterpret_cast<uintptr_t>(address);
  return uint32_t(std::min<uintptr_t>(bits & (~bits + 1), 256));
}
} // namespace

EpilogueProducts::EpilogueProducts(std::shared_ptr<CudaDevice> theDevice,
                                   DevicePointer theWorkspace, size_t bytes,
                                   bool useTf32)
    : device(std::move(theDevice)), workspace(theWorkspace),
      workspaceBytes(bytes), tf32(useTf32) {
  if (!library.usable()) {
    reason = library.library().problem();
    return;
  }
  if (int status = library.create(&handle); status != 0) {
    handle = nullptr;
    reason = library.library().file() + " cannot start (status " +
             std::to_string(status) + ")";
  }
}

EpilogueProducts::~EpilogueProducts() {
  if (!handle)
    return;
  device->settle();
  known.clear();
  library.destroy(handle);
}

bool EpilogueProducts::run(const GemmArguments<float> &product,
                           const GemmEpilogue &epilogue) {
  return runAs(cublasF32, product, epilogue);
}

bool EpilogueProducts::run(const RoundedGemm &product,
                           const GemmEpilogue &epilogue) {
  return runAs(cublasBf16, product, epilogue);
}

/// As in Products::runCublas, operands change places: what is added to each row
/// of ours is added to each column there, as cuBLASLt does with a bias.
template <typename Product>
bool EpilogueProducts::runAs(int type, const Product &p,
                             const GemmEpilogue &epilogue) {
  if (!handle)
    return false;
  Shape shape;
  shape.type = type;
  shape.transposeA = p.transposeB ? cublasTransposed : cublasNormal;
  shape.transposeB = p.transposeA ? cublasTransposed : cublasNormal;
  shape.m = p.n;
  shape.n = p.m;
  shape.k = p.k;
  shape.lda = p.ldb;
  shape.ldb = p.lda;
  shape.ldc = p.ldc;
  shape.alignments[0] = alignmentOf(p.b);
  shape.alignments[1] = alignmentOf(p.a);
  shape.alignments[2] = alignmentOf(p.c);
  shape.biasAlignment = epilogue.bias ? alignmentOf(epilogue.bias) : 0;
  shape.rectifies = epilogue.rectifies;
  return multiply(shape, {p.b, p.a, p.alpha, p.beta, p.c, epilogue.bias});
}

bool EpilogueProducts::multiply(const Shape &shape, const Operands &operands) {
  Plan &plan = planFor(shape, operands.bias);
  if (!plan.isThere)
    return false;
  if (operands.bias)
    set(plan.product, ltBias, operands.bias);
  check(library.multiply(handle, plan.product.get(), &operands.alpha,
                         operands.a, plan.a.get(), operands.b, plan.b.get(),
                         &operands.beta, operands.c, plan.c.get(), operands.c,
                         plan.c.get(), &plan.algorithm,
                         reinterpret_cast<void *>(workspace), workspaceBytes,
                         device->compute()),
        "multiply and add a bias");
  return true;
}

EpilogueProducts::Plan &EpilogueProducts::planFor(const Shape &shape,
                                                  const float *bias) {
  if (auto found = known.find(shape); found != known.end())
    return found->second;
  if (known.size() >= mostPlans)
    known.clear();
  return known.emplace(shape, makePlan(shape, bias)).first->second;
}

EpilogueProducts::Plan EpilogueProducts::makePlan(const Shape &shape,
                                                  const float *bias) {
  void *product = nullptr;
  bool rounds = tf32 && shape.type == cublasF32;
  check(library.createProduct(
            &product, rounds ? ltComputeTf32 : cublasComputeF32, cublasF32),
        "describe a product");
  Plan plan{Object(product, library.destroyProduct),
            layout(shape.type, shape.transposeA ? shape.k : shape.m,
                   shape.transposeA ? shape.m : shape.k, shape.lda),
            layout(shape.type, shape.transposeB ? shape.n : shape.k,
                   shape.transposeB ? shape.k : shape.n, shape.ldb),
            layout(cublasF32, shape.m, shape.n, shape.ldc)};
  set(plan.product, ltTransposeA, int32_t(shape.transposeA));
  set(plan.product, ltTransposeB, int32_t(shape.transposeB));
  uint32_t epilogue =
      (bias ? ltEpilogueBias : 0) | (shape.rectifies ? ltEpilogueRelu : 0);
  set(plan.product, ltEpilogue, epilogue ? epilogue : ltEpilogueNone);
  if (bias) // Its alignment counts.
    set(plan.product, ltBias, bias);
  chooseAlgorithm(shape, plan);
  return plan;
}

/// The library's first choice. Where it has none for such a product, the plan
/// says so, and nobody asks again.
void EpilogueProducts::chooseAlgorithm(const Shape &shape, Plan &plan) {
  void *made = nullptr;
  check(library.createPreference(&made), "describe a preference");
  Object preference(made, library.destroyPreference);
  auto prefer = [&](int attribute, auto value) {
    check(library.setPreference(preference.get(), attribute, &value,
                                sizeof value),
          "take a preference");
  };
  prefer(ltWorkspaceBytes, uint64_t(workspaceBytes));
  for (int matrix = 0; matrix < 3; ++matrix)
    prefer(ltAlignmentA + matrix, shape.alignments[matrix]);
  prefer(ltAlignmentA + 3, shape.alignments[2]); // D is C.
  LtChoice choice{};
  int found = 0;
  int status = library.chooseAlgorithm(handle, plan.product.get(), plan.a.get(),
                                       plan.b.get(), plan.c.get(), plan.c.get(),
                                       preference.get(), 1, &choice, &found);
  plan.isThere = status == 0 && found == 1 && choice.status == 0 &&
                 choice.workspaceBytes <= workspaceBytes;
  plan.algorithm = choice.algorithm;
}

EpilogueProducts::Object EpilogueProducts::layout(int type, int64_t rows,
                                                  int64_t columns,
                                                  int64_t leading) {
  void *made = nullptr;
  check(library.createLayout(&made, type, uint64_t(rows), uint64_t(columns),
                             std::max(leading, rows)),
        "describe a matrix");
  return Object(made, library.destroyLayout);
}

template <typename T>
void EpilogueProducts::set(const Object &product, int attribute, T value) {
  check(library.setProduct(product.get(), attribute, &value, sizeof value),
        "describe a product");
}

void EpilogueProducts::check(int status, const char *what) const {
  if (status != 0)
    throw UnsupportedError(
        "cuBLASLt cannot " + std::string(what) + " (status " +
        std::to_string(status) +
        "); BLOCKS_CUDA_CUBLASLT=none in the environment does without it, and "
        "blocks-run doctor shows the state of the GPU");
}

} // namespace blocks::cuda
