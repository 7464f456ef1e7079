// Runs the stored kernels of LLVM's back end and compares each with the host.
// kernels/llvm.c and kernels/matmul.mlir say how they were made.
#include "Gpu.h"

#include <algorithm>
#include <cmath>

namespace {

/// Repeatable numbers in [-1, 1).
std::vector<float> numbers(size_t count, unsigned seed = 1) {
  std::vector<float> result(count);
  for (float &value : result) {
    seed = seed * 1664525u + 1013904223u;
    value = float(int(seed >> 8)) / float(1 << 23) - 1;
  }
  return result;
}
std::vector<int> integers(size_t count, int limit) {
  std::vector<int> result(count);
  unsigned seed = 7;
  for (int &value : result) {
    seed = seed * 1664525u + 1013904223u;
    value = int((seed >> 9) % unsigned(limit));
  }
  return result;
}

void softmax(const Gpu &gpu, CUmodule module) {
  constexpr int rows = 5, columns = 333;
  Buffer<float> in(gpu, numbers(rows * columns)), out(gpu, rows * columns);
  gpu.run(gpu.function(module, "softmax"), rows, 128, 0, in.get(), out.get(),
          columns);
  const float *x = in.read().data(), *found = out.read().data();
  for (int r = 0; r < rows; ++r) {
    double sum = 0,
           most = *std::max_element(x + r * columns, x + (r + 1) * columns);
    for (int c = 0; c < columns; ++c)
      sum += std::exp(x[r * columns + c] - most);
    double worst = 0;
    for (int c = 0; c < columns; ++c)
      worst =
          std::max(worst, std::fabs(found[r * columns + c] -
                                    std::exp(x[r * columns + c] - most) / sum));
    CHECK_NEAR(worst, 0, 1e-8);
  }
}

void transpose(const Gpu &gpu, CUmodule module) {
  int side = 96;
  Buffer<float> in(gpu, numbers(size_t(side * side))),
      out(gpu, size_t(side * side));
  CUdeviceptr a = in.get(), b = out.get();
  void *args[] = {&a, &b, &side};
  gpu.check(gpu.cuLaunchKernel(gpu.function(module, "transpose"), 3, 3, 1, 32,
                               8, 1, 0, nullptr, args, nullptr),
            "transpose");
  const auto &x = in.read(), &y = out.read();
  int wrong = 0;
  for (int i = 0; i < side * side; ++i)
    wrong += x[size_t(i)] != y[size_t(i % side * side + i / side)];
  CHECK_EQ(wrong, 0);
}

void collatz(const Gpu &gpu, CUmodule module) {
  int count = 700;
  std::vector<int> values(size_t(count), 0);
  for (int i = 0; i < count; ++i)
    values[size_t(i)] = i * 37 + 1;
  Buffer<int> in(gpu, values), out(gpu, values.size());
  gpu.run(gpu.function(module, "collatz"), 6, 128, 0, in.get(), out.get(),
          count);
  const auto &found = out.read();
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    unsigned value = unsigned(values[size_t(i)]);
    int steps = 0;
    for (; value > 1; ++steps)
      value = value % 2 ? 3 * value + 1 : value / 2;
    wrong += steps != found[size_t(i)];
  }
  CHECK_EQ(wrong, 0);
}

constexpr int weights[8] = {3, 1, 4, 1, 5, 9, 2, 6};

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int mixed(int kind, int value) {
  switch (kind) {
  case 0:
    return value * 7;
  case 1:
    return value ^ 0x55;
  case 2:
    return fibonacci(value & 7);
  case 3:
    return weights[value & 7];
  case 4:
    return value << 3;
  case 5:
    return -value;
  default:
    return value - kind;
  }
}

int dispatched(int value, int i) {
  int local[16], sum = 0;
  for (int j = 0; j < 16; ++j)
    local[(j * 5 + i) & 15] = value + j;
  for (int j = 0; j < (value & 15); ++j)
    sum += local[j] * weights[j & 7];
  return mixed((value >> 2) % 9, value) + sum;
}

void dispatch(const Gpu &gpu, CUmodule module) {
  std::vector<int> values = integers(256, 1000);
  Buffer<int> in(gpu, values), out(gpu, values.size());
  gpu.run(gpu.function(module, "dispatch"), 4, 64, 0, in.get(), out.get());
  const auto &found = out.read();
  int wrong = 0;
  for (size_t i = 0; i < values.size(); ++i)
    wrong += found[i] != dispatched(values[i], int(i));
  CHECK_EQ(wrong, 0);
}

void histogram(const Gpu &gpu, CUmodule module) {
  std::vector<int> values = integers(3000, 100), expected(64);
  for (int value : values)
    ++expected[size_t(value & 63)];
  Buffer<int> in(gpu, values), out(gpu, size_t(64));
  gpu.run(gpu.function(module, "histogram"), 4, 128, 0, in.get(), out.get(),
          int(values.size()));
  CHECK(out.read() == expected);
}

void fused(const Gpu &gpu, CUmodule module) {
  int count = 300; // vectors of four; the last block is not full
  Buffer<float> a(gpu, numbers(1200)), b(gpu, numbers(1200, 3)),
      out(gpu, size_t(1200));
  gpu.run(gpu.function(module, "fused"), 3, 128, 0, a.get(), b.get(), out.get(),
          count);
  const auto &x = a.read(), &y = b.read(), &found = out.read();
  double worst = 0;
  for (size_t i = 0; i < 1200; ++i) {
    float d = x[i] * y[i] + 0.5f;
    worst = std::max(worst,
                     std::fabs(double(found[i]) - (d > 0 ? d * d : 0.01f * d)));
  }
  CHECK_NEAR(worst, 0, 1e-6);
}

void widths(const Gpu &gpu, CUmodule module) {
  std::vector<uint8_t> bytes(128);
  std::vector<int64_t> wide(128);
  for (size_t i = 0; i < 128; ++i) {
    bytes[i] = uint8_t(i * 29);
    wide[i] = int64_t(i * 0x123456789ull) * (i % 2 ? -1 : 1);
  }
  Buffer<uint8_t> a(gpu, bytes);
  Buffer<int64_t> b(gpu, wide);
  Buffer<double> out(gpu, size_t(128));
  gpu.run(gpu.function(module, "widths"), 2, 64, 0, a.get(), b.get(),
          out.get());
  const auto &found = out.read();
  int wrong = 0;
  for (size_t i = 0; i < 128; ++i) {
    auto narrow = short(bytes[i] * 257);
    int64_t q = wide[i] / (narrow | 1), r = wide[i] % (bytes[i] + 1);
    wrong += found[i] != double(q) * 0.25 + double(r) - double(float(narrow));
  }
  CHECK_EQ(wrong, 0);
}

/// The product that MLIR's nvgpu dialect lowered: cp.async and mma.sync.
void matmul(const Gpu &gpu, const std::string &folder) {
  CUmodule module = gpu.load(readText(folder + "/matmul.ptx"));
  // Numbers that tf32 holds exactly.
  auto whole = [](size_t count, int step) {
    std::vector<float> result(count);
    for (size_t i = 0; i < count; ++i)
      result[i] = float(int(i) * step % 23 - 11);
    return result;
  };
  Buffer<float> a(gpu, whole(1024, 7)), b(gpu, whole(1024, 5)),
      c(gpu, size_t(1024));
  CUdeviceptr pa = a.get(), pb = b.get(), pc = c.get();
  void *args[] = {&pa, &pb, &pc};
  gpu.check(gpu.cuLaunchKernel(gpu.function(module, "matmul"), 4, 2, 1, 32, 1,
                               1, 0, nullptr, args, nullptr),
            "matmul");
  const auto &x = a.read(), &y = b.read(), &found = c.read();
  int wrong = 0;
  for (size_t i = 0; i < 32; ++i)
    for (size_t j = 0; j < 32; ++j) {
      float sum = 0;
      for (size_t k = 0; k < 32; ++k)
        sum += x[i * 32 + k] * y[k * 32 + j];
      wrong += sum != found[i * 32 + j];
    }
  CHECK_EQ(wrong, 0);
}

} // namespace

int main(int, char **argv) {
  Gpu gpu(argv[1]);
  CUmodule module = gpu.load(readText(std::string(argv[2]) + "/llvm.ptx"));
  softmax(gpu, module);
  transpose(gpu, module);
  collatz(gpu, module);
  dispatch(gpu, module);
  histogram(gpu, module);
  fused(gpu, module);
  widths(gpu, module);
  matmul(gpu, argv[2]);
  return checkSummary();
}
