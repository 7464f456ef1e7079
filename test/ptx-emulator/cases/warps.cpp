// What the lanes of a warp do together: shuffles, votes, matches, reductions,
// mma with its fragments, ldmatrix; and atomics of all kinds.
#include "Gpu.h"

#include "../ops/Half.h"

#include <bit>
#include <cmath>
#include <functional>

namespace {

std::string header() {
  return ".version 8.0\n.target sm_80\n.address_size 64\n";
}

/// Runs `body` in one warp: %t is the lane, %a = lane * 7 + 3; it sets %d.
void lanes(const Gpu &gpu, const std::string &body,
           const std::function<uint32_t(uint32_t)> &expected) {
  std::string text =
      header() +
      ".visible .entry test(.param .u64 test_param_0)\n{\n"
      ".reg .pred %p, %q; .reg .b32 %t, %a, %d, %r; .reg .b64 %g, %o;\n"
      "mov.u32 %t, %laneid; mad.lo.u32 %a, %t, 7, 3; mov.u32 %d, 0;\n" +
      body +
      "\nld.param.u64 %g, [test_param_0]; mul.wide.u32 %o, %t, 4;\n"
      "add.u64 %g, %g, %o; st.global.u32 [%g], %d; ret;\n}\n";
  Buffer<uint32_t> out(gpu, size_t(32));
  gpu.run(gpu.function(gpu.load(text), "test"), 1, 32, 0, out.get());
  for (uint32_t lane = 0; lane < 32; ++lane)
    if (out.read()[lane] != expected(lane)) {
      std::ostringstream what;
      what << body << " gives " << out.read()[lane] << " in lane " << lane
           << ", expected " << expected(lane);
      checkFailed(__FILE__, __LINE__, what.str());
      return;
    }
}

uint32_t a(uint32_t lane) { return lane * 7 + 3; }

void collectives(const Gpu &gpu) {
  lanes(gpu, "shfl.sync.bfly.b32 %d, %a, 5, 31, -1;",
        [](uint32_t l) { return a(l ^ 5); });
  lanes(gpu, "shfl.sync.up.b32 %d|%p, %a, 3, 0, -1; @!%p mov.u32 %d, 999;",
        [](uint32_t l) { return l < 3 ? 999 : a(l - 3); });
  lanes(
      gpu,
      "shfl.sync.down.b32 %d|%p, %a, 2, 0x1807, -1; @!%p mov.u32 %d, 999;", // segments of 8
      [](uint32_t l) { return l % 8 > 5 ? 999 : a(l + 2); });
  lanes(gpu, "shfl.sync.idx.b32 %d, %a, 9, 0x101F, -1;", // segments of 16
        [](uint32_t l) { return a(l / 16 * 16 + 9); });
  lanes(gpu, "setp.gt.u32 %p, %t, 19; vote.sync.ballot.b32 %d, %p, -1;",
        [](uint32_t) { return 0xFFF00000; });
  lanes(gpu,
        "setp.gt.u32 %p, %t, 40; vote.sync.any.pred %q, %p, -1; selp.u32 %d, "
        "1, 2, %q;",
        [](uint32_t) { return 2; });
  lanes(gpu,
        "setp.lt.u32 %p, %t, 40; vote.sync.all.pred %q, !%p, -1; selp.u32 %d, "
        "1, 2, %q;",
        [](uint32_t) { return 2; });
  lanes(gpu,
        "setp.lt.u32 %p, %t, 40; vote.sync.uni.pred %q, %p, -1; selp.u32 %d, "
        "1, 2, %q;",
        [](uint32_t) { return 1; });
  lanes(gpu, "and.b32 %r, %t, 3; match.any.sync.b32 %d, %r, -1;",
        [](uint32_t l) { return 0x11111111u << (l % 4); });
  lanes(gpu, "match.all.sync.b32 %d|%p, 5, -1; @!%p mov.u32 %d, 0;",
        [](uint32_t) { return ~0u; });
  lanes(gpu, "redux.sync.add.s32 %d, %a, -1;",
        [](uint32_t) { return 31 * 32 / 2 * 7 + 96; });
  lanes(gpu, "redux.sync.max.u32 %d, %a, -1;", [](uint32_t) { return a(31); });
  lanes(gpu, "redux.sync.xor.b32 %d, %t, -1;", [](uint32_t) { return 0; });
  lanes(gpu, "setp.lt.u32 %p, %t, 7; @!%p bra A; activemask.b32 %d; A:",
        [](uint32_t l) { return l < 7 ? 0x7F : 0; });
  lanes(gpu, "mov.u32 %d, %lanemask_lt;",
        [](uint32_t l) { return (1u << l) - 1; });
  // A group of lanes with a mask of its own, the others with another.
  lanes(gpu,
        "setp.lt.u32 %p, %t, 12; selp.b32 %r, 0xFFF, 0xFFFFF000, %p; "
        "shfl.sync.bfly.b32 %d, %a, 1, 31, %r;",
        [](uint32_t l) { return a(l ^ 1); });
  // Lanes that meet again after two divergent branches.
  lanes(gpu,
        "setp.lt.u32 %p, %t, 20; @%p bra A; add.u32 %d, %t, 1; setp.lt.u32 %q, "
        "%t, 25; @%q bra B; "
        "add.u32 %d, %d, 10; bra C; A: add.u32 %d, %t, 2; bra C; B: add.u32 "
        "%d, %d, 100; "
        "C: shfl.sync.bfly.b32 %d, %d, 31, 31, -1;",
        [](uint32_t l) {
          uint32_t m = 31 - l;
          return m < 20 ? m + 2 : m < 25 ? m + 101 : m + 11;
        });
}

/// All 32 lanes update one word that starts as `start`.
void atomic(const Gpu &gpu, const char *instruction, uint32_t start,
            uint32_t result) {
  std::string text =
      header() +
      ".visible .entry test(.param .u64 test_param_0)\n{\n"
      ".reg .b32 %t, %d; .reg .f32 %f; .reg .b64 %g; .reg .pred %p;\n"
      "mov.u32 %t, %tid.x; cvt.rn.f32.u32 %f, %t; ld.param.u64 %g, "
      "[test_param_0];\n" +
      instruction + " ret;\n}\n";
  Buffer<uint32_t> word(gpu, std::vector<uint32_t>{start});
  gpu.run(gpu.function(gpu.load(text), "test"), 1, 32, 0, word.get());
  if (word.read()[0] != result)
    checkFailed(__FILE__, __LINE__,
                std::string(instruction) + " gives " +
                    std::to_string(word.read()[0]) + ", expected " +
                    std::to_string(result));
}

void atomics(const Gpu &gpu) {
  atomic(gpu, "atom.global.add.u32 %d, [%g], %t;", 5, 501);
  atomic(gpu, "red.global.max.s32 [%g], %t;", 7, 31);
  atomic(gpu, "red.global.min.s32 [%g], -4;", 7, uint32_t(-4));
  atomic(gpu, "atom.global.and.b32 %d, [%g], 0xF0;", 0xABCD, 0xC0);
  atomic(gpu, "red.global.or.b32 [%g], %t;", 64, 95);
  atomic(gpu, "atom.global.inc.u32 %d, [%g], 9;", 0, 2);
  atomic(gpu, "atom.global.dec.u32 %d, [%g], 9;", 0, 8);
  atomic(gpu, "atom.global.exch.b32 %d, [%g], %t;", 0, 31);
  atomic(gpu, "atom.global.cas.b32 %d, [%g], %t, 77;", 12, 77);
  atomic(gpu, "red.global.add.f32 [%g], %f;", std::bit_cast<uint32_t>(0.5f),
         std::bit_cast<uint32_t>(496.5f));
  atomic(gpu, "red.global.add.noftz.f16x2 [%g], 0x3C003C00;", 0, 0x50005000);
  atomic(gpu,
         "{ .reg .b32 %o; L: ld.global.u32 %o, [%g]; add.u32 %d, %o, 1; "
         "atom.global.cas.b32 %d, [%g], %o, %d; setp.ne.u32 %p, %d, %o; @%p "
         "bra L; }",
         0, 32);
}

/// One mma: values in matrices, packed by the manual's drawings of fragments.
struct MmaCase {
  const char *instruction;
  int k, perRegister, countA, countB;
  bool integer;
  std::function<uint32_t(float)> encode;
};

void mma(const Gpu &gpu, const MmaCase &c) {
  std::vector<float> A(size_t(16 * c.k)), B(size_t(c.k * 8));
  for (size_t i = 0; i < A.size(); ++i)
    A[i] = float(int(i * 7 % 19) - 9);
  for (size_t i = 0; i < B.size(); ++i)
    B[i] = float(int(i * 5 % 13) - 6);
  int p = c.perRegister, bits = 32 / p;
  std::vector<uint32_t> ra(size_t(32 * 4)), rb(size_t(32 * 4)),
      rc(size_t(32 * 4));
  for (int lane = 0; lane < 32; ++lane) {
    int group = lane >> 2, member = lane & 3;
    for (int r = 0; r < c.countA; ++r)
      for (int e = 0; e < p; ++e) {
        int row = group + (r & 1 ? 8 : 0);
        int column = member * p + e + (r & 2 ? 4 * p : 0);
        ra[size_t(lane * 4 + r)] |= c.encode(A[size_t(row * c.k + column)])
                                    << (bits * e);
      }
    for (int r = 0; r < c.countB; ++r)
      for (int e = 0; e < p; ++e) {
        int row = member * p + e + (r ? 4 * p : 0);
        rb[size_t(lane * 4 + r)] |= c.encode(B[size_t(row * 8 + group)])
                                    << (bits * e);
      }
    for (int e = 0; e < 4; ++e)
      rc[size_t(lane * 4 + e)] = c.integer
                                     ? uint32_t(e * 100)
                                     : std::bit_cast<uint32_t>(float(e * 100));
  }
  auto regs = [](char name, int count) {
    std::string text = "{";
    for (int i = 0; i < count; ++i)
      text += (i ? ",%" : "%") + std::string(1, name) + std::to_string(i);
    return text + "}";
  };
  std::string text = header() +
                     ".visible .entry test(.param .u64 pa, .param .u64 pb, "
                     ".param .u64 pc)\n{\n"
                     ".reg .b32 %t, %a<4>, %b<4>, %c<4>; .reg .b64 %g, %o;\n"
                     "mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 16;\n";
  for (char name : {'a', 'b', 'c'})
    text += std::string("ld.param.u64 %g, [p") + name +
            "]; add.u64 %g, %g, %o; ld.global.v4.b32 " + regs(name, 4) +
            ", [%g];\n";
  text += std::string(c.instruction) + " " + regs('c', 4) + ", " +
          regs('a', c.countA) + ", " + regs('b', c.countB) + ", " +
          regs('c', 4) + ";\nst.global.v4.b32 [%g], " + regs('c', 4) +
          ";\nret;\n}\n";
  Buffer<uint32_t> da(gpu, ra), db(gpu, rb), dc(gpu, rc);
  gpu.run(gpu.function(gpu.load(text), "test"), 1, 32, 0, da.get(), db.get(),
          dc.get());
  int wrong = 0;
  for (int lane = 0; lane < 32; ++lane)
    for (int e = 0; e < 4; ++e) {
      int row = (lane >> 2) + (e < 2 ? 0 : 8),
          column = (lane & 3) * 2 + (e & 1);
      float sum = float(e * 100);
      for (int i = 0; i < c.k; ++i)
        sum += A[size_t(row * c.k + i)] * B[size_t(i * 8 + column)];
      uint32_t found = dc.read()[size_t(lane * 4 + e)];
      wrong += (c.integer ? float(int32_t(found))
                          : std::bit_cast<float>(found)) != sum;
    }
  if (wrong)
    checkFailed(__FILE__, __LINE__,
                std::string(c.instruction) + ": " + std::to_string(wrong) +
                    " elements are wrong");
}

void matrices(const Gpu &gpu) {
  auto f16 = [](float x) { return uint32_t(ptxemu::floatToHalf(x)); };
  auto bf16 = [](float x) { return uint32_t(ptxemu::floatToBfloat(x)); };
  auto tf32 = [](float x) { return std::bit_cast<uint32_t>(x); };
  auto s8 = [](float x) { return uint32_t(uint8_t(int8_t(x))); };
  mma(gpu, {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, 2, 4, 2,
            false, f16});
  mma(gpu, {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 8, 2, 2, 1,
            false, f16});
  mma(gpu, {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 16, 2, 4, 2,
            false, bf16});
  mma(gpu, {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 8, 1, 4, 2,
            false, tf32});
  mma(gpu, {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 4, 1, 2, 1,
            false, tf32});
  mma(gpu, {"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 32, 4, 4, 2,
            true, s8});
}

/// ldmatrix of a 16 x 16 matrix of numbers that say where they stand.
void loadMatrix(const Gpu &gpu, bool transposed) {
  std::string text =
      header() +
      ".visible .entry test(.param .u64 out)\n{\n"
      ".reg .b32 %t, %i, %r<4>, %a; .reg .b16 %h; .reg .b64 %g, %o; .reg .pred "
      "%p;\n"
      ".shared .align 16 .b8 sh[512];\n"
      "mov.u32 %t, %tid.x; mov.u32 %i, %t; mov.u32 %a, sh;\n"
      "L: mad.lo.u32 %r0, %i, 2, %a; cvt.u16.u32 %h, %i; st.shared.u16 [%r0], "
      "%h;\n"
      "add.u32 %i, %i, 32; setp.lt.u32 %p, %i, 256; @%p bra L; bar.sync 0;\n"
      // Lane l: row l % 16, columns from 8 * (l / 16).
      "and.b32 %r0, %t, 15; shl.b32 %r0, %r0, 5; shr.u32 %r1, %t, 4; shl.b32 "
      "%r1, %r1, 4;\n"
      "add.u32 %a, %a, %r0; add.u32 %a, %a, %r1;\n"
      "ldmatrix.sync.aligned.m8n8.x4" +
      std::string(transposed ? ".trans" : "") +
      ".shared.b16 {%r0,%r1,%r2,%r3}, [%a];\n"
      "ld.param.u64 %g, [out]; mul.wide.u32 %o, %t, 16; add.u64 %g, %g, %o;\n"
      "st.global.v4.b32 [%g], {%r0,%r1,%r2,%r3}; ret;\n}\n";
  Buffer<uint16_t> out(gpu, size_t(256));
  gpu.run(gpu.function(gpu.load(text), "test"), 1, 32, 0, out.get());
  int wrong = 0;
  for (int lane = 0; lane < 32; ++lane)
    for (int m = 0; m < 4; ++m)
      for (int e = 0; e < 2; ++e) {
        int row = lane / 4, column = lane % 4 * 2 + e;
        if (transposed)
          std::swap(row, column);
        int place = (row + m % 2 * 8) * 16 + column + m / 2 * 8;
        wrong += out.read()[size_t(lane * 8 + m * 2 + e)] != place;
      }
  CHECK_EQ(wrong, 0);
}

} // namespace

int main(int, char **argv) {
  Gpu gpu(argv[1]);
  collectives(gpu);
  atomics(gpu);
  matrices(gpu);
  loadMatrix(gpu, false);
  loadMatrix(gpu, true);
  return checkSummary();
}
