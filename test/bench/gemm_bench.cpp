// The matrix products of a training step, alone: this program's against
// oneDNN's dnnl_sgemm (opened if it is installed), both cut into the same row
// blocks on the same pool, in turns; medians, and sums of the medians and of
// the best (on a busy machine only the best say something). Usage: gemm_bench
// [threads] [rounds]. The first table is the step of the 784-500-500-10 network
// at batch 128; the sum at its end is what no fusion can save.
#include "runtime/Abi/StepContext.h"
#include "runtime/Device/Gemm.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <vector>

using namespace blocks;

namespace {

using Sgemm = int (*)(char, char, int64_t, int64_t, int64_t, float,
                      const float *, int64_t, const float *, int64_t, float,
                      float *, int64_t);

struct Shape3 {
  const char *what;
  bool ta, tb;
  int64_t m, n, k;
};

constexpr Shape3 stepShapes[] = {
    {"forward", false, false, 128, 500, 784},
    {"forward", false, false, 128, 500, 500},
    {"forward", false, false, 128, 10, 500},
    {"input gradient", false, true, 128, 500, 10},
    {"input gradient", false, true, 128, 500, 500},
    {"weight gradient", true, false, 500, 10, 128},
    {"weight gradient", true, false, 500, 500, 128},
    {"weight gradient", true, false, 784, 500, 128},
};
constexpr Shape3 otherShapes[] = {
    {"batch 1", false, false, 1, 500, 784},
    {"batch 16", false, false, 16, 500, 784},
    {"batch 16", false, true, 16, 500, 500},
    {"recurrent", false, false, 700, 800, 200},
    {"recurrent", true, false, 200, 800, 700},
    {"words", false, false, 700, 10000, 200},
    {"words", false, true, 700, 200, 10000},
    {"words", true, false, 200, 10000, 700},
    {"words", false, false, 700, 10000, 650},
    {"words", false, true, 700, 650, 10000},
    {"words", true, false, 650, 10000, 700},
    {"time step", false, false, 20, 800, 200},
    {"time step", false, true, 20, 200, 800},
    {"time step", false, false, 20, 2600, 650},
    {"time step", false, true, 20, 650, 2600},
    {"square", false, false, 1024, 1024, 1024},
};

double now() {
  auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(time).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2,
                   values.end());
  return values[values.size() / 2];
}

struct Library {
  Sgemm sgemm = nullptr;
  void (*setThreads)(int) = nullptr;
};

Library openLibrary() {
  void *handle = dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return {};
  return {
      reinterpret_cast<Sgemm>(dlsym(handle, "dnnl_sgemm")),
      reinterpret_cast<void (*)(int)>(dlsym(handle, "omp_set_num_threads"))};
}

struct Product {
  GemmArguments<float> g;
  GemmBlock block;
  const Library *oneDnn; ///< Null: ours.
  int64_t down() const { return (g.m + block.rows - 1) / block.rows; }
  int64_t across() const { return (g.n + block.columns - 1) / block.columns; }
};

void runBlocks(BlocksStepContext *context, void *environment, int64_t begin,
               int64_t end) {
  auto &p = *static_cast<Product *>(environment);
  if (p.oneDnn && p.oneDnn->setThreads)
    p.oneDnn->setThreads(1);
  for (int64_t block = begin; block < end; ++block) {
    GemmArguments<float> g = p.g;
    int64_t row = block % p.down() * p.block.rows,
            column = block / p.down() * p.block.columns;
    g.m = std::min(p.block.rows, p.g.m - row);
    g.n = std::min(p.block.columns, p.g.n - column);
    g.a += g.transposeA ? row : row * g.lda;
    g.b += g.transposeB ? column * g.ldb : column;
    g.c += row * g.ldc + column;
    if (p.oneDnn)
      p.oneDnn->sgemm(g.transposeA ? 'T' : 'N', g.transposeB ? 'T' : 'N', g.m,
                       g.n, g.k, g.alpha, g.a, g.lda, g.b, g.ldb, g.beta, g.c,
                       g.ldc);
    else
      gemm(context->level, g);
  }
}

class Bench {
public:
  Bench(int threads, int rounds)
      : context(threads, detectCpu().level), library(openLibrary()),
        rounds(rounds), a(1 << 23), b(1 << 23), c(1 << 23), d(1 << 23) {
    for (size_t i = 0; i < a.size(); ++i) {
      a[i] = float(i % 1013) / 1013 - 0.5f;
      b[i] = float(i % 977) / 977 - 0.5f;
    }
  }

  /// Prints a line; adds the medians to the sums.
  void measure(const Shape3 &s) {
    Product ours{{s.ta, s.tb, s.m, s.n, s.k, 1, a.data(), s.ta ? s.m : s.k,
                  b.data(), s.tb ? s.k : s.n, 0, c.data(), s.n},
                 gemmGrid(s.m, s.n, s.k),
                 nullptr};
    Product theirs = ours;
    theirs.oneDnn = &library;
    theirs.g.c = d.data();
    std::vector<double> own, other;
    for (int round = 0; round < rounds; ++round) {
      own.push_back(time(ours));
      if (library.sgemm)
        other.push_back(time(theirs));
    }
    double flops = 2.0 * double(s.m) * double(s.n) * double(s.k);
    double t = median(own);
    ownSum += t;
    ownBest += *std::min_element(own.begin(), own.end());
    std::printf("%-16s %5ldx%5ldx%5ld %s%s %4ldx%-4ld %8.1f us %6.0f GFLOP/s",
                s.what, long(s.m), long(s.n), long(s.k), s.ta ? "T" : "N",
                s.tb ? "T" : "N", long(ours.block.rows),
                long(ours.block.columns), t * 1e6, flops / t * 1e-9);
    if (library.sgemm) {
      otherSum += median(other);
      otherBest += *std::min_element(other.begin(), other.end());
      std::printf("   oneDNN %8.1f us %6.0f GFLOP/s", median(other) * 1e6,
                  flops / median(other) * 1e-9);
    }
    std::printf("\n");
  }

  void printSums() {
    auto print = [](const char *what, double median, double best) {
      std::printf("products of a step, %s: median %.3f ms, best %.3f ms, "
                  "%.0f to %.0f steps/s\n",
                  what, median * 1e3, best * 1e3, 1 / median, 1 / best);
    };
    print("ours", ownSum, ownBest);
    if (library.sgemm)
      print("oneDNN", otherSum, otherBest);
  }

private:
  double time(Product &product) {
    int64_t blocks = product.down() * product.across();
    double start = now();
    for (int i = 0; i < 3; ++i)
      blocks_rt_parallel_for(&context, runBlocks, &product, blocks);
    return (now() - start) / 3;
  }

  BlocksStepContext context;
  Library library;
  int rounds;
  std::vector<float> a, b, c, d;
  double ownSum = 0, otherSum = 0, ownBest = 0, otherBest = 0;
};

} // namespace

int main(int argc, char **argv) {
  int threads = argc > 1 ? std::atoi(argv[1]) : 1;
  int rounds = argc > 2 ? std::atoi(argv[2]) : 41;
  if (threads < 1 || rounds < 1) {
    std::fprintf(stderr, "usage: gemm_bench [threads] [rounds]\n");
    return 2;
  }
  Bench bench(threads, rounds);
  std::printf("%s, %d threads, median of %d\n",
              levelName(detectCpu().level).c_str(), threads, rounds);
  for (const Shape3 &shape : stepShapes)
    bench.measure(shape);
  bench.printSums();
  for (const Shape3 &shape : otherShapes)
    bench.measure(shape);
  return 0;
}
