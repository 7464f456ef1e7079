// How fast the emulator is: thread-instructions per second of a loop of
// arithmetic, of a fused elementwise kernel, of shared memory with and without
// race detection, of divergent code and of a softmax. Best of three.
#include "Gpu.h"

#include <ctime>
#include <functional>

namespace {

double seconds(const std::function<void()> &f) {
  double best = 1e30;
  for (int i = 0; i < 3; ++i) {
    std::clock_t begin = std::clock(); // of this process: others may run
    f();
    best = std::min(best, double(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return best;
}

void show(const char *name, double instructions, double time) {
  std::printf("%-28s %8.1f million thread-instructions/s\n", name,
              instructions / time * 1e-6);
  std::fflush(stdout);
}

/// `body` repeated `unroll` times in a loop of `rounds`, over 64 x 256 threads.
void loop(const Gpu &gpu, const char *name, const std::string &body,
          int bodyCount, int unroll, unsigned rounds) {
  std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry test(.param .u32 test_param_0)\n{\n"
      ".reg .pred %p<4>; .reg .b32 %i, %n, %t, %r<8>; .reg .f32 "
      "%f<8>; .reg .b64 %s;\n.shared .align 4 .b8 sh[2048];\n"
      "mov.u32 %i, 0; mov.u32 %t, %tid.x; mul.wide.u32 %s, %t, 4;"
      " mov.u32 %r1, sh; cvt.u64.u32 %s, %r1; mad.wide.u32 %s, "
      "%t, 4, %s; st.shared.u32 [%s], %t;\n"
      "ld.param.u32 %n, [test_param_0]; cvt.rn.f32.u32 %f0, %t; "
      "mov.f32 %f1, 0f3F7FFFFF; mov.f32 %f2, 0f3C000000; "
      "mov.u32 %r0, %t;\nLOOP:\n";
  for (int i = 0; i < unroll; ++i)
    text += body + "\n";
  text +=
      "add.u32 %i, %i, 1; setp.lt.u32 %p0, %i, %n; @%p0 bra LOOP; ret;\n}\n";
  CUfunction kernel = gpu.function(gpu.load(text), "test");
  double time = seconds([&] { gpu.run(kernel, 64, 256, 0, rounds); });
  show(name, 64.0 * 256 * rounds * (bodyCount * unroll + 3), time);
}

void softmax(const Gpu &gpu, const std::string &kernels) {
  CUfunction kernel =
      gpu.function(gpu.load(readText(kernels + "/llvm.ptx")), "softmax");
  int columns = 1000, rows = 256;
  Buffer<float> in(gpu, std::vector<float>(size_t(rows * columns), 0.5f)),
      out(gpu, size_t(rows * columns));
  double time = seconds([&] {
    gpu.run(kernel, unsigned(rows), 256, 0, in.get(), out.get(), columns);
  });
  std::printf("%-28s %8.2f ms\n", "softmax 256 x 1000", time * 1e3);
}

void fused(const Gpu &gpu, const std::string &kernels) {
  CUfunction kernel =
      gpu.function(gpu.load(readText(kernels + "/llvm.ptx")), "fused");
  int count = 1 << 18;
  Buffer<float> a(gpu, std::vector<float>(size_t(count) * 4, 0.5f)),
      b(gpu, std::vector<float>(size_t(count) * 4, 1.5f)),
      out(gpu, size_t(count) * 4);
  double time = seconds([&] {
    gpu.run(kernel, unsigned(count / 256), 256, 0, a.get(), b.get(), out.get(),
            count);
  });
  std::printf("%-28s %8.2f ms\n", "fused elementwise, 1M values", time * 1e3);
}

} // namespace

int main(int, char **argv) {
  Gpu gpu(argv[1]);
  loop(gpu, "f32 fma", "fma.rn.f32 %f0, %f0, %f1, %f2;", 1, 16, 500);
  loop(gpu, "s32 mad", "mad.lo.s32 %r0, %r0, %r0, %t;", 1, 16, 500);
  loop(gpu, "mixed arithmetic",
       "mul.f32 %f3, %f0, %f1; add.f32 %f0, %f3, %f2; setp.gt.f32 %p1, %f0, "
       "%f1; selp.f32 %f0, %f0, %f3, %p1; shl.b32 %r1, %r0, 1; xor.b32 %r0, "
       "%r1, %t;",
       6, 4, 300);
  loop(gpu, "shared load and store",
       "ld.shared.u32 %r2, [%s]; st.shared.u32 [%s], %r2;", 2, 8, 60);
  loop(gpu, "shuffle", "shfl.sync.bfly.b32 %r0, %r0, 1, 31, -1;", 1, 8, 100);
  loop(
      gpu, "divergent",
      "{ .reg .pred %q; and.b32 %r1, %t, 1; setp.eq.u32 %q, %r1, 0; @%q bra A; "
      "add.u32 %r0, %r0, 3; A: }",
      4, 1, 1000);
  loop(gpu, "ex2.approx", "ex2.approx.f32 %f0, %f2;", 1, 8, 50);
  softmax(gpu, argv[2]);
  fused(gpu, argv[2]);
  return 0;
}
