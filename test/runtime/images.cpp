// Convolutions, pools and their gradients against the plain loops in double,
// for random geometries (strides, paddings, flipped kernels, large and small
// channels), on each level that this processor has; and that bits do not depend
// on how the rows are cut.
#include "test/Check.h"

#include "runtime/Device/Images.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <vector>

using namespace blocks;

static std::mt19937 randomBits{11};

static int64_t pick(int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(randomBits);
}

template <typename T> static std::vector<T> randomValues(int64_t count) {
  std::uniform_real_distribution<T> uniform(-1, 1);
  std::vector<T> values(static_cast<size_t>(count));
  for (T &value : values)
    value = uniform(randomBits);
  return values;
}

struct Sizes {
  int64_t image, filters, result;
};
static Sizes sizesOf(const ImageGeometry &g) {
  return {g.channels * g.height * g.width,
          g.filters * g.channels * g.kernelHeight * g.kernelWidth,
          g.filters * g.outHeight * g.outWidth};
}

/// visit(x, w, y): the elements of a product that a convolution adds up.
static void
forEachTap(const ImageGeometry &g,
           const std::function<void(int64_t, int64_t, int64_t)> &visit) {
  for (int64_t f = 0; f < g.filters; ++f)
    for (int64_t i = 0; i < g.outHeight; ++i)
      for (int64_t j = 0; j < g.outWidth; ++j)
        for (int64_t c = 0; c < g.channels; ++c)
          for (int64_t v = 0; v < g.kernelHeight; ++v)
            for (int64_t u = 0; u < g.kernelWidth; ++u) {
              int64_t y = i * g.strideHeight + v - g.padTop;
              int64_t x = j * g.strideWidth + u - g.padLeft;
              if (y < 0 || y >= g.height || x < 0 || x >= g.width)
                continue;
              int64_t kv = g.option ? g.kernelHeight - 1 - v : v;
              int64_t ku = g.option ? g.kernelWidth - 1 - u : u;
              visit((c * g.height + y) * g.width + x,
                    ((f * g.channels + c) * g.kernelHeight + kv) *
                            g.kernelWidth +
                        ku,
                    (f * g.outHeight + i) * g.outWidth + j);
            }
}

template <typename T>
static void checkClose(const std::vector<T> &found,
                       const std::vector<double> &expected, double terms) {
  double epsilon = std::numeric_limits<T>::epsilon() * (terms + 4);
  double worst = 0;
  for (size_t i = 0; i < found.size(); ++i)
    worst = std::max(worst, std::fabs(double(found[i]) - expected[i]));
  CHECK_NEAR(worst, 0.0, epsilon);
}

/// Runs a routine over rows, at once and cut into single rows.
template <typename T>
static std::vector<T> run(CpuLevel level, ImageRoutine routine, int64_t rows,
                          int64_t batch, const std::vector<T> &a,
                          const std::vector<T> &b, int64_t size,
                          const ImageGeometry &g) {
  std::vector<T> whole(size_t(size), std::numeric_limits<T>::quiet_NaN());
  std::vector<T> pieces = whole;
  runImages(level, routine,
            ImageArguments<T>{0, rows, rows, batch, a.data(), b.data(),
                              whole.data(), g});
  for (int64_t row = 0; row < rows; ++row)
    runImages(level, routine,
              ImageArguments<T>{row, row + 1, rows, batch, a.data(), b.data(),
                                pieces.data(), g});
  CHECK(std::memcmp(whole.data(), pieces.data(), whole.size() * sizeof(T)) ==
        0);
  return whole;
}

template <typename T>
static void checkConvolution(CpuLevel level, int64_t batch,
                             const ImageGeometry &g) {
  Sizes s = sizesOf(g);
  auto x = randomValues<T>(batch * s.image), w = randomValues<T>(s.filters),
       dy = randomValues<T>(batch * s.result);
  std::vector<double> y(dy.size()), dx(x.size()), dw(w.size());
  for (int64_t n = 0; n < batch; ++n)
    forEachTap(g, [&](int64_t i, int64_t k, int64_t o) {
      size_t in = size_t(n * s.image + i), out = size_t(n * s.result + o);
      y[out] += double(x[in]) * double(w[size_t(k)]);
      dx[in] += double(dy[out]) * double(w[size_t(k)]);
      dw[size_t(k)] += double(x[in]) * double(dy[out]);
    });
  double taps = double(g.channels * g.kernelHeight * g.kernelWidth);
  checkClose(run(level, ImageRoutine::Convolution, batch, batch, x, w,
                 batch * s.result, g),
             y, taps);
  checkClose(run(level, ImageRoutine::ConvolutionInputGrad, batch, batch, dy, w,
                 batch * s.image, g),
             dx, double(g.filters * g.kernelHeight * g.kernelWidth));
  constexpr int64_t shares = 3;
  auto parts = run(level, ImageRoutine::ConvolutionFilterGrad, shares, batch, x,
                   dy, shares * s.filters, g);
  std::vector<T> sum(w.size());
  for (size_t i = 0; i < parts.size(); ++i)
    sum[i % sum.size()] += parts[i];
  checkClose(sum, dw, double(batch * g.outHeight * g.outWidth));
}

template <typename T> static void checkConvolutions(CpuLevel level) {
  for (int i = 0; i < 32; ++i) {
    ImageGeometry g{};
    g.channels = pick(1, 5);
    g.filters = i % 7 == 0 ? pick(120, 260) : pick(1, 40);
    g.kernelHeight = pick(1, 5);
    g.kernelWidth = i % 9 == 0 ? 13 : pick(1, 5);
    if (i % 11 == 0)
      g.kernelHeight = 12;
    g.padTop = pick(0, g.kernelHeight - 1);
    g.padLeft = pick(0, g.kernelWidth - 1);
    g.strideHeight = pick(1, 3);
    g.strideWidth = i % 2 ? 1 : pick(1, 3);
    g.height = g.kernelHeight + pick(0, 14);
    g.width = g.kernelWidth + pick(0, i % 5 == 0 ? 40 : 14);
    int64_t bottom = pick(0, g.kernelHeight - 1),
            right = pick(0, g.kernelWidth - 1);
    g.outHeight =
        (g.height + g.padTop + bottom - g.kernelHeight) / g.strideHeight + 1;
    g.outWidth =
        (g.width + g.padLeft + right - g.kernelWidth) / g.strideWidth + 1;
    g.option = pick(0, 1);
    checkConvolution<T>(level, pick(1, 4), g);
  }
  // LeNet's, and an image whose products do not fit into the scratch memory.
  checkConvolution<T>(level, 2, {1, 28, 28, 20, 5, 5, 24, 24, 1, 1, 0, 0, 0});
  checkConvolution<T>(level, 2, {20, 12, 12, 50, 5, 5, 8, 8, 1, 1, 0, 0, 0});
  checkConvolution<T>(level, 1, {3, 60, 70, 8, 3, 3, 60, 70, 1, 1, 1, 1, 0});
}

//===--- Pools ------------------------------------------------------------===//

template <typename T>
static void checkPool(CpuLevel level, int64_t batch, const ImageGeometry &g) {
  int64_t planes = batch * g.channels, plane = g.height * g.width,
          result = g.outHeight * g.outWidth;
  auto x = randomValues<T>(planes * plane),
       dy = randomValues<T>(planes * result);
  for (size_t i = 0; i < x.size(); i += 5) // Equal elements.
    x[i] = T(0.5);
  std::vector<double> y(dy.size()), dx(x.size());
  for (int64_t p = 0; p < planes; ++p)
    for (int64_t i = 0; i < g.outHeight; ++i)
      for (int64_t j = 0; j < g.outWidth; ++j) {
        std::vector<size_t> inside;
        int64_t counted = 0;
        for (int64_t v = 0; v < g.kernelHeight; ++v)
          for (int64_t u = 0; u < g.kernelWidth; ++u) {
            int64_t row = i * g.strideHeight + v - g.padTop,
                    column = j * g.strideWidth + u - g.padLeft;
            counted +=
                row < g.height + g.padTop && column < g.width + g.padLeft;
            if (row >= 0 && row < g.height && column >= 0 && column < g.width)
              inside.push_back(size_t(p * plane + row * g.width + column));
          }
        if (g.option != PoolAveragePadded)
          counted = int64_t(inside.size());
        size_t out = size_t(p * result + i * g.outWidth + j), best = inside[0];
        for (size_t at : inside) {
          if (x[at] > x[best])
            best = at;
          if (g.option != PoolMax) {
            y[out] += double(x[at]) / double(counted);
            dx[at] += double(dy[out]) / double(counted);
          }
        }
        if (g.option == PoolMax) {
          y[out] = double(x[best]);
          dx[best] += double(dy[out]);
        }
      }
  double terms = double(g.kernelHeight * g.kernelWidth);
  checkClose(
      run(level, ImageRoutine::Pool, batch, batch, x, x, int64_t(dy.size()), g),
      y, terms);
  const auto &first = g.option == PoolMax ? x : dy;
  checkClose(run(level, ImageRoutine::PoolGrad, batch, batch, first, dy,
                 int64_t(x.size()), g),
             dx, terms);
}

template <typename T> static void checkPools(CpuLevel level) {
  for (int i = 0; i < 32; ++i) {
    ImageGeometry g{};
    g.channels = g.filters = pick(1, 4);
    g.kernelHeight = pick(1, 4);
    g.kernelWidth = pick(1, 4);
    g.strideHeight = pick(1, 4);
    g.strideWidth = pick(1, 4);
    bool partial = i % 3 == 0;
    g.padTop = partial ? 0 : pick(0, g.kernelHeight - 1);
    g.padLeft = partial ? 0 : pick(0, g.kernelWidth - 1);
    g.height = g.kernelHeight + pick(0, 12);
    g.width = g.kernelWidth + pick(0, 12);
    g.outHeight =
        (g.height + 2 * g.padTop - g.kernelHeight) / g.strideHeight + 1;
    g.outWidth = (g.width + 2 * g.padLeft - g.kernelWidth) / g.strideWidth + 1;
    if (partial && g.outHeight * g.strideHeight < g.height)
      ++g.outHeight;
    g.option = i % 4 == 0   ? PoolAverage
               : i % 4 == 1 ? PoolAveragePadded
                            : PoolMax;
    checkPool<T>(level, pick(1, 3), g);
  }
  checkPool<T>(level, 3, {5, 24, 24, 5, 2, 2, 12, 12, 2, 2, 0, 0, PoolMax});
  checkPool<T>(level, 3, {5, 9, 7, 5, 2, 2, 4, 3, 2, 2, 0, 0, PoolMax});
}

/// NaN is the largest number; the first of equal elements gets the gradient.
static void checkSpecialNumbers(CpuLevel level) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> x{1, nan, 3, nan, 2, 2, 2, 2}, dy{5, 7};
  ImageGeometry g{1, 2, 4, 1, 2, 2, 1, 2, 2, 2, 0, 0, PoolMax};
  auto y = run(level, ImageRoutine::Pool, 1, 1, x, x, 2, g);
  CHECK(std::isnan(y[0]) && std::isnan(y[1]));
  auto dx = run(level, ImageRoutine::PoolGrad, 1, 1, x, dy, 8, g);
  CHECK((dx == std::vector<float>{0, 5, 0, 7, 0, 0, 0, 0}));
  x.assign(8, 2);
  dx = run(level, ImageRoutine::PoolGrad, 1, 1, x, dy, 8, g);
  CHECK((dx == std::vector<float>{5, 0, 7, 0, 0, 0, 0, 0}));
}

int main() {
  CpuLevel best = detectCpu().level;
  for (CpuLevel level : {CpuLevel::V2, CpuLevel::V3, CpuLevel::V4}) {
    if (level > best)
      continue;
    checkConvolutions<float>(level);
    checkConvolutions<double>(level);
    checkPools<float>(level);
    checkPools<double>(level);
    checkSpecialNumbers(level);
  }
  return checkSummary();
}
