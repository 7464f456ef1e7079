// Resample: see Resample.h. Filters are separable: rows first, then columns,
// each with weights that are widened when shrinking; bytes are summed in fixed
// point with 22 bits of fraction and rounded after either pass.
#include "fuel/Images/Resample.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace fuel {

using blocks::DType;

std::optional<Resampling> resamplingOf(const std::string &name) {
  if (name == "nearest")
    return Resampling::Nearest;
  if (name == "bilinear")
    return Resampling::Bilinear;
  if (name == "bicubic")
    return Resampling::Bicubic;
  if (name == "lanczos")
    return Resampling::Lanczos;
  return std::nullopt;
}

namespace {

//===-- Nearest -----------------------------------------------------------===//

/// The centre of each new element falls into an old one.
std::vector<int64_t> nearestIndices(int64_t from, int64_t to) {
  std::vector<int64_t> indices(static_cast<size_t>(to));
  double step = double(from) / double(to), at = step * 0.5;
  for (int64_t &index : indices) {
    index = std::min(int64_t(at), from - 1);
    at += step;
  }
  return indices;
}

void resizeNearest(size_t size, const std::byte *in, int64_t height,
                   int64_t width, std::byte *out, int64_t newHeight,
                   int64_t newWidth) {
  std::vector<int64_t> rows = nearestIndices(height, newHeight);
  std::vector<int64_t> columns = nearestIndices(width, newWidth);
  for (int64_t row : rows)
    for (int64_t column : columns) {
      std::memcpy(out, in + size_t(row * width + column) * size, size);
      out += size;
    }
}

//===-- Filters -----------------------------------------------------------===//

constexpr double pi = 3.14159265358979323846;

double sinc(double x) { return x == 0 ? 1 : std::sin(x * pi) / (x * pi); }

/// Beyond this the weights of a filter are 0.
double reachOf(Resampling how) {
  return how == Resampling::Bilinear ? 1 : how == Resampling::Bicubic ? 2 : 3;
}

double weightAt(Resampling how, double x) {
  x = std::fabs(x);
  if (how == Resampling::Bilinear)
    return x < 1 ? 1 - x : 0;
  if (how == Resampling::Lanczos)
    return x < 3 ? sinc(x) * sinc(x / 3) : 0;
  constexpr double a = -0.5;
  if (x < 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2)
    return (((x - 5) * x + 8) * x - 4) * a;
  return 0;
}

struct Taps {
  int64_t first;
  std::vector<double> weights;
};

std::vector<Taps> tapsFor(Resampling how, int64_t from, int64_t to) {
  double scale = double(from) / double(to), wide = std::max(scale, 1.0);
  double support = reachOf(how) * wide;
  std::vector<Taps> taps(static_cast<size_t>(to));
  for (int64_t i = 0; i < to; ++i) {
    double centre = (double(i) + 0.5) * scale, sum = 0;
    int64_t first = std::max<int64_t>(int64_t(centre - support + 0.5), 0);
    int64_t last = std::min(int64_t(centre + support + 0.5), from);
    Taps &tap = taps[size_t(i)];
    tap.first = first;
    for (int64_t k = first; k < last; ++k) {
      tap.weights.push_back(
          weightAt(how, (double(k) - centre + 0.5) * (1 / wide)));
      sum += tap.weights.back();
    }
    for (double &weight : tap.weights)
      weight = sum != 0 ? weight / sum : weight;
  }
  return taps;
}

constexpr int fraction = 22;

/// One pass along an axis of `stride`, for each of the other axis's elements.
void pass(const std::vector<Taps> &taps, const uint8_t *in, uint8_t *out,
          int64_t lines, int64_t lineStep, int64_t outStep, int64_t stride,
          int64_t outStride) {
  std::vector<int32_t> fixed;
  for (size_t i = 0; i < taps.size(); ++i) {
    fixed.clear();
    for (double weight : taps[i].weights)
      fixed.push_back(
          int32_t((weight < 0 ? -0.5 : 0.5) + weight * (1 << fraction)));
    for (int64_t line = 0; line < lines; ++line) {
      const uint8_t *from = in + line * lineStep + taps[i].first * stride;
      int32_t sum = 1 << (fraction - 1);
      for (size_t k = 0; k < fixed.size(); ++k)
        sum += from[int64_t(k) * stride] * fixed[k];
      out[line * outStep + int64_t(i) * outStride] =
          uint8_t(std::clamp(sum >> fraction, 0, 255));
    }
  }
}

template <typename T>
void pass(const std::vector<Taps> &taps, const T *in, T *out, int64_t lines,
          int64_t lineStep, int64_t outStep, int64_t stride,
          int64_t outStride) {
  for (size_t i = 0; i < taps.size(); ++i)
    for (int64_t line = 0; line < lines; ++line) {
      const T *from = in + line * lineStep + taps[i].first * stride;
      double sum = 0;
      for (size_t k = 0; k < taps[i].weights.size(); ++k)
        sum += double(from[int64_t(k) * stride]) * taps[i].weights[k];
      out[line * outStep + int64_t(i) * outStride] = T(sum);
    }
}

template <typename T>
void resizeFiltered(const std::byte *bytes, int64_t height, int64_t width,
                    std::byte *result, int64_t newHeight, int64_t newWidth,
                    Resampling how) {
  const T *in = reinterpret_cast<const T *>(bytes);
  std::vector<T> between;
  if (newWidth != width) {
    between.resize(size_t(height * newWidth));
    pass(tapsFor(how, width, newWidth), in, between.data(), height, width,
         newWidth, 1, 1);
    in = between.data();
  }
  T *out = reinterpret_cast<T *>(result);
  if (newHeight == height)
    std::copy_n(in, size_t(height * newWidth), out);
  else
    pass(tapsFor(how, height, newHeight), in, out, newWidth, 1, 1, newWidth,
         newWidth);
}

//===-- Rotation ----------------------------------------------------------===//

/// Output coordinates to input coordinates, row by row of a 2x3 matrix.
struct Affine {
  double a[6];
};

Affine rotation(int64_t height, int64_t width, double degrees) {
  auto rounded = [](double x) { return std::nearbyint(x * 1e15) / 1e15; };
  double angle = -degrees * (pi / 180);
  double c = rounded(std::cos(angle)), s = rounded(std::sin(angle));
  double x = double(width) / 2, y = double(height) / 2;
  return {{c, s, c * -x + s * -y + x, -s, c, -s * -x + c * -y + y}};
}

void rotateNearest(size_t size, const std::byte *in, int64_t height,
                   int64_t width, std::byte *out, const Affine &m) {
  auto fix = [](double v) { return int64_t(std::floor(v * 65536.0 + 0.5)); };
  int64_t a0 = fix(m.a[0]), a1 = fix(m.a[1]), a3 = fix(m.a[3]),
          a4 = fix(m.a[4]);
  int64_t a2 = fix(m.a[2] + m.a[0] * 0.5 + m.a[1] * 0.5);
  int64_t a5 = fix(m.a[5] + m.a[3] * 0.5 + m.a[4] * 0.5);
  for (int64_t y = 0; y < height; ++y) {
    int64_t u = a2, v = a5;
    for (int64_t x = 0; x < width; ++x, u += a0, v += a3, out += size) {
      int64_t column = u >> 16, row = v >> 16;
      if (column >= 0 && column < width && row >= 0 && row < height)
        std::memcpy(out, in + size_t(row * width + column) * size, size);
      else
        std::memset(out, 0, size);
    }
    a2 += a1;
    a5 += a4;
  }
}

template <typename T>
void rotateBilinear(const std::byte *bytes, int64_t height, int64_t width,
                    std::byte *result, const Affine &m) {
  const T *in = reinterpret_cast<const T *>(bytes);
  T *out = reinterpret_cast<T *>(result);
  auto at = [&](int64_t y, int64_t x) {
    return double(in[std::clamp<int64_t>(y, 0, height - 1) * width +
                     std::clamp<int64_t>(x, 0, width - 1)]);
  };
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x) {
      double cx = double(x) + 0.5, cy = double(y) + 0.5;
      double u = m.a[0] * cx + m.a[1] * cy + m.a[2];
      double v = m.a[3] * cx + m.a[4] * cy + m.a[5];
      bool inside = u >= 0 && u < double(width) && v >= 0 && v < double(height);
      u -= 0.5;
      v -= 0.5;
      int64_t left = int64_t(std::floor(u)), top = int64_t(std::floor(v));
      double dx = u - double(left), dy = v - double(top);
      double above = at(top, left) + (at(top, left + 1) - at(top, left)) * dx;
      double below =
          at(top + 1, left) + (at(top + 1, left + 1) - at(top + 1, left)) * dx;
      *out++ = inside ? T(above + (below - above) * dy) : T(0);
    }
}
} // namespace

void resizePlane(DType dtype, const std::byte *in, int64_t height,
                 int64_t width, std::byte *out, int64_t newHeight,
                 int64_t newWidth, Resampling how) {
  if (how == Resampling::Nearest)
    return resizeNearest(blocks::dtypeSize(dtype), in, height, width, out,
                         newHeight, newWidth);
  if (dtype == DType::UInt8)
    return resizeFiltered<uint8_t>(in, height, width, out, newHeight, newWidth,
                                   how);
  if (dtype == DType::Float32)
    return resizeFiltered<float>(in, height, width, out, newHeight, newWidth,
                                 how);
  resizeFiltered<double>(in, height, width, out, newHeight, newWidth, how);
}

void rotatePlane(DType dtype, const std::byte *in, int64_t height,
                 int64_t width, std::byte *out, double degrees,
                 Resampling how) {
  Affine matrix = rotation(height, width, degrees);
  if (how == Resampling::Nearest)
    return rotateNearest(blocks::dtypeSize(dtype), in, height, width, out,
                         matrix);
  if (dtype == DType::UInt8)
    return rotateBilinear<uint8_t>(in, height, width, out, matrix);
  if (dtype == DType::Float32)
    return rotateBilinear<float>(in, height, width, out, matrix);
  rotateBilinear<double>(in, height, width, out, matrix);
}

} // namespace fuel
