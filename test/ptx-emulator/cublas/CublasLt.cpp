// A stand-in for the cuBLASLt calls of the product: descriptors, the choice of
// an algorithm, and products with an epilogue, with the checks that the library
// makes, and some that it leaves to chance: an algorithm runs only for what it
// was chosen for, with matrices aligned as was promised. Prototypes and numbers
// are those of cublasLt.h, declared by hand.
#include "Gemm.h"
#include "Status.h"

#include <cstring>
#include <set>

using namespace ptxemu;

/// What the library's handles point to.
struct cublasLtContext {};
struct cublasLtMatmulDescOpaque {
  int computeType = 0, scaleType = 0;
  int32_t transposeA = 0, transposeB = 0;
  uint32_t epilogue = 1;
  const void *bias = nullptr;
};
struct cublasLtMatrixLayoutOpaque {
  int type = 0;
  uint64_t rows = 0, columns = 0;
  int64_t leading = 0;
};
struct cublasLtMatmulPreferenceOpaque {
  uint64_t workspaceBytes = 0;
  uint32_t alignments[4] = {256, 256, 256, 256}; ///< Of A, B, C, D.
};

using Handle = cublasLtContext *;
using Product = cublasLtMatmulDescOpaque *;
using Layout = cublasLtMatrixLayoutOpaque *;
using Preference = cublasLtMatmulPreferenceOpaque *;

struct cublasLtMatmulAlgo {
  uint64_t data[8];
};
struct cublasLtMatmulHeuristicResult {
  cublasLtMatmulAlgo algorithm;
  size_t workspaceBytes;
  cublasStatus state;
  float waves;
  int reserved[4];
};

namespace {

constexpr uint64_t mark = 0x626c6f636b734c74; ///< Of our algorithms.
/// Long sums are cut into parts, which want room.
constexpr uint64_t longSum = 256, partBytes = 1 << 20;

/// The live objects of a kind, so that a handle after its end is found out.
template <class T> std::set<T *> &live() {
  static std::set<T *> objects;
  return objects;
}

template <class T> T &known(T *object) {
  if (!live<T>().count(object))
    throw DriverError{CUDA_ERROR_INVALID_VALUE};
  return *object;
}

template <class T> void add(T **to, T made) {
  checked(to) = new T(made);
  live<T>().insert(*to);
}

template <class T> cublasStatus destroy(T *object) {
  return statusOf(entry(Need::nothing, [&](Emulator &) {
    delete &known(object);
    live<T>().erase(object);
    return CUDA_SUCCESS;
  }));
}

template <class T> CUresult assign(T &to, const void *value, size_t bytes) {
  if (!value || bytes != sizeof(T))
    return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(&to, value, bytes);
  return CUDA_SUCCESS;
}

bool isRelu(uint32_t epilogue) { return epilogue & 2; }
bool hasBias(uint32_t epilogue) { return epilogue & 4; }

/// The product as the cuBLAS stand-in runs it, but for addresses.
struct Problem {
  Gemm gemm;
  uint64_t hash = mark;
};

void mix(uint64_t &hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  hash ^= hash >> 29;
}

MatrixOperand operandOf(const cublasLtMatrixLayoutOpaque &layout) {
  return {0, DataType(layout.type), layout.leading, 0};
}

bool areAlike(const cublasLtMatrixLayoutOpaque &a,
              const cublasLtMatrixLayoutOpaque &b) {
  return a.type == b.type && a.rows == b.rows && a.columns == b.columns &&
         a.leading == b.leading;
}

/// Throws what the library returns for a product that does not fit together, or
/// that it does not have.
Problem problemOf(const cublasLtMatmulDescOpaque &p,
                  const cublasLtMatrixLayoutOpaque &a,
                  const cublasLtMatrixLayoutOpaque &b,
                  const cublasLtMatrixLayoutOpaque &c,
                  const cublasLtMatrixLayoutOpaque &d, int arch) {
  Problem problem;
  Gemm &g = problem.gemm;
  g.transposeA = p.transposeA != 0;
  g.transposeB = p.transposeB != 0;
  g.m = int64_t(d.rows);
  g.n = int64_t(d.columns);
  g.k = int64_t(g.transposeA ? a.rows : a.columns);
  uint64_t rowsA = g.transposeA ? a.columns : a.rows;
  uint64_t depthB = g.transposeB ? b.columns : b.rows;
  uint64_t columnsB = g.transposeB ? b.rows : b.columns;
  if (rowsA != d.rows || columnsB != d.columns || depthB != uint64_t(g.k) ||
      !areAlike(c, d) || a.type != b.type)
    throw DriverError{CUDA_ERROR_INVALID_VALUE};
  bool f32 = a.type == dataF32, bf16 = a.type == dataBf16 && arch >= 80;
  bool compute = p.computeType == 68 ||
                 (p.computeType == 77 && f32); // f32, f32 by way of TF32
  if ((!f32 && !bf16) || d.type != dataF32 || !compute ||
      p.scaleType != dataF32 || !g.m || !g.n || !g.k)
    throw DriverError{CUDA_ERROR_NOT_SUPPORTED};
  if (p.computeType == 77 && arch >= 80)
    g.rounding = InputRounding::tf32;
  g.a = operandOf(a);
  g.b = operandOf(b);
  g.c = operandOf(d);
  g.relu = isRelu(p.epilogue);
  for (int64_t part : {int64_t(p.computeType), int64_t(p.transposeA),
                       int64_t(p.transposeB), int64_t(p.epilogue), g.m, g.n,
                       g.k, a.leading, b.leading, d.leading, int64_t(a.type)})
    mix(problem.hash, uint64_t(part));
  return problem;
}

/// What an algorithm says of itself: mark, problem, workspace, alignments.
enum Word { wordMark, wordProblem, wordWorkspace, wordA, wordB, wordC };

bool isAligned(const void *address, uint64_t bytes) {
  return reinterpret_cast<uint64_t>(address) % bytes == 0;
}

void requireDevice(const Emulator &e, const void *address, uint64_t bytes) {
  if (!e.memory.find(reinterpret_cast<CUdeviceptr>(address), bytes))
    throw DriverError{CUDA_ERROR_INVALID_VALUE};
}

} // namespace

CUBLAS_API cublasLtCreate(Handle *handle) {
  return statusOf(entry(Need::context, [&](Emulator &e) -> CUresult {
    if (e.settings.fails("cublaslt-create"))
      return CUDA_ERROR_NOT_INITIALIZED;
    add(handle, cublasLtContext{});
    return CUDA_SUCCESS;
  }));
}

CUBLAS_API cublasLtDestroy(Handle handle) { return destroy(handle); }

CUBLAS_API cublasLtGetProperty(int which, int *value) {
  static constexpr int version[] = {13, 0, 0}; // major, minor, patch
  if (which < 0 || which > 2 || !value)
    return invalidValue;
  *value = version[which];
  return success;
}

CUBLAS_API cublasLtMatmulDescCreate(Product *product, int computeType,
                                    int scaleType) {
  return statusOf(entry(Need::nothing, [&](Emulator &) {
    cublasLtMatmulDescOpaque made;
    made.computeType = computeType;
    made.scaleType = scaleType;
    add(product, made);
    return CUDA_SUCCESS;
  }));
}

CUBLAS_API cublasLtMatmulDescDestroy(Product product) {
  return destroy(product);
}

CUBLAS_API cublasLtMatmulDescSetAttribute(Product product, int attribute,
                                          const void *value, size_t bytes) {
  return statusOf(entry(Need::nothing, [&](Emulator &) -> CUresult {
    cublasLtMatmulDescOpaque &p = known(product);
    switch (attribute) {
    case 3:
      return assign(p.transposeA, value, bytes);
    case 4:
      return assign(p.transposeB, value, bytes);
    case 7: {
      uint32_t epilogue = 0;
      CUresult result = assign(epilogue, value, bytes);
      bool have = epilogue == 1 || epilogue == 2 || epilogue == 4 ||
                  epilogue == 6; // none, ReLU, bias, both
      if (result == CUDA_SUCCESS && !have)
        return CUDA_ERROR_NOT_SUPPORTED;
      p.epilogue = epilogue;
      return result;
    }
    case 8:
      return assign(p.bias, value, bytes);
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
    }
  }));
}

CUBLAS_API cublasLtMatrixLayoutCreate(Layout *layout, int type, uint64_t rows,
                                      uint64_t columns, int64_t leading) {
  return statusOf(entry(Need::nothing, [&](Emulator &) -> CUresult {
    if (leading < int64_t(rows) || !leading)
      return CUDA_ERROR_INVALID_VALUE;
    cublasLtMatrixLayoutOpaque made;
    made.type = type;
    made.rows = rows;
    made.columns = columns;
    made.leading = leading;
    add(layout, made);
    return CUDA_SUCCESS;
  }));
}

CUBLAS_API cublasLtMatrixLayoutDestroy(Layout layout) {
  return destroy(layout);
}

CUBLAS_API cublasLtMatmulPreferenceCreate(Preference *preference) {
  return statusOf(entry(Need::nothing, [&](Emulator &) {
    add(preference, cublasLtMatmulPreferenceOpaque{});
    return CUDA_SUCCESS;
  }));
}

CUBLAS_API cublasLtMatmulPreferenceDestroy(Preference preference) {
  return destroy(preference);
}

CUBLAS_API cublasLtMatmulPreferenceSetAttribute(Preference preference,
                                                int attribute,
                                                const void *value,
                                                size_t bytes) {
  return statusOf(entry(Need::nothing, [&](Emulator &) -> CUresult {
    cublasLtMatmulPreferenceOpaque &p = known(preference);
    if (attribute == 1)
      return assign(p.workspaceBytes, value, bytes);
    if (attribute < 5 || attribute > 8)
      return CUDA_ERROR_NOT_SUPPORTED;
    uint32_t &alignment = p.alignments[attribute - 5];
    CUresult result = assign(alignment, value, bytes);
    bool isPower = alignment && !(alignment & (alignment - 1));
    return result == CUDA_SUCCESS && !isPower ? CUDA_ERROR_INVALID_VALUE
                                              : result;
  }));
}

/// One algorithm for every product that is supported.
CUBLAS_API cublasLtMatmulAlgoGetHeuristic(Handle handle, Product product,
                                          Layout a, Layout b, Layout c,
                                          Layout d, Preference preference,
                                          int wanted,
                                          cublasLtMatmulHeuristicResult *found,
                                          int *count) {
  return statusOf(entry(Need::context, [&](Emulator &e) -> CUresult {
    known(handle);
    checked(count) = 0;
    checked(found);
    if (wanted < 1)
      return CUDA_ERROR_INVALID_VALUE;
    if (e.settings.fails("cublaslt-heuristic"))
      return CUDA_ERROR_NOT_SUPPORTED;
    const auto &p = known(product);
    const auto &limits = known(preference);
    Problem problem =
        problemOf(p, known(a), known(b), known(c), known(d), e.settings.arch);
    if (hasBias(p.epilogue) && !p.bias)
      return CUDA_ERROR_INVALID_VALUE; // Its alignment would be guessed.
    uint64_t bytes = uint64_t(problem.gemm.k) > longSum ? partBytes : 0;
    if (bytes > limits.workspaceBytes)
      return CUDA_ERROR_NOT_SUPPORTED;
    *found = {};
    found->algorithm = {{mark, problem.hash, bytes, limits.alignments[0],
                         limits.alignments[1], limits.alignments[2]}};
    found->workspaceBytes = bytes;
    found->waves = 1;
    *count = 1;
    return CUDA_SUCCESS;
  }));
}

CUBLAS_API cublasLtMatmul(Handle handle, Product product, const void *alpha,
                          const void *a, Layout layoutA, const void *b,
                          Layout layoutB, const void *beta, const void *c,
                          Layout layoutC, void *d, Layout layoutD,
                          const cublasLtMatmulAlgo *algorithm, void *workspace,
                          size_t workspaceBytes, CUstream stream) {
  return statusOf(entry(Need::context, [&](Emulator &e) -> CUresult {
    known(handle);
    if (e.settings.fails("cublaslt"))
      return CUDA_ERROR_LAUNCH_FAILED;
    const auto &p = known(product);
    Problem problem =
        problemOf(p, known(layoutA), known(layoutB), known(layoutC),
                  known(layoutD), e.settings.arch);
    const uint64_t *words = checked(algorithm).data;
    if (words[wordMark] != mark || words[wordProblem] != problem.hash ||
        words[wordWorkspace] > workspaceBytes || c != d ||
        !isAligned(a, words[wordA]) || !isAligned(b, words[wordB]) ||
        !isAligned(d, words[wordC]) || (workspaceBytes && !workspace) ||
        !isAligned(workspace, 256))
      return CUDA_ERROR_INVALID_VALUE;
    if (words[wordWorkspace])
      requireDevice(e, workspace, words[wordWorkspace]);
    Gemm gemm = problem.gemm;
    gemm.alpha.value =
        readScalar(&checked(static_cast<const char *>(alpha)), dataF32);
    gemm.beta.value =
        readScalar(&checked(static_cast<const char *>(beta)), dataF32);
    gemm.a.address = reinterpret_cast<CUdeviceptr>(a);
    gemm.b.address = reinterpret_cast<CUdeviceptr>(b);
    gemm.c.address = reinterpret_cast<CUdeviceptr>(d);
    if (hasBias(p.epilogue)) {
      if (!p.bias)
        return CUDA_ERROR_INVALID_VALUE;
      gemm.bias.address = reinterpret_cast<CUdeviceptr>(p.bias);
    }
    auto work = std::make_shared<Work>();
    work->kind = Work::kernel;
    work->run = [gemm] { runGemm(gemm, emulator()); };
    e.enqueue(e.stream(stream), work);
    return CUDA_SUCCESS;
  }));
}
