// Matrix products against a naive one in double, for odd shapes, transposes,
// leading dimensions and factors, on each level that this processor has; and
// that neither the cut into rows, nor packing before, nor the number of threads
// changes a bit.
#include "test/Check.h"

#include "runtime/Abi/StepContext.h"
#include "runtime/Device/Gemm.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

using namespace blocks;

template <typename T> struct Case {
  bool ta, tb;
  int64_t m, n, k;
  T alpha, beta;
  int64_t pad; ///< Elements between the rows of each matrix.
};

template <typename T> class Matrices {
public:
  explicit Matrices(const Case<T> &c)
      : lda((c.ta ? c.m : c.k) + c.pad), ldb((c.tb ? c.k : c.n) + c.pad),
        ldc(c.n + c.pad) {
    fill(a, (c.ta ? c.k : c.m) * lda);
    fill(b, (c.tb ? c.n : c.k) * ldb);
    fill(result, c.m * ldc);
    if (c.beta == 0) // Must not be read.
      for (int64_t i = 0; i < c.m; ++i)
        for (int64_t j = 0; j < c.n; ++j)
          result[size_t(i * ldc + j)] = std::numeric_limits<T>::quiet_NaN();
  }
  GemmArguments<T> arguments(const Case<T> &c) {
    return {c.ta, c.tb,     c.m, c.n,    c.k,           c.alpha, a.data(),
            lda,  b.data(), ldb, c.beta, result.data(), ldc};
  }

  int64_t lda, ldb, ldc;
  std::vector<T> a, b, result;

private:
  void fill(std::vector<T> &values, int64_t count) {
    std::uniform_real_distribution<T> uniform(-1, 1);
    values.resize(size_t(count));
    for (T &value : values)
      value = uniform(random);
  }
  std::mt19937 random{7};
};

template <typename T> static void checkCase(CpuLevel level, const Case<T> &c) {
  Matrices<T> x(c);
  std::vector<T> before = x.result;
  gemm(level, x.arguments(c));
  double epsilon = std::numeric_limits<T>::epsilon();
  int64_t wrong = 0;
  for (int64_t i = 0; i < c.m; ++i)
    for (int64_t j = 0; j < x.ldc; ++j) {
      T found = x.result[size_t(i * x.ldc + j)];
      T old = before[size_t(i * x.ldc + j)];
      if (j >= c.n) { // Between the rows nothing changes.
        wrong += found != old;
        continue;
      }
      double sum = 0, size = 0;
      for (int64_t p = 0; p < c.k; ++p) {
        double product =
            double(x.a[size_t(c.ta ? p * x.lda + i : i * x.lda + p)]) *
            double(x.b[size_t(c.tb ? j * x.ldb + p : p * x.ldb + j)]);
        sum += product;
        size += std::fabs(product);
      }
      sum *= double(c.alpha);
      if (c.beta != 0)
        sum += double(c.beta) * double(old);
      double bound = epsilon * (4 + 0.5 * double(c.k)) * (size + 1);
      wrong += !(std::fabs(double(found) - sum) <= bound);
    }
  if (wrong)
    std::fprintf(stderr, "level %d, %zu bytes, %d%d %ldx%ldx%ld: %ld wrong\n",
                 int(level), sizeof(T), c.ta, c.tb, long(c.m), long(c.n),
                 long(c.k), long(wrong));
  CHECK_EQ(wrong, 0);
}

template <typename T> static void checkShapes(CpuLevel level) {
  const int64_t sizes[] = {1, 2, 3, 7, 8, 13, 16, 17, 31, 33, 50};
  int turn = 0;
  for (int64_t m : sizes)
    for (int64_t n : sizes)
      for (int64_t k : sizes)
        for (int transposes = 0; transposes < 4; ++transposes) {
          T beta = T(turn % 3 == 0 ? 0 : turn % 3 == 1 ? 1 : -0.5);
          T alpha = T(turn % 5 == 0 ? 0.25 : 1);
          checkCase<T>(level, {transposes % 2 != 0, transposes / 2 != 0, m, n,
                               k, alpha, beta, turn++ % 4});
        }
  for (int transposes = 0; transposes < 4; ++transposes)
    for (auto [m, n, k] :
         {std::array<int64_t, 3>{128, 10, 500},
          {130, 131, 530},
          {300, 70, 257},
          {1, 300, 1030},
          {129, 1, 300},
          {15, 128, 64}, // Just enough to pack A's steps.
          {29, 257, 63},
          {353, 139, 131}, // More rows than are packed at once.
          {701, 128, 17},
          {5, 3, 2000}})
      checkCase<T>(level, {transposes % 2 != 0, transposes / 2 != 0, m, n, k,
                           T(1), T(1), 0});
}

template <typename T> static void checkEdges(CpuLevel level) {
  checkCase<T>(level, {false, false, 3, 4, 0, 1, 2, 0}); // k = 0: scale.
  checkCase<T>(level, {false, false, 3, 4, 0, 1, 0, 1}); // … to zero.
  checkCase<T>(level, {false, false, 0, 4, 3, 1, 0, 0});
  checkCase<T>(level, {true, true, 4, 0, 3, 1, 0, 1});
}

/// Any cut into rows gives the same bits.
template <typename T>
static void checkCuts(CpuLevel level, bool ta, bool tb, int64_t m, int64_t n) {
  Case<T> c{ta, tb, m, n, 600, 1, 0, 0};
  Matrices<T> whole(c), cut(c);
  gemm(level, whole.arguments(c));
  for (int64_t rows : {1, 5, 16, 64, 100}) {
    for (int64_t row = 0; row < c.m; row += rows) {
      GemmArguments<T> part = cut.arguments(c);
      part.m = std::min(rows, c.m - row);
      part.a += ta ? row : row * part.lda;
      part.c += row * part.ldc;
      gemm(level, part);
    }
    CHECK(std::memcmp(whole.result.data(), cut.result.data(),
                      whole.result.size() * sizeof(T)) == 0);
  }
}

/// So does any cut into columns, and rows of A a page apart.
template <typename T>
static void checkColumns(CpuLevel level, bool ta, bool tb, int spare) {
  Case<T> c{ta, tb, 40, 200, 600, 1, 0, spare};
  Matrices<T> whole(c), cut(c);
  gemm(level, whole.arguments(c));
  for (int64_t columns : {1, 16, 33, 64}) {
    for (int64_t column = 0; column < c.n; column += columns) {
      GemmArguments<T> part = cut.arguments(c);
      part.n = std::min(columns, c.n - column);
      part.b += tb ? column * part.ldb : column;
      part.c += column;
      gemm(level, part);
    }
    CHECK(std::memcmp(whole.result.data(), cut.result.data(),
                      whole.result.size() * sizeof(T)) == 0);
  }
}

/// A matrix packed before gives the same bits, however its packing was cut into
/// rows and the product into columns.
template <typename T>
static void checkPacked(CpuLevel level, const Case<T> &c, bool bySteps) {
  Matrices<T> whole(c), packed(c);
  gemm(level, whole.arguments(c));
  int64_t padded = (c.n + 31) / 32 * 32;
  std::vector<T> panels(size_t(c.k * padded),
                        std::numeric_limits<T>::quiet_NaN());
  int64_t steps = bySteps ? 7 : c.k;
  for (int64_t low = 0; low < c.k; low += steps)
    packForGemm(level, PackArguments<T>{c.tb, low, std::min(low + steps, c.k),
                                        c.n, c.k, packed.b.data(), packed.ldb,
                                        panels.data(), padded});
  int64_t columns = bySteps ? 20 : c.n;
  for (int64_t column = 0; column < c.n; column += columns) {
    GemmArguments<T> part = packed.arguments(c);
    part.transposeB = false;
    part.n = std::min(columns, c.n - column);
    part.b = panels.data();
    part.ldb = padded;
    part.c += column;
    part.packedB = true;
    part.column = column;
    gemm(level, part);
  }
  for (int64_t i = 0; i < c.m; ++i)
    CHECK(std::memcmp(&whole.result[size_t(i * whole.ldc)],
                      &packed.result[size_t(i * whole.ldc)],
                      size_t(c.n) * sizeof(T)) == 0);
}

template <typename T> static void checkPackedShapes(CpuLevel level) {
  for (int transposes = 0; transposes < 4; ++transposes)
    for (auto [m, n, k] : {std::array<int64_t, 3>{1, 1, 1},
                           {1, 70, 300},
                           {5, 33, 257},
                           {20, 200, 600},
                           {64, 31, 1024},
                           {150, 97, 40}})
      for (bool bySteps : {false, true}) {
        bool ta = transposes % 2 != 0, tb = transposes / 2 != 0;
        checkPacked<T>(level, {ta, tb, m, n, k, 1, 0, 0}, bySteps);
        checkPacked<T>(level, {ta, tb, m, n, k, T(0.5), 1, 3}, bySteps);
      }
}

struct Product {
  GemmArguments<float> g;
  int64_t rows, columns;
  int64_t down() const { return (g.m + rows - 1) / rows; }
  int64_t across() const { return (g.n + columns - 1) / columns; }
};

static void runBlocks(BlocksStepContext *context, void *environment,
                      int64_t begin, int64_t end) {
  auto &product = *static_cast<Product *>(environment);
  const GemmArguments<float> &g = product.g;
  for (int64_t block = begin; block < end; ++block) {
    int64_t row = block % product.down() * product.rows,
            rows = std::min(product.rows, g.m - row),
            column = block / product.down() * product.columns,
            columns = std::min(product.columns, g.n - column);
    blocks_rt_gemm_f32(context, g.transposeA, g.transposeB, rows, columns, g.k,
                       g.alpha, g.a + (g.transposeA ? row : row * g.lda), g.lda,
                       g.b + (g.transposeB ? column * g.ldb : column), g.ldb,
                       g.beta, g.c + row * g.ldc + column, g.ldc);
  }
}

/// Through the ABI, on 1, 2 and 5 threads: the same bits.
static void checkThreads(CpuLevel level, const Case<float> &c) {
  std::vector<float> first;
  for (int threads : {1, 2, 5}) {
    BlocksStepContext context(threads, level);
    Matrices<float> x(c);
    Product product{x.arguments(c), blocks_rt_gemm_grid_rows(c.m, c.n, c.k),
                    blocks_rt_gemm_grid_columns(c.m, c.n, c.k)};
    blocks_rt_parallel_for(&context, runBlocks, &product,
                           product.down() * product.across());
    if (first.empty())
      first = x.result;
    CHECK(std::memcmp(first.data(), x.result.data(),
                      first.size() * sizeof(float)) == 0);
  }
}

static void checkRows() {
  for (int64_t m : {0, 1, 2, 16, 100, 128, 500, 784, 100000})
    for (int64_t n : {1, 10, 500})
      for (int64_t k : {0, 1, 128, 784}) {
        int64_t rows = blocks_rt_gemm_rows(m, n, k);
        CHECK(rows >= 1);
        CHECK(rows <= std::max<int64_t>(m, 1));
        rows = blocks_rt_gemm_grid_rows(m, n, k);
        int64_t columns = blocks_rt_gemm_grid_columns(m, n, k);
        CHECK(rows >= 1 && columns >= 1);
        CHECK(rows <= std::max<int64_t>(m, 1));
        CHECK(rows >= m || columns >= n || m > 384); // Else one way only.
      }
}

/// Large products are cut both ways, into equal halves of rows.
static void checkHalves() {
  for (int64_t m : {385, 650, 700, 1023}) {
    CHECK(blocks_rt_gemm_grid_rows(m, 10000, 650) == (m + 1) / 2);
    int64_t columns = blocks_rt_gemm_grid_columns(m, 10000, 650);
    CHECK(columns % 16 == 0 && columns < 10000);
  }
}

int main() {
  for (CpuLevel level : {CpuLevel::V2, CpuLevel::V3, CpuLevel::V4}) {
    if (level > detectCpu().level)
      continue;
    checkShapes<float>(level);
    checkShapes<double>(level);
    checkEdges<float>(level);
    checkEdges<double>(level);
    for (int transposes = 0; transposes < 4; ++transposes) {
      checkCuts<float>(level, transposes % 2, transposes / 2, 128, 77);
      checkCuts<float>(level, transposes % 2, transposes / 2, 367, 135);
      checkCuts<double>(level, transposes % 2, transposes / 2, 128, 77);
      checkCuts<double>(level, transposes % 2, transposes / 2, 367, 135);
      for (int spare : {0, 424, 425}) { // 600 + 424 floats are 4096 bytes.
        checkColumns<float>(level, transposes % 2, transposes / 2, spare);
        checkColumns<double>(level, transposes % 2, transposes / 2, spare);
      }
    }
    checkPackedShapes<float>(level);
    checkPackedShapes<double>(level);
    checkThreads(level, {false, false, 128, 500, 784, 1, 0, 0});
    checkThreads(level, {false, true, 128, 500, 500, 1, 0, 0});
    checkThreads(level, {true, false, 784, 500, 128, 1, 0, 0});
    checkThreads(level, {true, false, 500, 10, 128, 1, 0, 0});
    checkThreads(level, {true, false, 367, 1013, 263, 1, 0, 0});
    checkThreads(level, {false, true, 701, 1013, 263, 1, 0, 0});
  }
  checkRows();
  checkHalves();
  return checkSummary();
}
